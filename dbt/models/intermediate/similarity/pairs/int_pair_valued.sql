{% set unkept = number_of("'" ~ var('unkept_candidate') ~ "'") %}

with tokens as (
    select *
    from {{ ref('int_pair_counted') }}
),

scores as (
    select
        scorer_id,
        {{ pair_numbers('candidate_a', 'candidate_b') }}
        value,
        null_reason,
    from {{ source('facts', 'pair_scored') }}
),

similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
),

ratings as (
    select
        scorer_id,
        {{ pair_numbers('candidate_a', 'candidate_b') }}
        value,
        null_reason,
    from {{ ref('int_pair_rated') }}
),

behaviours as (
    select *
    from {{ ref('int_behaviour_compared') }}
),

tokens_valued as (
    {% for similarity in token_similarities() %}
    {{ 'union all' if not loop.first }}
    select
        candidate_no_a,
        candidate_no_b,
        '{{ similarity.name }}' as similarity,
        {% if similarity.threshold %}
        {{ is_clone('n_shared', 'n_tokens_a', 'n_tokens_b', similarity.threshold) }} as value,
        {% else %}
        {{ overlap_ratio('n_shared', 'n_tokens_a', 'n_tokens_b') }} as value,
        {% endif %}
    from tokens
    where measure = '{{ similarity.measure }}'
    {% endfor %}
),

pairs_valued as (
    select
        tokens_valued.candidate_no_a,
        tokens_valued.candidate_no_b,
        similarities.similarity_no,
        tokens_valued.value,
        null as null_reason,
    from tokens_valued
    inner join similarities on tokens_valued.similarity = similarities.similarity
    union all
    select
        scores.candidate_no_a,
        scores.candidate_no_b,
        similarities.similarity_no,
        scores.value,
        scores.null_reason,
    from scores
    inner join similarities on scores.scorer_id = similarities.scorer_id
    union all
    select
        ratings.candidate_no_a,
        ratings.candidate_no_b,
        similarities.similarity_no,
        ratings.value,
        ratings.null_reason,
    from ratings
    inner join similarities on ratings.scorer_id = similarities.scorer_id
    union all
    select
        behaviours.candidate_no_a,
        behaviours.candidate_no_b,
        similarities.similarity_no,
        behaviours.value,
        behaviours.null_reason,
    from behaviours
    inner join similarities on similarities.similarity = '{{ behaviour_similarity() }}'
),

-- nothing is known of a sample whose text is not kept. Decimals, so that sums do not depend on the
-- order of rows
valued as (
    select
        candidate_no_a,
        candidate_no_b,
        similarity_no,
        if(
            {{ unkept }} in (candidate_no_a, candidate_no_b),
            null,
            cast(value as decimal(18, 15))
        ) as value,
        if(
            {{ unkept }} in (candidate_no_a, candidate_no_b),
            'text_not_kept',
            null_reason
        ) as null_reason,
    from pairs_valued
)

select * from valued
