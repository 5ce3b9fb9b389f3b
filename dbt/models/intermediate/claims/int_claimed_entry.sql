with claims as (
    select *
    from {{ ref('stg_claim') }}
    where task_id is not null
),

sources as (
    select *
    from {{ ref('stg_claim_source') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

with_verdicts as (
    select distinct
        claim_source_id,
        metric,
    from claims
    where passed is not null
),

tasks as (
    select
        sources.dataset,
        count(distinct claims.task_id) as n_dataset,
    from claims
    inner join sources on claims.claim_source_id = sources.claim_source_id
    group by sources.dataset
),

numbered as (
    select
        cast(
            row_number() over (order by sources.claim_source_id, with_verdicts.metric) as integer
        ) as entry_no,
        {% for column in claim_source_columns() %}
        {{ 'language_models' if column == 'simulated' else 'sources' }}.{{ column }},
        {% endfor %}
        with_verdicts.metric,
        tasks.n_dataset,
    from with_verdicts
    inner join sources on with_verdicts.claim_source_id = sources.claim_source_id
    inner join tasks on sources.dataset = tasks.dataset
    left join language_models on sources.lm_id = language_models.lm_id
)

select * from numbered
