with entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
),

pairs as (
    select *
    from {{ ref('int_candidate_pair_tallied') }}
),

scored as (
    select distinct
        pairs.entry_no,
        similarities.similarity_no,
        similarities.measure,
    from pairs
    inner join similarities on pairs.similarity_no = similarities.similarity_no
    where not similarities.is_token and pairs.n_pairs > 0
),

-- what has no scorer here: tokens, which need none, and measures that scored no pair
without_scorer as (
    select
        entries.entry_no,
        similarities.similarity_no,
    from entries
    cross join similarities
    anti join scored
        on
            entries.entry_no = scored.entry_no
            and similarities.measure = scored.measure
    where similarities.scorer_id = ''
),

shown as (
    select
        entry_no,
        similarity_no,
    from scored
    union all
    select
        entry_no,
        similarity_no,
    from without_scorer
)

select * from shown
