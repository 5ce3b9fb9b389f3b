{{ config(materialized="view") }}

with reflections as (
    select *
    from {{ ref('stg_generation') }}
    where parent_generation_id is not null
),

settings as (
    select setting_id
    from {{ ref('stg_setting') }}
    where
        task in {{ tasks_of('stated_confidence') }}
        and prompt_kind = 'ask_tf_v1'
),

tokens as (
    select *
    from {{ ref('stg_token_logprob') }}
),

asked as (
    select
        reflections.parent_generation_id,
        reflections.generation_id,
        reflections.sample_index,
        reflections.setting_id,
    from reflections
    inner join settings on reflections.setting_id = settings.setting_id
),

-- few are asked more than once, and a hash finds them fast. Two names with one hash cost only time
hashes_repeated as (
    select hash(parent_generation_id) as parent_hash
    from asked
    group by all
    having count(*) > 1
),

-- asked more than once, the first answer counts
answers as (
    select
        asked.parent_generation_id,
        asked.generation_id,
    from asked
    anti join hashes_repeated on hash(asked.parent_generation_id) = hashes_repeated.parent_hash
    union all by name
    select
        asked.parent_generation_id,
        arg_min(asked.generation_id, row(asked.sample_index, asked.setting_id)) as generation_id,
    from asked
    semi join hashes_repeated on hash(asked.parent_generation_id) = hashes_repeated.parent_hash
    group by asked.parent_generation_id
),

-- the alternatives of all positions in two lists of the same order
answers_read as (
    select
        answers.parent_generation_id as generation_id,
        tokens.top_tokens is null as is_missing,
        coalesce(len(tokens.top_tokens[1]), 0) as n_first,
        coalesce(len(tokens.top_tokens[2]), 0) as n_second,
        flatten(tokens.top_tokens) as tokens,
        flatten(tokens.top_logprobs) as logprobs,
    from answers
    left join tokens on answers.generation_id = tokens.generation_id
),

-- an answer without any alternative keeps one row
alternatives as (
    select
        generation_id,
        is_missing,
        n_first,
        n_second,
        unnest(range(greatest(len(tokens), 1))) as place,
        lower(unnest(if(len(tokens) > 0, tokens, [null]))) as token,
        unnest(if(len(tokens) > 0, logprobs, [null])) as logprob,
    from answers_read
),

-- version 1 looks at the five likeliest tokens of two positions, version 2 at all of the first
alternatives_named as (
    select
        generation_id,
        is_missing,
        logprob,
        place < n_first as is_of_v2,
        place < least(n_first, 5)
        or place between n_first and n_first + least(n_second, 5) - 1 as is_of_v1,
        contains(token, 'true') and not contains(token, 'false') as is_true_v1,
        contains(token, 'false') and not contains(token, 'true') as is_false_v1,
        {% for word in ['true', 'false'] %}
        {{ is_one_of('token', var('words_' ~ word)) }} as is_{{ word }}_v2,
        {% endfor %}
    from alternatives
),

tallied as (
    select
        generation_id,
        any_value(is_missing) as is_missing,
        {% for v in [1, 2] %}
        max(logprob) filter (is_of_v{{ v }}) as max_logprob_v{{ v }},
        bool_or((is_true_v{{ v }} or is_false_v{{ v }}) and is_of_v{{ v }}) as is_answered_v{{ v }},
        {% endfor %}
        {% for word in ['true', 'false'] %}
        max(exp(least(logprob, 0.0))) filter (is_of_v1 and is_{{ word }}_v1) as p_{{ word }}_v1,
        sum(exp(least(logprob, 0.0))) filter (is_of_v2 and is_{{ word }}_v2) as p_{{ word }}_v2,
        {% endfor %}
        sum(exp(least(logprob, 0.0))) filter (is_of_v2) as p_all,
    from alternatives_named
    group by generation_id
),

measured as (
    select
        generation_id,
        {% for v in [1, 2] %}
        case
            when is_missing then 'missing_logprobs'
            when max_logprob_v{{ v }} > {{ var('logprob_tolerance') }} then 'logprob_positive'
            when not coalesce(is_answered_v{{ v }}, false) then 'parse_fail'
        end as null_reason_v{{ v }},
        least(coalesce(p_true_v{{ v }}, 0.0), 1.0) as p_true_v{{ v }},
        least(coalesce(p_false_v{{ v }}, 0.0), 1.0) as p_false_v{{ v }},
        {% endfor %}
        greatest(1 - p_all, 0.0) as residual,
    from tallied
),

read as (
    select
        generation_id,
        {% for v in [1, 2] %}
        if(null_reason_v{{ v }} is null, p_true_v{{ v }}, null) as ask_tf_v{{ v }},
        if(null_reason_v{{ v }} is null, p_false_v{{ v }}, null) as ask_tf_false_v{{ v }},
        if(
            null_reason_v{{ v }} is null,
            p_true_v{{ v }} / nullif(p_true_v{{ v }} + p_false_v{{ v }}, 0),
            null
        ) as ask_tf_normalized_v{{ v }},
        null_reason_v{{ v }} as ask_tf_null_reason_v{{ v }},
        case
            when null_reason_v{{ v }} is not null then null_reason_v{{ v }}
            when p_true_v{{ v }} + p_false_v{{ v }} = 0 then 'parse_fail'
        end as ask_tf_normalized_null_reason_v{{ v }},
        {% endfor %}
        if(null_reason_v2 is null, residual, null) as ask_tf_residual_v2,
    from measured
)

select * from read
