-- One row per place that the newest searches found in a reference, or mutant of a pair.
with yields as (
    select *
    from mutation_yield_v1
    where
        release_id = $release_id
        and edition = $edition
        and mutation = $mutation
),

scans as (
    select scans.*
    from raw.mutation_scan as scans
    inner join raw.problem as problems on scans.problem_id = problems.problem_id
    inner join yields
        on
            problems.release_id = yields.release_id
            and scans.mutation = yields.mutation
            and scans.mutation_version = yields.mutation_version
    qualify scans.rules = max(scans.rules) over (partition by scans.problem_id)
),

places as (
    select
        'places' as role,
        'place' as kind,
        sites.site_id as id,
        sites.problem_id,
        cast(null as varchar) as candidate_id,
        if(sites.decline_code is null, 'applies', null) as verdict,
        sites.decline_code as null_reason,
        sites.run_id
    from raw.mutation_site as sites
    inner join scans on sites.scan_id = scans.scan_id
),

last_attempts as (
    select
        programs.candidate_id,
        programs.problem_id,
        arg_max(outcomes.verdict, (runs.started_at, outcomes.attempt)) as verdict
    from raw.outcome as outcomes
    inner join raw.program as programs on outcomes.program_id = programs.program_id
    inner join raw.run as runs on outcomes.run_id = runs.run_id
    group by programs.candidate_id, programs.problem_id
),

mutants as (
    select
        'mutants' as role,
        'mutant' as kind,
        mutants.mutant_id as id,
        mutants.problem_id,
        mutants.candidate_id,
        last_attempts.verdict,
        mutation_pairs.decline_code as null_reason,
        mutants.run_id
    from raw.mutation_pair as mutation_pairs
    inner join raw.mutant as mutants on mutation_pairs.mutant_id = mutants.mutant_id
    inner join raw.mutation_site as sites on mutants.site_id = sites.site_id
    inner join scans on sites.scan_id = scans.scan_id
    inner join yields on mutation_pairs.edition = yields.edition
    left join last_attempts
        on
            mutants.candidate_id = last_attempts.candidate_id
            and mutants.problem_id = last_attempts.problem_id
)

select * from places
union all by name
select * from mutants
