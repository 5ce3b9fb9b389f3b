with samples as (
    select *
    from {{ ref('int_sample_ordered') }}
),

pairs as (
    select *
    from {{ ref('int_pair_valued') }}
),

similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
    where in_v2
),

-- samples that became the same candidate are counted, not paired one by one
candidates as (
    select
        entry_no,
        problem_index,
        candidate_no,
        count(*) as n_all,
        count(*) filter (passed) as c_all,
        count(*) filter (sample_position <= {{ var('sim_k') }}) as n_first,
        count(*) filter (passed and sample_position <= {{ var('sim_k') }}) as c_first,
    from samples
    group by all
),

-- a negative cosine counts as 0
pairs_weighted as (
    select
        firsts.entry_no,
        firsts.problem_index,
        pairs.similarity_no,
        if(pairs.value < 0, 0, pairs.value) as value,
        {% for counted in ['n_all', 'c_all', 'n_first', 'c_first'] %}
        {{ pairs_between(
            'pairs.candidate_no_a = pairs.candidate_no_b', 'firsts.' ~ counted, 'seconds.' ~ counted
        ) }} as {{ counted }},
        {% endfor %}
    from pairs
    semi join similarities on pairs.similarity_no = similarities.similarity_no
    inner join candidates as firsts on pairs.candidate_no_a = firsts.candidate_no
    inner join candidates as seconds
        on
            pairs.candidate_no_b = seconds.candidate_no
            and firsts.entry_no = seconds.entry_no
            and firsts.problem_index = seconds.problem_index
),

tallied_wide as (
    select
        entry_no,
        problem_index,
        similarity_no,
        {% for counted in ['n_all', 'c_all', 'n_first', 'c_first'] %}
        sum({{ counted }}) as {{ counted }}_pairs,
        sum({{ counted }}) filter (value is null) as {{ counted }}_unscored,
        sum({{ counted }} * value) as {{ counted }}_sum,
        sum({{ counted }} * {{ square('value') }}) as {{ counted }}_squares,
        {% endfor %}
    from pairs_weighted
    group by entry_no, problem_index, similarity_no
),

tallied as (
    {% for scope, suffix in [('first_k', 'first'), ('all', 'all')] %}
    {{ 'union all' if not loop.first }}
    select
        entry_no,
        problem_index,
        similarity_no,
        '{{ scope }}' as scope,
        n_{{ suffix }}_pairs as n_pairs,
        coalesce(n_{{ suffix }}_unscored, 0) as n_unscored,
        cast(n_{{ suffix }}_sum as double) as similarity_sum,
        c_{{ suffix }}_pairs as n_passing_pairs,
        coalesce(c_{{ suffix }}_unscored, 0) as n_passing_unscored,
        cast(c_{{ suffix }}_sum as double) as similarity_passing_sum,
        cast(n_{{ suffix }}_squares as double) as similarity_squares,
    from tallied_wide
    {% endfor %}
)

select * from tallied
