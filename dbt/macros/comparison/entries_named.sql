{#- What names the entries of a comparison. -#}
{% macro compared_entry_columns() -%}
    {{ return([
        'lm_id', 'lm', 'revision', 'setting_id', 'setting', 'forward_lm_id', 'forward_setting_id',
    ]) }}
{%- endmacro %}

{#- What of two entries differs: the words of those columns, NULL where they are alike in all. -#}
{% macro words_differing(words, entries, others) -%}
    nullif(
        concat_ws(
            ', ',
            {%- for column, word in words.items() %}
            if({{ entries }}.{{ column }} is distinct from {{ others }}.{{ column }}, '{{ word }}', null)
            {{- ',' if not loop.last }}
            {%- endfor %}
        ),
        ''
    )
{%- endmacro %}

{#- What of the settings of two entries differs, in words; NULL where both were asked alike. -#}
{% macro asked_otherwise(entries, others) -%}
    {%- set words = {} -%}
    {%- for column in ['task', 'style', 'prompt_kind', 'temperature', 'top_p', 'max_tokens', 'resampled'] -%}
        {%- do words.update({column: column}) -%}
    {%- endfor -%}
    {%- do words.update({'forward_setting_id': 'description'}) -%}
    {{ words_differing(words, entries, others) }}
{%- endmacro %}

{#- What a comparison has of two entries: values, interval, tests and counts. -#}
{% macro comparison_measures() -%}
    {{ return([
        'n_common', 'n_dropped_a', 'n_dropped_b', 'n_differing', 'value_a', 'value_b', 'difference',
        'difference_lo', 'difference_hi', 'standard_error', 'null_reason', 'interval_null_reason',
        'test', 'p_value', 'holm_p', 'bh_p', 'n_family', 'test_null_reason', 't_p', 'permutation_p',
        'n_permutations', 'seed', 'n_only_a', 'n_only_b', 'n_both', 'n_neither', 'mcnemar_p',
        'mcnemar_null_reason', 'minimum_detectable_effect', 'equivalence_margin', 'tost_lower_p',
        'tost_upper_p', 'equivalent', 'var_problem', 'var_sampling', 'variance_null_reason',
    ]) }}
{%- endmacro %}

{#- CTEs that end in `corrected`: measured pairs with the p values of their family, which these columns
    name. A comparison without a p value is no member of its family. -#}
{% macro family_corrected(pairs_cte, family) -%}
placed as (
    select
        *,
        count(p_value) over (partition by {{ family | join(', ') }}) as n_family,
        row_number() over (
            partition by {{ family | join(', ') }}
            order by p_value nulls last, entry_a, entry_b
        ) as place,
    from {{ pairs_cte }}
),

corrected as (
    select
        *,
        {{ holm_p('p_value', 'n_family', 'place', family) }} as holm_p,
        {{ bh_p('p_value', 'n_family', 'place', family) }} as bh_p,
    from placed
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
        {{ listed(comparison_measures(), 'corrected') }}
        'comparison_v1' as view_version,
    from corrected
    inner join entries on corrected.entry_a = entries.entry_no
    inner join entries as others on corrected.entry_b = others.entry_no
)
{%- endmacro %}
