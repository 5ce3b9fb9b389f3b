{#- The CTE `resampled_pairs`: differences that were resampled, in the shape of a comparison. The CTE
    `stacked` before it has a row per pair of entries and metric. -#}
{% macro pairs_resampled() -%}
resampled_pairs as (
    select
        * exclude (reason),
        if(difference is null, reason, null) as null_reason,
        if(difference_lo is null, reason, null) as interval_null_reason,
        case
            when p_value is null then null
            when starts_with(metric, 'ece_') then 'interval'
            else 'bootstrap'
        end as test,
        if(p_value is null, reason, null) as test_null_reason,
        'not_applicable' as mcnemar_null_reason,
        if(
            difference_lo is null,
            null,
            ({{ var('normal_quantile') }} + {{ var('power_quantile') }}) * standard_error
        ) as minimum_detectable_effect,
        cast({{ var('equivalence_margin') }} as double) as equivalence_margin,
        'not_estimated' as variance_null_reason,
    from stacked
)
{%- endmacro %}

{#- The table macro `resampled_v1`: differences of any two entries in AUROC, ECE or skill, as they were
    just resampled, with the columns of a comparison. `found` is a list of structs, one per pair of
    entries and metric. `assay compare` fills it in. Pairs grow with the square of entries, so estimates
    of those outside the families are not stored. -#}
{% macro make_resampled_v1() %}
{% set numbers = [
    'value_a', 'value_b', 'difference', 'difference_lo', 'difference_hi', 'standard_error', 'p_value',
] %}
{% set counts = ['n_common', 'n_dropped_a', 'n_dropped_b', 'seed'] %}
{% set absent = {
    'bigint': ['n_differing', 'n_permutations', 'n_only_a', 'n_only_b', 'n_both', 'n_neither'],
    'double': [
        't_p', 'permutation_p', 'mcnemar_p', 'tost_lower_p', 'tost_upper_p', 'var_problem',
        'var_sampling',
    ],
    'boolean': ['equivalent'],
} %}
    {% if execute %}
        {% set entries = load_relation(api.Relation.create(
            database=target.database, schema='main', identifier='compared_entries_v1')) %}
        {% if entries %}
            create or replace macro main.resampled_v1(found) as table (
                with entries as (
                    select *
                    from main.compared_entries_v1
                ),

                estimated as (
                    select unnest(found) as pair
                ),

                stacked as (
                    select
                        cast(pair.entry_a as integer) as entry_a,
                        cast(pair.entry_b as integer) as entry_b,
                        pair.metric as metric,
                        cast(1 as integer) as k,
                        {% for name in counts %}
                        cast(pair.{{ name }} as bigint) as {{ name }},
                        {% endfor %}
                        {% for name in numbers %}
                        cast(pair.{{ name }} as double) as {{ name }},
                        {% endfor %}
                        cast(pair.null_reason as varchar) as reason,
                    from estimated
                ),

                {{ pairs_resampled() }},

                corrected as (
                    select
                        *,
                        {% for data_type, names in absent.items() %}
                        {% for name in names %}
                        cast(null as {{ data_type }}) as {{ name }},
                        {% endfor %}
                        {% endfor %}
                        'asked' as pairing,
                        p_value as holm_p,
                        p_value as bh_p,
                        cast(p_value is not null as bigint) as n_family,
                    from resampled_pairs
                ),

                {{ comparisons_published() }}

                select * from published
            );
        {% endif %}
    {% endif %}
{% endmacro %}
