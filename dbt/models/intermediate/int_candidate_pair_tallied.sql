{% set similarities = ['overlap_ratio', 'clone_70', 'clone_80', 'clone_90'] %}

with samples as (
    select
        entry_no,
        problem_index,
        sample_position,
        candidate_id,
        passed,
    from {{ ref('int_sample_ordered') }}
),

measured as (
    select
        candidate_a,
        candidate_b,
        n_shared,
        n_tokens_a,
        n_tokens_b,
    from {{ ref('stg_pair_similarity') }}
    where measure = 'tokens_v2'
),

-- samples that became the same candidate are counted, not paired one by one
candidates as (
    select
        entry_no,
        problem_index,
        candidate_id,
        count(*) as n_all,
        count(*) filter (passed) as c_all,
        count(*) filter (sample_position <= {{ var('sim_k') }}) as n_first,
        count(*) filter (passed and sample_position <= {{ var('sim_k') }}) as c_first,
    from samples
    group by all
),

pairs_compared as (
    select
        candidate_a,
        candidate_b,
        candidate_a = candidate_b as is_same,
        {{ overlap_ratio('n_shared', 'n_tokens_a', 'n_tokens_b') }} as overlap_ratio,
        {{ is_clone('n_shared', 'n_tokens_a', 'n_tokens_b', '0.7') }} as clone_70,
        {{ is_clone('n_shared', 'n_tokens_a', 'n_tokens_b', '0.8') }} as clone_80,
        {{ is_clone('n_shared', 'n_tokens_a', 'n_tokens_b', '0.9') }} as clone_90,
    from measured
),

pairs_weighted as (
    select
        firsts.entry_no,
        firsts.problem_index,
        {% for similarity in similarities %}
        pairs_compared.{{ similarity }},
        {% endfor %}
        {% for count in ['n_all', 'c_all', 'n_first', 'c_first'] %}
        if(
            pairs_compared.is_same,
            firsts.{{ count }} * (firsts.{{ count }} - 1) // 2,
            firsts.{{ count }} * seconds.{{ count }}
        ) as {{ count }}_pairs,
        {% endfor %}
    from pairs_compared
    inner join candidates as firsts on pairs_compared.candidate_a = firsts.candidate_id
    inner join candidates as seconds
        on
            pairs_compared.candidate_b = seconds.candidate_id
            and firsts.entry_no = seconds.entry_no
            and firsts.problem_index = seconds.problem_index
),

{% for scope, suffix in [('first_k', 'first'), ('all', 'all')] %}
tallied_{{ suffix }} as (
    select
        entry_no,
        problem_index,
        '{{ scope }}' as scope,
        sum(n_{{ suffix }}_pairs) as n_pairs,
        sum(c_{{ suffix }}_pairs) as n_passing_pairs,
        {% for similarity in similarities %}
        sum(n_{{ suffix }}_pairs * {{ similarity }}) as {{ similarity }}_sum,
        sum(c_{{ suffix }}_pairs * {{ similarity }}) as {{ similarity }}_passing_sum,
        {% endfor %}
    from pairs_weighted
    group by all
),

{% endfor %}
tallied as (
    {% for suffix in ['first', 'all'] %}
    {% for similarity in similarities %}
    select
        entry_no,
        problem_index,
        scope,
        '{{ similarity }}' as similarity,
        n_pairs,
        n_passing_pairs,
        {{ similarity }}_sum as similarity_sum,
        {{ similarity }}_passing_sum as similarity_passing_sum,
    from tallied_{{ suffix }}
    {% if not loop.last %}union all{% endif %}
    {% endfor %}
    {% if not loop.last %}union all{% endif %}
    {% endfor %}
)

select * from tallied
