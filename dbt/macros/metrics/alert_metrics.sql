{#- What is watched from night to night: its name and what it estimates. The last entry says whether
    a test by betting or an exact comparison with the night before decides. -#}
{% macro alert_metrics() -%}
    {%- set found = [
        ['pass_at_1', 'share of samples that pass', 'betting'],
        ['exact_match', 'share of lines that are the reference', 'betting'],
        ['no_verdict', 'share of samples without verdict', 'betting'],
        ['parses', 'share of programs that parse', 'betting'],
        ['cut_off', 'share of answers that end at max_tokens', 'betting'],
        ['log_tokens', 'mean of ln(1 + completion tokens)', 'betting'],
        ['log_cpu', 'mean of ln(CPU seconds) of references that pass', 'betting'],
        ['problems', 'problems answered', 'exact'],
        ['isolation', 'isolation levels of the verdicts', 'exact'],
        ['integrity', 'integrity of the verdicts', 'exact'],
        ['judge_version', 'version of the judge', 'exact'],
        ['failing_references', 'share of references that fail', 'exact'],
    ] -%}
    {%- for measure, _ in night_measures() -%}
        {%- do found.append(
            ['brier_' ~ measure, 'Brier score of the confidence ' ~ measure, 'betting']
        ) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#- Measures of confidence of version 2 that a sample has by itself, each with its score. A rank
    among all lengths and a base rate are left out: they change with every night. -#}
{% macro night_measures() -%}
    {%- set found = [] -%}
    {%- for version, measure, score, _, _ in calibration_measures()
        if version == 2 and measure not in ['length', 'verbalized_base_rate'] -%}
        {%- do found.append([measure, score]) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}
