{#- What can be wrong with a generation; the codes of models.words.GENERATION_ISSUES, in its order. -#}
{% macro generation_issues() -%}
    {{ return([
        'bad_request', 'unauthorized', 'unknown_lm', 'refused', 'cost_ceiling', 'gave_up',
        'logprob_missing', 'logprob_count', 'logprob_nan', 'logprob_positive',
        'empty_completion', 'no_code', 'several_blocks', 'wrong_language', 'parse_fail',
        'text_too_long', 'text_has_nul', 'text_not_unicode',
    ]) }}
{%- endmacro %}
