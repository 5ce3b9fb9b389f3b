{#- What names the entries of a view of comparisons: judged ones, or claimed ones. -#}
{% macro entry_names(claimed=false) -%}
    {{ (
        "lm_id lm revision claim_source_id format claimant claimant_version label"
        if claimed else
        "lm_id setting_id forward_lm_id forward_setting_id lm revision setting"
    ) }}
{%- endmacro %}

{#- The rows of a view of comparisons from both ends: each entry is a once, and b once. -#}
{% macro turned(view, claimed=false) -%}
select *
    from {{ view }}
    union all by name
    select * replace (
    {%- for name in entry_names(claimed).split() + ["n_dropped", "value", "n_only"] %}

        {{ name }}_b as {{ name }}_a,
        {{ name }}_a as {{ name }}_b,
    {%- endfor %}

        -difference as difference,
        -difference_hi as difference_lo,
        -difference_lo as difference_hi,
        tost_upper_p as tost_lower_p,
        tost_lower_p as tost_upper_p
    )
    from {{ view }}
{%- endmacro %}

{#- Whether two problems' values are of the entry at one side of a comparison. -#}
{% macro is_at(side) -%}
    compared.release_id = {{ side }}.release_id
        and compared.metric = {{ side }}.metric
        and compared.k = {{ side }}.k
        and compared.lm_id_{{ side }} = {{ side }}.lm_id
        and compared.setting_id_{{ side }} = {{ side }}.setting_id
        and compared.forward_lm_id_{{ side }} is not distinct from {{ side }}.forward_lm_id
        and compared.forward_setting_id_{{ side }} is not distinct from {{ side }}.forward_setting_id
{%- endmacro %}

{#- A struct of numbers and texts, by their names. -#}
{% macro struct(values) -%}
    {
    {%- for name, value in values.items() -%}
    {{ literal(name) }}: {% if value is none %}null{% elif value is number %}{{ value }}{% else %}{{ literal(value) }}{% endif %}
    {{- ", " if not loop.last }}
    {%- endfor -%}
    }
{%- endmacro %}
