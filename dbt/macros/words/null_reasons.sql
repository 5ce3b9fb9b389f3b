{#- Why a problem gives no value, whatever the metric; the order is the order of the columns. -#}
{% macro problem_null_reasons() -%}
    {{ return(['n_lt_k', 'not_executed', 'harness_fault', 'canary_failed', 'reference_fails', 'errata']) }}
{%- endmacro %}

{#- pass@k has one more: it says nothing about samples whose maker replaced those that failed. -#}
{% macro pass_null_reasons() -%}
    {{ return(problem_null_reasons() + ['not_applicable']) }}
{%- endmacro %}

{#- Why a problem has no round trip, the first that holds. -#}
{% macro round_trip_null_reasons() -%}
    {{ return([
        'errata', 'reference_fails', 'samples_missing', 'not_generated', 'not_executed',
        'harness_fault', 'canary_failed', 'not_measured', 'not_applicable',
    ]) }}
{%- endmacro %}

{#- Why an edit has no round trip, the first that holds: nothing is run. -#}
{% macro edit_null_reasons() -%}
    {{ return(['errata', 'samples_missing', 'not_generated']) }}
{%- endmacro %}

{#- Why a claim is not compared with a verdict; the order is that of precedence and columns. -#}
{% macro claim_null_reasons() -%}
    {{ return([
        'no_task', 'not_ingested', 'no_verdict_claimed', 'errata', 'reference_fails',
        'several_settings', 'no_generation', 'other_text', 'not_executed', 'harness_fault',
        'canary_failed',
    ]) }}
{%- endmacro %}

{#- Why a program has no verdict: no attempt of it counts (facts.program_judged). -#}
{% macro program_null_reasons() -%}
    {{ return(['not_executed', 'harness_fault', 'canary_failed']) }}
{%- endmacro %}

{#- Why two programs cannot be compared by their behaviour. -#}
{% macro behaviour_null_reasons() -%}
    {{ return([
        'not_judged', 'no_cpu_time', 'other_machine', 'below_resolution', 'no_test_outcomes',
        'no_failing_test',
    ]) }}
{%- endmacro %}

{#- Why a counterfactual pair gives no value; the order is that of precedence and of the columns. -#}
{% macro pair_null_reasons() -%}
    {{ return([
        'reference_fails', 'errata', 'not_generated', 'samples_missing', 'not_executed',
        'harness_fault', 'canary_failed',
    ]) }}
{%- endmacro %}
