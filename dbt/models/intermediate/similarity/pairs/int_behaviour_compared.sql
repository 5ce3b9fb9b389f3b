with pairs_distinct as (
    select distinct
        candidate_no_a,
        candidate_no_b,
    from {{ ref('int_pair_counted') }}
),

-- one number for each pair: two take longer to sort and to join
pairs as materialized (
    select
        row_number() over () as pair_no,
        candidate_no_a,
        candidate_no_b,
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
    select
        run_id,
        dense_rank() over (order by host) as host_no,
    from {{ ref('stg_run') }}
),

settled as (
    select *
    from {{ ref('int_program_judged') }}
    where null_reason is null
),

-- one digit per test, for wrong programs whose tests all have a status
tests_written as (
    select
        wrong.program_id,
        string_agg(if(tests.status = 'not_run', '0', '1'), '' order by tests.test_index) as run,
        string_agg(
            if(tests.status in ('passed', 'not_run'), '0', '1'), '' order by tests.test_index
        ) as failed,
    from {{ ref('int_program_judged') }} as wrong
    inner join {{ ref('stg_test_outcome') }} as tests
        on
            wrong.program_id = tests.program_id
            and wrong.attempt = tests.attempt
    where wrong.verdict != 'passed'
    group by wrong.program_id, wrong.n_tests
    having
        count(*) = wrong.n_tests
        and max(tests.test_index) = wrong.n_tests - 1
),

-- a program that ended before its first test fails all tests; of other programs, the tests that
-- were not reached are unknown. Each list of tests keeps its number, so they are numbered once
tests_read as materialized (
    select
        row_number() over () as tests_no,
        program_id,
        cast(if(contains(run, '1'), run, replace(run, '0', '1')) as bit) as run,
        cast(if(contains(run, '1'), failed, replace(run, '0', '1')) as bit) as failed,
    from tests_written
),

programs_judged as (
    select
        {{ number_of('programs.candidate_id') }} as candidate_no,
        admissions.admission_no,
        settled.verdict = 'passed' as passed,
        settled.cpu_s,
        runs.host_no,
        tests_read.tests_no,
    from programs
    inner join admissions on programs.admission_id = admissions.admission_id
    inner join settled on programs.program_id = settled.program_id
    inner join runs on settled.run_id = runs.run_id
    left join tests_read on programs.program_id = tests_read.program_id
),

-- a row for each admission that both have: the same tests and limits
pairs_admitted as (
    select
        pairs.pair_no,
        firsts.admission_no,
        firsts.passed as passed_a,
        seconds.passed as passed_b,
        least(firsts.cpu_s, seconds.cpu_s) / greatest(firsts.cpu_s, seconds.cpu_s) as cpu_ratio,
        case
            when firsts.cpu_s is null or seconds.cpu_s is null then 'no_cpu_time'
            when firsts.host_no != seconds.host_no then 'other_machine'
            when greatest(firsts.cpu_s, seconds.cpu_s) < {{ var('behaviour_least_cpu_s') }}
                then 'below_resolution'
        end as cpu_null_reason,
        tests_a.tests_no is not null and tests_b.tests_no is not null as has_tests,
        -- the tests that both fail, and of the tests that both ran those that either fails
        bit_count(tests_a.failed & tests_b.failed) as n_both,
        bit_count((tests_a.failed | tests_b.failed) & tests_a.run & tests_b.run) as n_either,
    from pairs
    inner join programs_judged as firsts on pairs.candidate_no_a = firsts.candidate_no
    inner join programs_judged as seconds
        on
            pairs.candidate_no_b = seconds.candidate_no
            and firsts.admission_no = seconds.admission_no
    left join tests_read as tests_a on firsts.tests_no = tests_a.tests_no
    left join tests_read as tests_b on seconds.tests_no = tests_b.tests_no
),

pairs_reasoned as (
    select
        *,
        case
            when passed_a != passed_b then null
            when passed_a then cpu_null_reason
            when not has_tests then 'no_test_outcomes'
            when n_either = 0 then 'no_failing_test'
        end as null_reason,
    from pairs_admitted
),

compared as (
    select
        pair_no,
        admission_no,
        {{ as_enum('null_reason', behaviour_null_reasons()) }} as null_reason,
        case
            when passed_a != passed_b then 0
            when passed_a and cpu_null_reason is null then cpu_ratio
            -- Jaccard's index (Jaccard 1912, New Phytologist 11)
            when not passed_a then n_both / nullif(n_either, 0)
        end as value,
    from pairs_reasoned
),

-- few pairs were judged under several admissions: only these are sorted, and the first counts
pairs_repeated as (
    select pair_no
    from compared
    group by pair_no
    having count(*) > 1
),

compared_once as (
    select compared.*
    from compared
    anti join pairs_repeated on compared.pair_no = pairs_repeated.pair_no
    union all
    select compared.*
    from compared
    semi join pairs_repeated on compared.pair_no = pairs_repeated.pair_no
    qualify row_number() over (
        partition by compared.pair_no
        order by compared.admission_no
    ) = 1
),

behaviours as (
    select
        pairs.candidate_no_a,
        pairs.candidate_no_b,
        compared_once.value,
        if(
            compared_once.pair_no is null,
            {{ as_enum("'not_judged'", behaviour_null_reasons()) }},
            compared_once.null_reason
        ) as null_reason,
    from pairs
    left join compared_once on pairs.pair_no = compared_once.pair_no
)

select * from behaviours
