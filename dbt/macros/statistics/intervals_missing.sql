{#- Each pass@k, and each similarity of ten samples, that has no interval, with the reason. It is
    no_value where there is no value either, and coverage_lt_min where too few problems have so many
    samples. From the CTEs `passes`, with pass_at_K_reason, and `similarities`, with
    MEASURE_interval_null_reason. -#}
{% macro intervals_missing(passes, similarities, measures) -%}
    nullif(
        concat_ws(
            '; ',
            {% for k in var('pass_ks') %}
            if(
                {{ passes }}.pass_at_{{ k }}_lo is null,
                'pass_at_{{ k }}: '
                || if(
                    {{ passes }}.pass_at_{{ k }} is null
                    and {{ passes }}.pass_at_{{ k }}_reason is distinct from 'coverage_lt_min',
                    'no_value',
                    coalesce({{ passes }}.pass_at_{{ k }}_reason, 'not_estimated')
                ),
                null
            ),
            {% endfor %}
            {% for measure in measures %}
            if(
                {{ similarities }}.{{ measure }}_lo is null,
                '{{ measure }}_at_10: '
                || if(
                    {{ similarities }}.{{ measure }} is null,
                    'no_value',
                    coalesce({{ similarities }}.{{ measure }}_interval_null_reason, 'not_estimated')
                ),
                null
            ),
            {% endfor %}
            null
        ),
        ''
    )
{%- endmacro %}
