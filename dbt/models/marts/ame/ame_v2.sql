{#- Means over problems; the conditional shares are ratios of such means. -#}
{% set plain = [
    'accuracy_drop', 'ame', 'ame_aa', 'ame_excess', 'original_accuracy', 'mutated_accuracy',
] %}
{% set conditional = [
    'conditional_loss', 'conditional_loss_aa', 'conditional_gain', 'conditional_gain_aa',
] %}
{% set kinds = {} %}
{% for measure in plain + conditional %}
{% set is_difference = measure in ('accuracy_drop', 'ame_excess') %}
{% do kinds.update({measure: 'difference' if is_difference else 'share'}) %}
{% endfor %}
{% set edition = 2 %}

with entries as (
    select *
    from {{ ref('int_counterfactual_entry_numbered') }}
),

pairs as (
    select *
    from {{ ref('int_counterfactual_pair_scored') }}
    where edition = {{ edition }}
),

-- several pairs of a problem count as one: their mean
problem_means as (
    select
        entry_no,
        mutation,
        problem_index,
        any_value(mutation_version) as mutation_version,
        avg(original - mutated order by original, mutated) as accuracy_drop,
        avg(abs(original - mutated) order by original, mutated) as ame,
        avg(abs(original - repeated) order by original, repeated) as ame_aa,
        avg(
            abs(original - mutated) - abs(original - repeated)
            order by original, mutated, repeated
        ) as ame_excess,
        avg(original order by original) as original_accuracy,
        avg(mutated order by mutated) as mutated_accuracy,
        coalesce(avg(original * (1 - mutated) order by original, mutated), 0)
            as conditional_loss_top,
        coalesce(avg(original order by original), 0) as conditional_loss_bottom,
        coalesce(avg(original * (1 - repeated) order by original, repeated), 0)
            as conditional_loss_aa_top,
        coalesce(avg(if(repeated is null, null, original) order by original), 0)
            as conditional_loss_aa_bottom,
        coalesce(avg((1 - original) * repeated order by original, repeated), 0)
            as conditional_gain_aa_top,
        coalesce(avg(if(repeated is null, null, 1 - original) order by original), 0)
            as conditional_gain_aa_bottom,
        coalesce(avg((1 - original) * mutated order by original, mutated), 0)
            as conditional_gain_top,
        coalesce(avg(1 - original order by original), 0) as conditional_gain_bottom,
        max(m) filter (original is not null) as n_completions,
        min(m) filter (original is not null) as n_completions_min,
        count(repeated) as n_repeated,
        {{ pairs_counted(pair_null_reasons()) }}
        count(*) filter (original_first and mutated_first) as n_both,
        count(*) filter (original_first and not mutated_first) as n_original_only,
        count(*) filter (not original_first and mutated_first) as n_mutated_only,
        count(*) filter (not original_first and not mutated_first) as n_neither,
    from pairs
    group by entry_no, mutation, problem_index
),

problem_values as (
    select
        entry_no,
        mutation,
        problem_index,
        {% for measure in plain %}
        coalesce({{ measure }}, 0) as {{ measure }}_top,
        cast({{ measure }} is not null as double) as {{ measure }}_bottom,
        {% endfor %}
        {% for measure in conditional %}
        {{ measure }}_top,
        {{ measure }}_bottom,
        {% endfor %}
    from problem_means
),

means as (
    select
        entry_no,
        mutation,
        any_value(mutation_version) as mutation_version,
        {% for measure in plain %}
        avg({{ measure }} order by problem_index) as {{ measure }},
        {% endfor %}
        {% for measure in conditional %}
        sum({{ measure }}_top order by problem_index)
        / nullif(sum({{ measure }}_bottom order by problem_index), 0) as {{ measure }},
        {% endfor %}
        max(n_completions) as n_completions,
        min(n_completions_min) as n_completions_min,
        count(ame) as n_problems,
        count(accuracy_drop) - 1 as drop_df,
        stddev_samp(accuracy_drop order by problem_index) as drop_sd,
        count(*) filter (abs(accuracy_drop) > 1e-9) as n_differing,
        count(ame_aa) as n_problems_repeated,
        cast(sum(n_repeated) as bigint) as n_repeated,
        {{ pairs_added(pair_null_reasons()) }}
        {% for cell in ['both', 'original_only', 'mutated_only', 'neither'] %}
        cast(sum(n_{{ cell }}) as bigint) as n_{{ cell }},
        {% endfor %}
    from problem_means
    group by entry_no, mutation
),

{{ ratio_interval('problem_values', ['entry_no', 'mutation'], kinds) }},

drop_values as (
    select
        entry_no,
        mutation,
        accuracy_drop as difference,
    from problem_means
    where accuracy_drop is not null
),

{{ exact_signs('drop_values', ['entry_no', 'mutation']) }},

drops_tested as (
    select
        means.entry_no,
        means.mutation,
        means.drop_df,
        means.drop_sd,
        means.n_differing,
        means.accuracy_drop * sqrt(means.drop_df + 1)
        / if(means.drop_sd < 1e-9, null, means.drop_sd) as t,
        signs_enumerated.permutation_p,
    from means
    left join signs_enumerated
        on
            means.entry_no = signs_enumerated.entry_no
            and means.mutation = signs_enumerated.mutation
),

-- decision 23: t where many problems change, all signs elsewhere
drops_judged as (
    select
        entry_no,
        mutation,
        case
            when drop_df < 1 then null
            when n_differing = 0 then 1.0
            when permutation_p is not null then permutation_p
            when t is null then pow(2, 1 - n_differing)
            else {{ student_t_p('t', 'drop_df') }}
        end as accuracy_drop_p,
    from drops_tested
),

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        entries.n_parameters,
        means.mutation,
        means.mutation_version,
        {{ listed_with_intervals(plain + conditional, 'means', 'interval_found') }}
        if(means.ame is null, 'no_pairs', null) as null_reason,
        {% for cell in ['both', 'original_only', 'mutated_only', 'neither'] %}
        if(entries.is_deterministic, means.n_{{ cell }}, null) as n_{{ cell }},
        {% endfor %}
        if(
            entries.is_deterministic
            and means.n_both + means.n_original_only + means.n_mutated_only + means.n_neither > 0,
            {{ mcnemar_p('means.n_original_only', 'means.n_mutated_only') }},
            null
        ) as mcnemar_p,
        drops_judged.accuracy_drop_p,
        means.n_completions,
        means.n_completions_min,
        means.n_problems_repeated,
        means.n_repeated,
        {{ pairs_published('ame', 'wilson_clustered', pair_null_reasons()) }}
        interval_found.accuracy_drop_interval_null_reason,
        'ame_v2' as view_version,
    from means
    inner join interval_found
        on
            means.entry_no = interval_found.entry_no
            and means.mutation = interval_found.mutation
    inner join drops_judged
        on
            means.entry_no = drops_judged.entry_no
            and means.mutation = drops_judged.mutation
    inner join entries on means.entry_no = entries.entry_no
)

select * from published
