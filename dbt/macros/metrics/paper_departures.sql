{#- In what a row of version 1 differs from the calibration paper (Spiess et al., arXiv 2402.02047).
    Each has the code, and when it applies to a row of int_calibration_group and a measure. -#}
{% macro departure_rules(label_groups, measure) -%}
    {%- set of_text = measure ~ " in ('avg_prob', 'total_prob', 'length')" -%}
    {%- set of_answer = measure ~ " in ('ask_tf', 'ask_tf_normalized')" -%}
    {{ return([
        ('temperature', label_groups ~ '.has_temperature'),
        ('samples', label_groups ~ '.has_several_samples'),
        ('kept_rule', label_groups ~ '.is_kept_otherwise'),
        ('chat', label_groups ~ '.is_chat'),
        ('top_5', of_answer ~ ' and not ' ~ label_groups ~ '.is_read_alike'),
        ('fence', of_text ~ ' and ' ~ label_groups ~ '.has_fence'),
        ('copied_prompt', of_text ~ ' and ' ~ label_groups ~ '.has_header'),
    ]) }}
{%- endmacro %}

{#- The codes that apply, joined by a comma; NULL where none does. -#}
{% macro paper_departures(label_groups, measure) -%}
    nullif(
            concat_ws(
                ', ',
                {% for code, applies in departure_rules(label_groups, measure) %}
                if({{ applies }}, '{{ code }}', null){{ ',' if not loop.last }}
                {% endfor %}
            ),
            ''
        )
{%- endmacro %}

{#- The codes of any of several rows, in the same order. -#}
{% macro all_paper_departures() -%}
    nullif(
            concat_ws(
                ', ',
                {% for code, applies in departure_rules('', '') %}
                if(
                    bool_or(list_contains(string_split(paper_departures, ', '), '{{ code }}')),
                    '{{ code }}',
                    null
                ){{ ',' if not loop.last }}
                {% endfor %}
            ),
            ''
        )
{%- endmacro %}
