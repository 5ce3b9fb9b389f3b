with pairs as (
    select *
    from {{ ref('int_adjacent_pair') }}
),

similarities as (
    select similarity_no
    from {{ ref('int_similarity_numbered') }}
    where in_v1
),

pairs_valued as (
    select *
    from {{ ref('int_pair_valued') }}
),

scopes as (
    select
        'first_k' as scope,
        {{ var('sim_k') }} as last_position
    union all
    select
        'all' as scope,
        2147483647 as last_position
),

pairs_measured as (
    select
        pairs.entry_no,
        pairs.problem_index,
        pairs.is_passing,
        pairs.pair_position,
        similarities.similarity_no,
        pairs_valued.value,
    from pairs
    inner join pairs_valued
        on {{ same_pair('pairs', 'pairs_valued') }}
    inner join similarities on pairs_valued.similarity_no = similarities.similarity_no
),

tallied as (
    select
        pairs_measured.entry_no,
        pairs_measured.problem_index,
        scopes.scope,
        pairs_measured.similarity_no,
        {% for group, condition in [('', 'not '), ('passing_', '')] %}
        count(*) filter ({{ condition }}pairs_measured.is_passing) as n_{{ group }}pairs,
        count(*) filter (
            {{ condition }}pairs_measured.is_passing and pairs_measured.value is null
        ) as n_{{ group }}unscored,
        cast(
            sum(pairs_measured.value) filter ({{ condition }}pairs_measured.is_passing) as double
        ) as similarity_{{ group }}sum,
        {% endfor %}
        cast(
            sum({{ square('pairs_measured.value') }}) filter (not pairs_measured.is_passing)
            as double
        ) as similarity_squares,
    from pairs_measured
    inner join scopes on pairs_measured.pair_position <= scopes.last_position
    group by all
)

select * from tallied
