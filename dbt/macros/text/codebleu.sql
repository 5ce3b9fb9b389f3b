{#- The parts of CodeBLEU (Ren et al. 2020, arXiv 2009.10297, section 3). -#}
{% macro codebleu_components() -%}
    {{ return(['ngram_match', 'weighted_ngram_match', 'syntax_match', 'dataflow_match']) }}
{%- endmacro %}

{#- CodeBLEU of the four parts, a quarter each. Version 1 follows the library codebleu 0.7.0, which
    Allamanis et al. (2024, arXiv 2402.08699) use: a data flow of 0, or none in the reference, counts
    as 1. Version 2 takes 0 as it is, and leaves out what is NULL: the others weigh a third each. NULL
    where the reference has no token. -#}
{% macro codebleu(version) -%}
    {%- if version == 1 -%}
    (
        ngram_match
        + weighted_ngram_match
        + syntax_match
        + coalesce(nullif(dataflow_match, 0), 1)
    ) / 4
    {%- else -%}
    list_avg([{{ codebleu_components() | join(', ') }}])
    {%- endif -%}
{%- endmacro %}
