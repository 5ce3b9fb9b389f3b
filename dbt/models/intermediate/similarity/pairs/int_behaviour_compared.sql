with pairs_distinct as (
    select distinct
        candidate_a,
        candidate_b,
    from {{ source('facts', 'pair_counted') }}
),

-- one number sorts and joins in a third of the time that two names take
pairs as materialized (
    select
        row_number() over () as pair_no,
        candidate_a,
        candidate_b,
    from pairs_distinct
),

programs as (
    select *
    from {{ ref('stg_program') }}
),

admissions as (
    select *
    from {{ source('facts', 'admission_ordered') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

settled as (
    select *
    from {{ ref('int_program_judged') }}
    where null_reason is null
),

programs_judged as (
    select
        programs.program_id,
        programs.candidate_id,
        admissions.admission_no,
        settled.attempt,
        settled.verdict = 'passed' as passed,
        settled.n_tests,
        settled.cpu_s,
        runs.host,
    from programs
    inner join admissions on programs.admission_id = admissions.admission_id
    inner join settled on programs.program_id = settled.program_id
    inner join runs on settled.run_id = runs.run_id
),

-- one digit per test, for wrong programs whose tests all have a status
tests_written as (
    select
        programs_judged.program_id,
        string_agg(if(tests.status = 'not_run', '0', '1'), '' order by tests.test_index) as run,
        string_agg(
            if(tests.status in ('passed', 'not_run'), '0', '1'), '' order by tests.test_index
        ) as failed,
    from programs_judged
    inner join {{ ref('stg_test_outcome') }} as tests
        on
            programs_judged.program_id = tests.program_id
            and programs_judged.attempt = tests.attempt
    where not programs_judged.passed
    group by programs_judged.program_id, programs_judged.n_tests
    having
        count(*) = programs_judged.n_tests
        and max(tests.test_index) = programs_judged.n_tests - 1
),

-- a program that ended before its first test fails all tests; of other programs, the tests that
-- were not reached are unknown
tests_read as (
    select
        program_id,
        cast(if(contains(run, '1'), run, replace(run, '0', '1')) as bit) as run,
        cast(if(contains(run, '1'), failed, replace(run, '0', '1')) as bit) as failed,
    from tests_written
),

-- both programs under the same tests and limits
pairs_placed as (
    select
        pairs.pair_no,
        firsts.admission_no,
        firsts.program_id as program_a,
        seconds.program_id as program_b,
        firsts.passed as passed_a,
        seconds.passed as passed_b,
        firsts.host = seconds.host as on_one_machine,
        least(firsts.cpu_s, seconds.cpu_s) as least_cpu_s,
        greatest(firsts.cpu_s, seconds.cpu_s) as most_cpu_s,
        firsts.cpu_s is not null and seconds.cpu_s is not null as has_cpu,
    from pairs
    inner join programs_judged as firsts on pairs.candidate_a = firsts.candidate_id
    inner join programs_judged as seconds
        on
            pairs.candidate_b = seconds.candidate_id
            and firsts.admission_no = seconds.admission_no
),

-- few pairs were judged under several admissions: only these are sorted
pairs_repeated as (
    select pair_no
    from pairs_placed
    group by pair_no
    having count(*) > 1
),

pairs_judged as (
    select pairs_placed.*
    from pairs_placed
    anti join pairs_repeated on pairs_placed.pair_no = pairs_repeated.pair_no
    union all
    select pairs_placed.*
    from pairs_placed
    semi join pairs_repeated on pairs_placed.pair_no = pairs_repeated.pair_no
    qualify row_number() over (
        partition by pairs_placed.pair_no
        order by pairs_placed.admission_no
    ) = 1
),

right_compared as (
    select
        pair_no,
        least_cpu_s / most_cpu_s as cpu_ratio,
        case
            when not has_cpu then 'no_cpu_time'
            when not on_one_machine then 'other_machine'
            when most_cpu_s < {{ var('behaviour_least_cpu_s') }} then 'below_resolution'
        end as null_reason,
    from pairs_judged
    where passed_a and passed_b
),

-- the tests that both fail, and of the tests that both ran those that either fails
wrong_counted as (
    select
        pairs_judged.pair_no,
        firsts.program_id is not null and seconds.program_id is not null as has_tests,
        bit_count(firsts.failed & seconds.failed) as n_both,
        bit_count((firsts.failed | seconds.failed) & firsts.run & seconds.run) as n_either,
    from pairs_judged
    left join tests_read as firsts on pairs_judged.program_a = firsts.program_id
    left join tests_read as seconds on pairs_judged.program_b = seconds.program_id
    where not pairs_judged.passed_a and not pairs_judged.passed_b
),

compared as (
    select
        pair_no,
        if(null_reason is null, cpu_ratio, null) as value,
        null_reason,
    from right_compared
    union all
    -- Jaccard's index (Jaccard 1912, New Phytologist 11)
    select
        pair_no,
        n_both / nullif(n_either, 0) as value,
        case
            when not has_tests then 'no_test_outcomes'
            when n_either = 0 then 'no_failing_test'
        end as null_reason,
    from wrong_counted
    union all
    select
        pair_no,
        0 as value,
        null as null_reason,
    from pairs_judged
    where passed_a != passed_b
),

behaviours as (
    select
        pairs.candidate_a,
        pairs.candidate_b,
        compared.value,
        if(compared.pair_no is null, 'not_judged', compared.null_reason) as null_reason,
    from pairs
    left join compared on pairs.pair_no = compared.pair_no
)

select * from behaviours
