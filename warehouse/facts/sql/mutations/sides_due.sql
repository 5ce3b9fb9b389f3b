-- One row per program of a pair to be asked: both programs passed, and the newest search found it.
-- A pair's place in the draw depends on the seed and the pair alone.
with newest as (
    select release_id
    from facts.release_newest
    where dataset = $dataset
),

passed as (
    select distinct
        program.problem_id,
        program.candidate_id
    from raw.program as program
    inner join facts.program_settled as settled on program.program_id = settled.program_id
    where settled.verdict = 'passed'
),

newest_sites as (
    select site.site_id
    from raw.mutation_site as site
    semi join facts.mutation_scan_newest as scan on site.scan_id = scan.scan_id
),

valid as (
    select
        pair.problem_id,
        pair.edition,
        pair.original_variant_id,
        pair.mutated_variant_id,
        mutant.mutation,
        mutant.original_candidate_id,
        mutant.candidate_id,
        row_number() over (
            partition by mutant.mutation, pair.edition
            order by md5($seed || ':' || pair.pair_id)
        ) as place
    from raw.mutation_pair as pair
    inner join raw.mutant as mutant on pair.mutant_id = mutant.mutant_id
    inner join raw.problem as problem on pair.problem_id = problem.problem_id
    semi join newest on problem.release_id = newest.release_id
    semi join newest_sites on mutant.site_id = newest_sites.site_id
    semi join passed as original
        on
            mutant.original_candidate_id = original.candidate_id
            and pair.problem_id = original.problem_id
    semi join passed as mutated
        on
            mutant.candidate_id = mutated.candidate_id
            and pair.problem_id = mutated.problem_id
    where
        pair.decline_code is null
        and ($mutations = [] or list_contains($mutations, mutant.mutation))
        and list_contains($editions, pair.edition)
),

sides as (
    select
        problem_id,
        original_variant_id as variant_id,
        original_candidate_id as candidate_id
    from valid
    where place <= $most
    union distinct
    select
        problem_id,
        mutated_variant_id as variant_id,
        candidate_id
    from valid
    where place <= $most
)

select
    sides.problem_id,
    problem.task_id,
    problem.entry_point,
    problem.suffix,
    sides.variant_id,
    variant.kind,
    variant.prompt,
    candidate.source
from sides
inner join raw.problem as problem on sides.problem_id = problem.problem_id
inner join raw.variant as variant on sides.variant_id = variant.variant_id
inner join raw.candidate as candidate on sides.candidate_id = candidate.candidate_id
order by problem.position, variant.kind, sides.variant_id, candidate.source
