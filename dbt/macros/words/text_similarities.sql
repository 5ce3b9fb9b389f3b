{#- How alike the program of a round trip is to the code, in degrees: the similarities that a version
    publishes, each with its column. -#}
{% macro text_similarities(version) -%}
    {%- if version == 1 -%}
        {{ return({'bleu': 'bleu', 'codebleu': 'codebleu_v1'}) }}
    {%- else -%}
        {{ return({'bleu': 'bleu', 'chrf': 'chrf', 'codebleu': 'codebleu_v2'}) }}
    {%- endif -%}
{%- endmacro %}

{#- Why an answer has no value of a measure. -#}
{% macro text_null_reason(column, measure) -%}
    case
        when similarities.{{ column }} is not null then null
        when coalesce(list_contains(similarities.measures, '{{ measure }}'), false)
            then 'not_applicable'
        else 'not_measured'
    end
{%- endmacro %}
