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

-- by a measure that is fitted on references, only the releases whose problems were asked
asked as (
    select distinct
        generations.lm_id,
        generations.setting_id,
        problems.release_id,
    from {{ ref('stg_generation') }} as generations
    inner join {{ ref('stg_problem') }} as problems
        on generations.problem_id = problems.problem_id
),

scored as (
    select distinct
        pairs.entry_no,
        similarities.similarity_no,
        similarities.measure,
    from pairs
    inner join similarities on pairs.similarity_no = similarities.similarity_no
    inner join entries on pairs.entry_no = entries.entry_no
    left join asked
        on
            entries.lm_id = asked.lm_id
            and entries.setting_id = asked.setting_id
            and similarities.release_id = asked.release_id
    where
        not similarities.needs_no_scorer
        and pairs.n_pairs > 0
        and (similarities.release_id is null or asked.release_id is not null)
),

-- what has no scorer here: tokens and behaviour, which need none, and measures that scored no pair
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
