with recursive samples as ( -- noqa: PRS
    select *
    from {{ ref('int_sample_ordered') }}
    where passed
),

similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
),

problem_similarities as (
    select problem_values.*
    from {{ ref('int_problem_similarity') }} as problem_values
    inner join similarities on problem_values.similarity_no = similarities.similarity_no
    where problem_values.version = 2 or not similarities.in_v2
),

-- right programs of a problem; the same text is one
programs as (
    select
        entry_no,
        problem_index,
        candidate_id,
        min(sample_position) as first_position,
    from samples
    group by all
),

vertices as (
    select
        row_number() over (
            order by
                problem_similarities.entry_no,
                problem_similarities.problem_index,
                problem_similarities.similarity_no,
                problem_similarities.scope,
                programs.candidate_id
        ) as vertex_no,
        problem_similarities.entry_no,
        problem_similarities.problem_index,
        problem_similarities.similarity_no,
        problem_similarities.scope,
        programs.candidate_id,
    from problem_similarities
    inner join programs
        on
            problem_similarities.entry_no = programs.entry_no
            and problem_similarities.problem_index = programs.problem_index
    where
        problem_similarities.c > 0
        and (
            problem_similarities.scope = 'all'
            or programs.first_position <= {{ var('sim_k') }}
        )
),

pairs as (
    select
        firsts.vertex_no as first_no,
        seconds.vertex_no as second_no,
        valued.value,
    from vertices as firsts
    inner join {{ ref('int_pair_valued') }} as valued
        on
            firsts.candidate_id = valued.candidate_a
            and firsts.similarity_no = valued.similarity_no
    inner join vertices as seconds
        on
            valued.candidate_b = seconds.candidate_id
            and firsts.entry_no = seconds.entry_no
            and firsts.problem_index = seconds.problem_index
            and firsts.similarity_no = seconds.similarity_no
            and firsts.scope = seconds.scope
    where firsts.vertex_no != seconds.vertex_no
),

alike as (
    select *
    from pairs
    where value >= {{ var('same_solution') }}
),

edges as (
    select
        first_no as from_no,
        second_no as to_no,
    from alike
    union all
    select
        second_no as from_no,
        first_no as to_no,
    from alike
),

-- connected parts of the graph: numbers of programs walk along edges, the smallest that reach one
-- at a time; a smaller number than its own may reach a program several times
reached (vertex_no, reaching_no) as (
    select
        vertex_no,
        vertex_no as reaching_no,
    from vertices
    union
    select
        edges.to_no as vertex_no,
        min(reached.reaching_no) as reaching_no,
    from reached
    inner join edges on reached.vertex_no = edges.from_no
    where reached.reaching_no < edges.to_no
    group by edges.to_no
),

labelled as (
    select
        vertex_no,
        min(reaching_no) as solution_no,
    from reached
    group by vertex_no
),

tallied as (
    select
        vertices.entry_no,
        vertices.problem_index,
        vertices.similarity_no,
        vertices.scope,
        count(*) as n_programs,
        count(distinct labelled.solution_no) as n_solutions,
    from vertices
    inner join labelled on vertices.vertex_no = labelled.vertex_no
    group by all
),

compared as (
    select
        vertices.entry_no,
        vertices.problem_index,
        vertices.similarity_no,
        vertices.scope,
        count(*) filter (pairs.value is not null) as n_scored,
    from pairs
    inner join vertices on pairs.first_no = vertices.vertex_no
    group by all
),

-- every two programs must have been compared
problem_solutions as (
    select
        problem_similarities.entry_no,
        problem_similarities.problem_index,
        problem_similarities.similarity_no,
        problem_similarities.scope,
        problem_similarities.null_reason,
        problem_similarities.n,
        problem_similarities.c,
        case
            when problem_similarities.c = 0 then 0
            when
                coalesce(compared.n_scored, 0)
                = tallied.n_programs * (tallied.n_programs - 1) // 2
                then tallied.n_solutions
        end as n_solutions,
    from problem_similarities
    left join tallied
        on
            problem_similarities.entry_no = tallied.entry_no
            and problem_similarities.problem_index = tallied.problem_index
            and problem_similarities.similarity_no = tallied.similarity_no
            and problem_similarities.scope = tallied.scope
    left join compared
        on
            problem_similarities.entry_no = compared.entry_no
            and problem_similarities.problem_index = compared.problem_index
            and problem_similarities.similarity_no = compared.similarity_no
            and problem_similarities.scope = compared.scope
)

select * from problem_solutions
