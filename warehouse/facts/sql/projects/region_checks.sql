-- One row per region of a release that was taken out and judged by some tests.
select
    region_check_id,
    verdict,
from raw.region_check
where project_release_id = $project_release_id and tests_key = $tests_key
