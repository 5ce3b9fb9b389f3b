{#- Why a claim is not compared with a verdict; the order is that of precedence and columns. -#}
{% macro claim_null_reasons() -%}
    {{ return([
        'no_task', 'not_ingested', 'no_verdict_claimed', 'errata', 'reference_fails',
        'several_settings', 'no_generation', 'other_text', 'not_executed', 'harness_fault',
        'canary_failed',
    ]) }}
{%- endmacro %}

{#- Our verdicts on samples that others claim to be right. -#}
{% macro failing_verdicts() -%}
    {{ return(verdicts()[1:]) }}
{%- endmacro %}
