{#- More programs than a problem of one entry can have. -#}
{% set most_programs = 16777216 %}

with recursive samples as (
    select *
    from {{ ref('int_sample_ordered') }}
    where passed
),

similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
),

problem_similarities as (
    select
        row_number() over (
            order by
                problem_values.entry_no,
                problem_values.problem_index,
                problem_values.similarity_no,
                problem_values.scope
        ) as place_no,
        problem_values.*,
    from {{ ref('int_problem_similarity') }} as problem_values
    inner join similarities on problem_values.similarity_no = similarities.similarity_no
    where problem_values.version = 2 or not similarities.in_v2
),

-- right programs of a problem; the same text is one
programs as (
    select
        entry_no,
        problem_index,
        candidate_no,
        min(sample_position) as first_position,
        row_number() over (partition by entry_no, problem_index order by candidate_no)
            as program_index,
    from samples
    group by entry_no, problem_index, candidate_no
),

program_counts as (
    select
        entry_no,
        problem_index,
        count(*) as n_all,
        count(*) filter (first_position <= {{ var('sim_k') }}) as n_first,
    from programs
    group by entry_no, problem_index
),

pairs_valued as (
    select
        firsts.entry_no,
        firsts.problem_index,
        valued.similarity_no,
        firsts.program_index as first_index,
        seconds.program_index as second_index,
        valued.value,
        greatest(firsts.first_position, seconds.first_position) <= {{ var('sim_k') }} as is_first,
    from programs as firsts
    inner join {{ ref('int_pair_valued') }} as valued on firsts.candidate_no = valued.candidate_no_a
    inner join programs as seconds
        on
            valued.candidate_no_b = seconds.candidate_no
            and firsts.entry_no = seconds.entry_no
            and firsts.problem_index = seconds.problem_index
    where valued.candidate_no_a != valued.candidate_no_b
),

-- a program at one place, which is a problem, similarity and scope of an entry, has one number
pairs as (
    select
        places.place_no,
        places.place_no * {{ most_programs }} + pairs_valued.first_index as first_no,
        places.place_no * {{ most_programs }} + pairs_valued.second_index as second_no,
        pairs_valued.value,
    from pairs_valued
    inner join problem_similarities as places
        on
            pairs_valued.entry_no = places.entry_no
            and pairs_valued.problem_index = places.problem_index
            and pairs_valued.similarity_no = places.similarity_no
    where
        places.c > 0
        and (places.scope = 'all' or pairs_valued.is_first)
),

alike as (
    select *
    from pairs
    where value >= {{ var('same_solution') }}
),

-- a part is a connected component; its first program has its smallest number. The second program of
-- a pair has the larger number, so it is not the first of its part
programs_later as (
    select
        place_no,
        second_no as program_no,
    from alike
    group by all
),

-- the others can be the first of their part
programs_leading as (
    select
        alike.place_no,
        alike.first_no as program_no,
    from alike
    anti join programs_later on alike.first_no = programs_later.program_no
    group by all
),

-- where only one program leads, all alike programs are of its part: no walk is needed
places_walked as (
    select place_no
    from programs_leading
    group by place_no
    having count(*) > 1
),

alike_walked as (
    select alike.*
    from alike
    semi join places_walked on alike.place_no = places_walked.place_no
),

edges as (
    select
        first_no as from_no,
        second_no as to_no,
    from alike_walked
    union all
    select
        second_no as from_no,
        first_no as to_no,
    from alike_walked
),

-- numbers of leading programs walk along edges to larger ones, the smallest first. So the smallest
-- number of a part reaches all others.
reached (program_no, reaching_no) as (
    select
        leaders.program_no,
        leaders.program_no as reaching_no,
    from programs_leading as leaders
    semi join places_walked on leaders.place_no = places_walked.place_no
    union
    select
        edges.to_no as program_no,
        min(reached.reaching_no) as reaching_no,
    from reached
    inner join edges on reached.program_no = edges.from_no
    where reached.reaching_no < edges.to_no
    group by edges.to_no
),

-- programs that are not the first of their part: they repeat the solution of another
programs_joined as (
    select * from programs_later
    union
    select
        leaders.place_no,
        leaders.program_no,
    from programs_leading as leaders
    inner join reached on leaders.program_no = reached.program_no
    where reached.reaching_no < reached.program_no
),

joined as (
    select
        place_no,
        count(*) as n_programs,
    from programs_joined
    group by place_no
),

compared as (
    select
        place_no,
        count(value) as n_scored,
    from pairs
    group by place_no
),

tallied as (
    select
        problem_similarities.*,
        if(problem_similarities.scope = 'all', program_counts.n_all, program_counts.n_first)
            as n_programs,
        coalesce(joined.n_programs, 0) as n_joined,
        coalesce(compared.n_scored, 0) as n_compared,
    from problem_similarities
    left join program_counts
        on
            problem_similarities.entry_no = program_counts.entry_no
            and problem_similarities.problem_index = program_counts.problem_index
    left join joined on problem_similarities.place_no = joined.place_no
    left join compared on problem_similarities.place_no = compared.place_no
),

-- every two programs must have been compared, and something must have scored pairs of the entry
problem_solutions as (
    select
        entry_no,
        problem_index,
        similarity_no,
        scope,
        null_reason,
        n,
        c,
        case
            when not is_measured then null
            when c = 0 then 0
            when c > 0 and n_compared = n_programs * (n_programs - 1) // 2
                then n_programs - n_joined
        end as n_solutions,
    from tallied
)

select * from problem_solutions
