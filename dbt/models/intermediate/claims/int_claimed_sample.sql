with claims as (
    select *
    from {{ ref('stg_claim') }}
    where task_id is not null
),

sources as (
    select *
    from {{ ref('stg_claim_source') }}
),

entries as (
    select *
    from {{ ref('int_claimed_entry') }}
),

matched as (
    select *
    from {{ ref('int_claim_matched') }}
    where generation_id is not null
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

-- a sample answers its task in every release; which one names it does not change its confidence
matches as (
    select matched.*
    from matched
    inner join problems on matched.problem_no = problems.problem_no
    qualify row_number() over (
        partition by matched.claim_id
        order by problems.release_no desc
    ) = 1
),

-- the tasks of a dataset have the same places in all entries, whether the dataset is here or not
placed as (
    select
        claims.*,
        dense_rank() over (
            partition by sources.dataset
            order by claims.task_id
        ) as problem_index,
    from claims
    inner join sources on claims.claim_source_id = sources.claim_source_id
),

sampled as (
    select
        entries.entry_no,
        placed.claim_id,
        placed.problem_index,
        placed.passed,
        placed.confidence,
        matches.generation_id,
        matches.setting_no,
    from placed
    inner join entries
        on
            placed.claim_source_id = entries.claim_source_id
            and placed.metric = entries.metric
    left join matches on placed.claim_id = matches.claim_id
)

select * from sampled
