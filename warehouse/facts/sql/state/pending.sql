-- One row: what `assay execute` would do under the rules.
with unplanned as (
    select
        generation_id,
        problem_id,
        admission_id
    from
        facts.generations_unplanned(
            getvariable('policy'),
            getvariable('judge_version'),
            getvariable('project_judge_version')
        )
    where judged_as is null and task in (select unnest(getvariable('tasks_run')))
),

unexecuted as (
    select count(*) as n_unexecuted
    from facts.programs_due(
        getvariable('policy'), getvariable('judge_version'), getvariable('project_judge_version')
    )
),

tallied as (
    select
        count(distinct generation_id) as n_unplanned,
        count(distinct problem_id) filter (where admission_id is null) as n_unadmitted
    from unplanned
)

select
    tallied.n_unplanned,
    unexecuted.n_unexecuted,
    tallied.n_unadmitted
from tallied
cross join unexecuted
