{#- Fewer problems than this say nothing of a correlation. -#}
{% set least_n = 10 %}
{% set edition = 1 %}

with entries as (
    select
        entry_no,
        lm_id,
        simulated,
        dataset,
        dataset_version,
        release_id,
        setting_id,
        setting,
    from {{ ref('int_counterfactual_entry_numbered') }}
),

pairs as (
    select
        entry_no,
        mutation,
        problem_index,
        original,
        mutated,
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
        entries.setting_id,
        entries.setting,
        observed.mutation_a,
        observed.mutation_b,
        count(observed.effect_b) as n,
        count(distinct entries.lm_id) filter (observed.effect_b is not null) as n_lms,
        {{ pearson(
            'if(observed.effect_b is null, null, observed.effect_a)', 'observed.effect_b'
        ) }} as pearson,
    from observed
    inner join entries on observed.entry_no = entries.entry_no
    group by all
),

reasoned as (
    select
        simulated,
        dataset,
        dataset_version,
        release_id,
        setting_id,
        setting,
        mutation_a,
        mutation_b,
        n,
        n_lms,
        pearson,
        case
            when n < {{ least_n }} then 'n_lt_min'
            when pearson is null then 'zero_variance'
        end as null_reason,
    from pooled
),

published as (
    select
        simulated,
        dataset,
        dataset_version,
        release_id,
        setting_id,
        setting,
        mutation_a,
        mutation_b,
        if(null_reason is null, pearson, null) as pearson,
        if(null_reason is null, {{ fisher_bound('pearson', 'n', '-') }}, null) as pearson_lo,
        if(null_reason is null, {{ fisher_bound('pearson', 'n', '+') }}, null) as pearson_hi,
        null_reason,
        n,
        n_lms,
        'fisher' as interval_method,
        'mutation_correlation_v1' as view_version,
    from reasoned
)

select * from published
