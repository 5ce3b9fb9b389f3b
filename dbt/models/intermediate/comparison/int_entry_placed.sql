{% set board = ['release_no', 'simulated', 'task', 'prompt_kind', 'temperature'] %}

with entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

settings as (
    select *
    from {{ ref('stg_setting') }}
),

tallies as (
    select *
    from {{ ref('int_problem_tallied') }}
    where set_aside is null
),

usable as (
    select
        release_no,
        count(*) as n_usable,
    from {{ ref('int_problem_numbered') }}
    where set_aside is null
    group by release_no
),

counted as (
    select
        entries.entry_no,
        count(*) filter (tallies.n_scored > 0) as n_used,
        cast(sum(tallies.n_scored) as bigint) as n_samples_scored,
        {% for spent in ['tokens', 'prompt_tokens', 'cost'] %}
        case
            when sum(tallies.n_{{ spent }}_known) = sum(tallies.n_scored)
                then avg(
                    tallies.{{ spent }} / nullif(tallies.n_scored, 0)
                    order by tallies.problem_index
                )
        end as {{ spent }}_per_answer,
        {% endfor %}
    from entries
    inner join tallies
        on
            entries.lm_no = tallies.lm_no
            and entries.setting_no = tallies.setting_no
            and entries.release_no = tallies.release_no
    group by entries.entry_no
),

described as (
    select
        entries.entry_no,
        entries.release_no,
        entries.simulated,
        settings.task,
        settings.prompt_kind,
        settings.temperature,
        entries.resampled,
        coalesce(usable.n_usable, 0) as n_usable,
        coalesce(counted.n_used, 0) as n_used,
        coalesce(counted.n_used / usable.n_usable, 0) as coverage,
        coalesce(counted.n_samples_scored, 0) as n_samples_scored,
        counted.tokens_per_answer,
        counted.prompt_tokens_per_answer,
        counted.cost_per_answer,
    from entries
    inner join settings on entries.setting_id = settings.setting_id
    left join counted on entries.entry_no = counted.entry_no
    left join usable on entries.release_no = usable.release_no
),

placed as (
    select
        dense_rank() over (order by {{ board | join(', ') }}) as board_no,
        * exclude (simulated),
        case
            when resampled then 'not_applicable'
            when n_used = 0 then 'no_value'
            when coverage < {{ var('least_coverage') }} then 'coverage_lt_min'
            when n_used < {{ var('least_clusters') }} then 'problems_lt_min'
        end as unranked_reason,
    from described
)

select * from placed
