{#- What names the entries of a comparison. -#}
{% macro compared_entry_columns() -%}
    {{ return([
        'lm_id', 'lm', 'revision', 'setting_id', 'setting', 'forward_lm_id', 'forward_setting_id',
    ]) }}
{%- endmacro %}

{#- What of the settings of two entries differs, in words; NULL where both were asked alike. -#}
{% macro asked_otherwise(entries, others) -%}
    nullif(
        concat_ws(
            ', ',
            {% for column in ['task', 'style', 'prompt_kind', 'temperature', 'top_p', 'max_tokens', 'resampled'] %}
            if({{ entries }}.{{ column }} is distinct from {{ others }}.{{ column }}, '{{ column }}', null),
            {% endfor %}
            if(
                {{ entries }}.forward_setting_id is distinct from {{ others }}.forward_setting_id,
                'description',
                null
            )
        ),
        ''
    )
{%- endmacro %}

{#- The CTE `published`: rows of `corrected` (measured pairs with their family) and both entries. -#}
{% macro comparisons_published() -%}
published as (
    select
        entries.dataset,
        entries.dataset_version,
        entries.release_id,
        entries.simulated or others.simulated as simulated,
        corrected.pairing,
        corrected.metric,
        corrected.k,
        {{ listed_as(compared_entry_columns(), 'entries', '_a') }}
        {{ listed_as(compared_entry_columns(), 'others', '_b') }}
        {{ asked_otherwise('entries', 'others') }} as asked_otherwise,
        corrected.n_common,
        corrected.n_dropped_a,
        corrected.n_dropped_b,
        corrected.n_differing,
        corrected.value_a,
        corrected.value_b,
        corrected.difference,
        corrected.difference_lo,
        corrected.difference_hi,
        corrected.standard_error,
        corrected.null_reason,
        corrected.interval_null_reason,
        corrected.test,
        corrected.p_value,
        corrected.holm_p,
        corrected.bh_p,
        corrected.n_family,
        corrected.test_null_reason,
        corrected.t_p,
        corrected.permutation_p,
        corrected.n_flips,
        corrected.seed,
        corrected.n_only_a,
        corrected.n_only_b,
        corrected.n_both,
        corrected.n_neither,
        corrected.mcnemar_p,
        corrected.mcnemar_null_reason,
        corrected.minimum_detectable_effect,
        corrected.equivalence_margin,
        corrected.tost_lower_p,
        corrected.tost_upper_p,
        corrected.equivalent,
        corrected.var_problem,
        corrected.var_sampling,
        corrected.variance_null_reason,
        'comparison_v1' as view_version,
    from corrected
    inner join entries on corrected.entry_a = entries.entry_no
    inner join entries as others on corrected.entry_b = others.entry_no
)
{%- endmacro %}
