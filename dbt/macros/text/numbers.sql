{#- A number of 64 bits for a text. Ten million rows are joined by it in a third of the time. Two texts
    could have the same number. So a column whose numbers are joined needs the data test
    `unique_number`. -#}
{% macro number_of(name) -%}
    hash({{ name }})
{%- endmacro %}

{#- The numbers of two candidates, the smaller one first. -#}
{% macro pair_numbers(a, b) -%}
    least({{ number_of(a) }}, {{ number_of(b) }}) as candidate_no_a,
    greatest({{ number_of(a) }}, {{ number_of(b) }}) as candidate_no_b,
{%- endmacro %}

{#- Whether rows of two CTEs are of the same pair of candidates. -#}
{% macro same_pair(one, other) -%}
    {{ equal(['candidate_no_a', 'candidate_no_b'], one, other) }}
{%- endmacro %}
