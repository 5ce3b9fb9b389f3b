with scorers as (
    select *
    from {{ ref('stg_scorer') }}
),

token_similarities as (
    {% for similarity in token_similarities() %}
    {{ 'union all' if not loop.first }}
    select
        '{{ similarity.name }}' as similarity,
        '{{ similarity.measure }}' as measure,
        {{ similarity.v1 }} as in_v1,
        {{ not similarity.v1 }} as in_v2,
    {% endfor %}
),

announced_measures as (
    {% for measure in announced_measures() %}
    {{ 'union all' if not loop.first }}
    select
        '{{ measure.name }}' as measure,
        {{ measure.v1 }} as in_v1,
    {% endfor %}
),

other_measures as (
    select distinct
        scorers.measure,
        false as in_v1,
    from scorers
    left join announced_measures on scorers.measure = announced_measures.measure
    where announced_measures.measure is null
),

pair_measures as (
    select * from announced_measures
    union all
    select * from other_measures
),

-- of each measure of pairs also the similarity that nothing has scored
similarities as (
    select
        similarity,
        measure,
        '' as scorer_id,
        '' as scorer,
        cast(null as varchar) as release_id,
        true as needs_no_scorer,
        false as needs_every_score,
        in_v1,
        in_v2,
    from token_similarities
    union all
    select
        '{{ behaviour_similarity() }}' as similarity,
        '{{ behaviour_similarity() }}' as measure,
        '' as scorer_id,
        '' as scorer,
        cast(null as varchar) as release_id,
        true as needs_no_scorer,
        true as needs_every_score,
        false as in_v1,
        true as in_v2,
    union all
    select
        pair_measures.measure as similarity,
        pair_measures.measure,
        scorers.scorer_id,
        scorers.name as scorer,
        scorers.release_id,
        false as needs_no_scorer,
        false as needs_every_score,
        pair_measures.in_v1,
        true as in_v2,
    from pair_measures
    inner join scorers on pair_measures.measure = scorers.measure
    union all
    select
        measure as similarity,
        measure,
        '' as scorer_id,
        '' as scorer,
        cast(null as varchar) as release_id,
        false as needs_no_scorer,
        false as needs_every_score,
        in_v1,
        true as in_v2,
    from pair_measures
),

numbered as (
    select
        cast(
            row_number() over (order by needs_no_scorer, similarity, scorer_id) as integer
        ) as similarity_no,
        similarity,
        measure,
        scorer_id,
        scorer,
        release_id,
        needs_no_scorer,
        needs_every_score,
        in_v1,
        in_v2,
    from similarities
)

select * from numbered
