{#- The pass rate before any mutation, one number per language model, dataset and setting. It is the
    mean over the mutations of a version of `ame`, each weighing as many as its own mean is over.
    -#}
{% macro mutation_baseline(version, weight) -%}
effects as (
    select *
    from {{ ref('ame', v=version) }}
),

averaged as (
    select
        {{ listed(entry_columns()) }}
        count(*) as n_mutations,
        max(n_completions) as n_completions,
        cast(sum({{ weight }}) as bigint) as n_weighed,
        sum(original_accuracy * {{ weight }} order by mutation) / nullif(sum({{ weight }}), 0)
            as original_accuracy,
    from effects
    group by all
),

published as (
    select
        {{ listed(entry_columns()) }}
        original_accuracy,
        if(original_accuracy is null, 'no_pairs', null) as null_reason,
        n_completions,
        n_mutations,
        n_weighed,
        'mutation_baseline_v{{ version }}' as view_version,
    from averaged
)
{%- endmacro %}
