-- One row per problem, with its tests.
with tests as (
    select
        problem_id,
        count(*) as n_tests,
        {% if with_texts %}
        list(struct_pack(test_index, suite, kind, body) order by test_index) as tests
        {% else %}
        cast(null as integer[]) as tests
        {% endif %}
    from raw.test
    group by all
)

select
    problems.problem_id,
    problems.release_id,
    problems.dataset,
    problems.task_id,
    problems.entry_point,
    problems.difficulty,
    problems.tags,
    problems.compare,
    problems.atol,
    problems.run_id,
    {% if with_texts %}
    problems.prompt,
    problems.reference,
    problems.suffix,
    problems.setup_code,
    problems.test_code,
    {% endif %}
    tests.tests,
    coalesce(tests.n_tests, 0) as n_tests
from raw.problem as problems
left join tests on problems.problem_id = tests.problem_id
order by problems.dataset, problems.release_id, problems.position, problems.problem_id
