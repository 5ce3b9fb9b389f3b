-- One row per prompt of the newest release of a dataset, in its order; a problem's own comes first.
select
    problem.task_id,
    variant.variant_id,
    problem.problem_id,
    variant.kind,
    variant.prompt
from facts.release_newest as newest
inner join raw.problem as problem on newest.release_id = problem.release_id
inner join raw.variant as variant on problem.problem_id = variant.problem_id
where newest.dataset = $dataset
order by problem.position, variant.kind <> 'original', variant.variant_id
