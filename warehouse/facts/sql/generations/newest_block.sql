-- One row if there is a sample: the newest block of $n samples per problem of a language model,
-- setting and dataset. It says whether the run that last brought some of it ended well.
with stored as (
    select
        generation.sample_index,
        generation.run_id
    from raw.generation as generation
    inner join raw.problem as problem on generation.problem_id = problem.problem_id
    where
        generation.lm_id = $lm_id
        and generation.setting_id = $setting_id
        and problem.dataset = $dataset
),

newest as (
    select max(sample_index) // $n as block
    from stored
    having count(*) > 0
),

last_run as (
    select
        newest.block,
        arg_max(run.run_id, run.started_at) as run_id
    from stored
    inner join newest on stored.sample_index // $n = newest.block
    inner join raw.run as run on stored.run_id = run.run_id
    group by newest.block
)

select
    last_run.block,
    coalesce(run_finish.status = 'ok', false) as is_complete
from last_run
left join raw.run_finish as run_finish on last_run.run_id = run_finish.run_id
