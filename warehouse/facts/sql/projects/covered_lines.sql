-- One row per path and line that ran, with the usable tests that ran it in the order of collection.
select
    path,
    line,
    coalesce(
        list(test order by test_index, test) filter (test is not null), []
    ) as tests,
from facts.line_covered
where project_release_id = $project_release_id
group by path, line
order by path, line
