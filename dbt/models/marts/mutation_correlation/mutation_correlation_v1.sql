{#- Fewer observations than this say nothing of a correlation; over fewer problems than this it
    has no interval (decision 7). -#}
{% set least_n = 10 %}
{% set least_problems = 20 %}
{% set edition = 1 %}
{% set keys = ['simulated', 'release_no', 'setting_id', 'mutation_a', 'mutation_b'] %}

with entries as (
    select *
    from {{ ref('int_counterfactual_entry_numbered') }}
),

pairs as (
    select *
    from {{ ref('int_counterfactual_pair_scored') }}
    where edition = {{ edition }}
),

-- the effect on a problem: the mean over its pairs that count by the rule of the paper's Table 2
effects as (
    select
        entry_no,
        mutation,
        problem_index,
        round(
            avg(abs(mutated - original) order by original, mutated) filter (original > 0), 9
        ) as effect,
    from pairs
    group by all
),

-- with or without a problem in common
mutations_met as (
    select distinct
        first.entry_no,
        first.mutation as mutation_a,
        second.mutation as mutation_b,
    from effects as first
    inner join effects as second
        on
            first.entry_no = second.entry_no
            and first.mutation < second.mutation
),

observed as (
    select
        mutations_met.entry_no,
        mutations_met.mutation_a,
        mutations_met.mutation_b,
        effects_b.problem_index,
        effects_a.effect as effect_a,
        effects_b.effect as effect_b,
    from mutations_met
    left join effects as effects_a
        on
            mutations_met.entry_no = effects_a.entry_no
            and mutations_met.mutation_a = effects_a.mutation
            and effects_a.effect is not null
    left join effects as effects_b
        on
            effects_a.entry_no = effects_b.entry_no
            and mutations_met.mutation_b = effects_b.mutation
            and effects_a.problem_index = effects_b.problem_index
            and effects_b.effect is not null
),

pooled as (
    select
        entries.simulated,
        entries.dataset,
        entries.dataset_version,
        entries.release_id,
        entries.release_no,
        entries.setting_id,
        entries.setting,
        observed.mutation_a,
        observed.mutation_b,
        count(observed.effect_b) as n,
        count(distinct entries.lm_id) filter (observed.effect_b is not null) as n_lms,
        count(distinct observed.problem_index) as n_problems,
        {{ pearson(
            'if(observed.effect_b is null, null, observed.effect_a)', 'observed.effect_b'
        ) }} as pearson,
    from observed
    inner join entries on observed.entry_no = entries.entry_no
    group by all
),

-- the language models' effects on one problem are not independent: they are drawn together
values_paired as (
    select
        entries.simulated,
        entries.release_no,
        entries.setting_id,
        observed.mutation_a,
        observed.mutation_b,
        observed.problem_index,
        observed.effect_a as a,
        observed.effect_b as b,
    from observed
    inner join entries on observed.entry_no = entries.entry_no
    where observed.effect_b is not null
),

{{ correlation_interval('values_paired', keys) }},

reasoned as (
    select
        *,
        case
            when n < {{ least_n }} then 'n_lt_min'
            when pearson is null then 'zero_variance'
        end as null_reason,
    from pooled
),

published as (
    select
        reasoned.simulated,
        reasoned.dataset,
        reasoned.dataset_version,
        reasoned.release_id,
        reasoned.setting_id,
        reasoned.setting,
        reasoned.mutation_a,
        reasoned.mutation_b,
        {{ correlation_columns('reasoned.n_problems', least_problems) }}
        reasoned.n,
        reasoned.n_lms,
        reasoned.n_problems,
        'mutation_correlation_v1' as view_version,
    from reasoned
    left join intervals
        on
    {% for key in keys %}
        reasoned.{{ key }} = intervals.{{ key }}{{ ' and' if not loop.last }}
    {% endfor %}
)

select * from published
