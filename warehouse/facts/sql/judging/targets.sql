-- One row per problem by which generations are judged. Those of real projects, whose suites are the
-- tests, are left out, and those of which only texts are compared.
select distinct target.problem_id
from facts.generation_target as target
inner join raw.problem as problem on target.problem_id = problem.problem_id
where
    target.judged_as is not distinct from $judged_as
    and ($dataset is null or target.dataset = $dataset)
    and target.task in (select unnest(cast($tasks as varchar[])))
    and problem.compare not in ('project', 'text')
