{% set token_columns = [
    'n_tokens_kept', 'sentinel', 'avg_prob', 'total_prob', 'log_total_prob',
    'geometric_mean_prob', 'log_geometric_mean_prob', 'min_prob', 'log_min_prob',
    'avg_prob_incl_stop', 'total_prob_incl_stop', 'log_total_prob_incl_stop',
] %}
{% set answer_columns = [
    'ask_tf_v1', 'ask_tf_false_v1', 'ask_tf_normalized_v1',
    'ask_tf_v2', 'ask_tf_false_v2', 'ask_tf_normalized_v2', 'ask_tf_residual_v2',
] %}
{% set answer_reasons = [
    'ask_tf_null_reason_v1', 'ask_tf_normalized_null_reason_v1',
    'ask_tf_null_reason_v2', 'ask_tf_normalized_null_reason_v2',
] %}
{% set reasons = answer_reasons + [
    'token_null_reason', 'token_null_reason_incl_stop',
    'verbalized_null_reason_v1', 'verbalized_null_reason_v2',
    'length_null_reason_v1', 'length_null_reason_v2',
] %}

with generations as (
    select *
    from {{ ref('stg_generation') }}
),

texts as (
    select
        generation_id,
        length(kept_text) as n_characters,
    from {{ ref('stg_generation_text') }}
),

tokens as (
    select
        generation_id,
        {{ listed(token_columns) }}
        token_null_reason,
        token_null_reason_incl_stop,
    from {{ ref('int_confidence_token_measured') }}
),

stated as (
    select *
    from {{ ref('int_reflection_verbalized_read') }}
),

answers as (
    select
        generation_id,
        {{ listed(answer_columns + answer_reasons) }}
    from {{ ref('int_reflection_ask_tf_read') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
    where task in {{ tasks_of('confidence') }}
),

problems as (
    select
        problem_id,
        release_no,
    from {{ ref('int_problem_numbered') }}
),

references_written as (
    select
        problem_id,
        nullif(length(reference), 0) as n_characters,
    from {{ ref('stg_problem') }}
),

reference_ranges as (
    select
        problems.release_no,
        min(references_written.n_characters) as shortest,
        max(references_written.n_characters) as longest,
    from problems
    inner join references_written on problems.problem_id = references_written.problem_id
    group by all
),

generations_numbered as (
    select
        generations.generation_id,
        cast(
            row_number() over (
                partition by language_models.lm_no, settings.setting_no
                order by generations.generation_id
            ) as integer
        ) as generation_no,
        cast(language_models.lm_no as integer) as lm_no,
        cast(settings.setting_no as integer) as setting_no,
        cast(problems.release_no as integer) as release_no,
        generations.problem_id,
        generations.sample_index,
        texts.n_characters,
    from generations
    inner join language_models on generations.lm_id = language_models.lm_id
    inner join settings on generations.setting_id = settings.setting_id
    inner join problems on generations.problem_id = problems.problem_id
    left join texts on generations.generation_id = texts.generation_id
),

lengths as (
    select
        lm_no,
        setting_no,
        release_no,
        n_characters,
        count(*) as n_equal,
    from generations_numbered
    where n_characters is not null
    group by all
),

lengths_ranked as (
    select
        lm_no,
        setting_no,
        release_no,
        n_characters,
        -- mean rank of those of this length
        sum(n_equal) over (
            partition by lm_no, setting_no, release_no
            order by n_characters
        ) - (n_equal - 1) / 2 as midrank,
        sum(n_equal) over (partition by lm_no, setting_no, release_no) as n_all,
        min(n_characters) over (partition by lm_no, setting_no, release_no) as shortest,
        max(n_characters) over (partition by lm_no, setting_no, release_no) as longest,
    from lengths
),

-- without any reference the answers themselves give the range
lengths_ranged as (
    select
        lengths_ranked.lm_no,
        lengths_ranked.setting_no,
        lengths_ranked.release_no,
        lengths_ranked.n_characters,
        lengths_ranked.midrank,
        lengths_ranked.n_all,
        if(
            reference_ranges.longest is null, 'generations', 'references'
        ) as length_range_source,
        coalesce(reference_ranges.shortest, lengths_ranked.shortest) as shortest,
        coalesce(reference_ranges.longest, lengths_ranked.longest) as longest,
    from lengths_ranked
    left join reference_ranges on lengths_ranked.release_no = reference_ranges.release_no
),

lengths_scored as (
    select
        lm_no,
        setting_no,
        release_no,
        n_characters,
        length_range_source,
        greatest(
            least(1 - (n_characters - shortest) / nullif(longest - shortest, 0), 1.0), 0.0
        ) as length_v1,
        1 - midrank / n_all as length_v2,
    from lengths_ranged
),

measured as (
    select
        generations_numbered.generation_no,
        generations_numbered.generation_id,
        generations_numbered.lm_no,
        generations_numbered.setting_no,
        generations_numbered.release_no,
        generations_numbered.problem_id,
        generations_numbered.sample_index,
        {{ listed(token_columns, 'tokens') }}
        if(
            tokens.generation_id is null, 'missing_logprobs', tokens.token_null_reason
        ) as token_null_reason,
        if(
            tokens.generation_id is null,
            'missing_logprobs',
            tokens.token_null_reason_incl_stop
        ) as token_null_reason_incl_stop,
        coalesce(stated.n_calls_v1, 0) as verbalized_calls_v1,
        stated.value_v1 is null
        and coalesce(stated.n_calls_v1, 0) >= {{ var('verbalized_calls') }}
            as verbalized_fallback_v1,
        if(
            stated.value_v1 is null and stated.n_calls_v1 >= {{ var('verbalized_calls') }},
            {{ var('verbalized_fallback') }},
            stated.value_v1
        ) as verbalized_v1,
        if(
            stated.value_v1 is null
            and coalesce(stated.n_calls_v1, 0) < {{ var('verbalized_calls') }},
            'not_asked',
            null
        ) as verbalized_null_reason_v1,
        coalesce(stated.n_calls_v2, 0) as verbalized_calls_v2,
        stated.value_v2 as verbalized_v2,
        case
            when stated.n_calls_v2 is null then 'not_asked'
            when stated.value_v2 is null then 'parse_fail'
        end as verbalized_null_reason_v2,
        {{ listed(answer_columns, 'answers') }}
        {% for column in answer_reasons %}
        if(answers.generation_id is null, 'not_asked', answers.{{ column }}) as {{ column }},
        {% endfor %}
        generations_numbered.n_characters,
        lengths_scored.length_range_source,
        lengths_scored.length_v1,
        if(lengths_scored.length_v1 is null, 'not_applicable', null) as length_null_reason_v1,
        lengths_scored.length_v2,
        if(lengths_scored.length_v2 is null, 'not_applicable', null) as length_null_reason_v2,
    from generations_numbered
    left join tokens on generations_numbered.generation_id = tokens.generation_id
    left join stated on generations_numbered.generation_id = stated.generation_id
    left join answers on generations_numbered.generation_id = answers.generation_id
    left join lengths_scored
        on
            generations_numbered.lm_no = lengths_scored.lm_no
            and generations_numbered.setting_no = lengths_scored.setting_no
            and generations_numbered.release_no = lengths_scored.release_no
            and generations_numbered.n_characters = lengths_scored.n_characters
),

stored as (
    select
        * replace (
            {% for column in reasons %}
            {{ as_enum(column, calibration_null_reasons()) }} as {{ column }},
            {% endfor %}
            {{ as_enum('length_range_source', ['references', 'generations']) }}
                as length_range_source
        ),
    from measured
)

select * from stored
