with pairs as (
    select *
    from {{ ref('stg_mutation_pair') }}
),

mutants as (
    select *
    from {{ ref('stg_mutant') }}
),

-- what newer rules have searched again counts as they found it
scans_newest as (
    select scan_id from {{ ref('int_mutation_scan_newest') }}
),

sites as (
    select *
    from {{ ref('stg_mutation_site') }}
    where scan_id in (select scans_newest.scan_id from scans_newest)
),

candidates as (
    select original_candidate_id as candidate_id from mutants
    union
    select candidate_id from mutants
),

programs as (
    select programs.*
    from {{ ref('stg_program') }} as programs
    semi join candidates on programs.candidate_id = candidates.candidate_id
),

programs_judged as (
    select *
    from {{ ref('int_program_judged') }}
    where is_calibrated
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

-- of several judgements of one text on one problem a pass stands for all, as it does when pairs
-- are chosen to be asked
candidates_judged as (
    select
        programs.problem_id,
        programs.candidate_id,
        programs_judged.null_reason,
        programs_judged.verdict,
    from programs
    inner join programs_judged on programs.program_id = programs_judged.program_id
    qualify row_number() over (
        partition by programs.problem_id, programs.candidate_id
        order by
            coalesce(programs_judged.verdict = 'passed', false) desc,
            programs_judged.null_reason is null desc,
            programs.program_id desc
    ) = 1
),

pairs_run as (
    select
        pairs.pair_id,
        pairs.edition,
        pairs.original_variant_id,
        pairs.mutated_variant_id,
        pairs.decline_code,
        problems.problem_no,
        problems.release_no,
        mutants.mutation,
        mutants.mutation_version,
        sites.site_index,
        sites.operators,
        originals.verdict as original_verdict,
        mutated.verdict as mutant_verdict,
        if(originals.verdict is null, coalesce(originals.null_reason, 'not_executed'), null)
            as original_null_reason,
        if(mutated.verdict is null, coalesce(mutated.null_reason, 'not_executed'), null)
            as mutant_null_reason,
    from pairs
    inner join mutants on pairs.mutant_id = mutants.mutant_id
    inner join sites on mutants.site_id = sites.site_id
    inner join problems on pairs.problem_id = problems.problem_id
    left join candidates_judged as originals
        on
            pairs.problem_id = originals.problem_id
            and mutants.original_candidate_id = originals.candidate_id
    left join candidates_judged as mutated
        on
            pairs.problem_id = mutated.problem_id
            and mutants.candidate_id = mutated.candidate_id
),

judged as (
    select
        pair_id,
        cast(problem_no as integer) as problem_no,
        cast(release_no as integer) as release_no,
        edition,
        mutation,
        mutation_version,
        site_index,
        operators,
        original_variant_id,
        mutated_variant_id,
        decline_code,
        original_verdict,
        mutant_verdict,
        case
            when original_null_reason is not null then original_null_reason
            when original_verdict <> 'passed' then 'reference_fails'
            when mutant_null_reason is not null then mutant_null_reason
            when mutant_verdict <> 'passed' then 'mutant_fails'
            when decline_code is not null then 'no_cut'
            else 'valid'
        end as validity,
    from pairs_run
)

select * from judged
