{#- A column of few words as an enum: DuckDB stores numbers and shows words. Text takes six times as
    long to write (decision 27). Published views cast it to text. -#}
{% macro as_enum(column, words) -%}
    cast({{ column }} as enum {{ quoted(words) }})
{%- endmacro %}

{#- The words that rows have, each once, in the order of the alphabet: not in that of their numbers. -#}
{% macro words_of(column) -%}
    string_agg(distinct cast({{ column }} as varchar), ', ' order by cast({{ column }} as varchar))
{%- endmacro %}

{#- How the process of a program came to its end. -#}
{% macro ends_of_programs() -%}
    {{ return(['exit', 'signal', 'cpu', 'wall', 'protocol', 'judge', 'refused', 'sandbox']) }}
{%- endmacro %}

{#- Isolation levels, the strongest first. -#}
{% macro isolation_levels() -%}
    {{ return(['ns+seccomp', 'ns1+seccomp', 'seccomp+landlock', 'seccomp', 'rlimits', 'none']) }}
{%- endmacro %}

{#- Whether the tests ran in the process of the judge, or in that of the program. -#}
{% macro integrities() -%}
    {{ return(['split', 'same_interpreter']) }}
{%- endmacro %}
