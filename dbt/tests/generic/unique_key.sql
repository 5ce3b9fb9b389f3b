{#- The columns, with those that may be NULL, name a row once; the others are never NULL.

    Only rows that share a number, or that have a NULL, are grouped by all columns: numbers are grouped
    in half the time. -#}
{% test unique_key(model, columns, nullable=[]) %}
{% set number -%}
if({{ columns | join(' is null or ') }} is null, 0, {{ number_of((columns + nullable) | join(', ')) }})
{%- endset %}
with numbers as (
    select {{ number }} as number
    from {{ model }}
),

numbers_repeated as (
    select number
    from numbers
    group by all
    having
        count(*) > 1
        or number = 0
),

keys as (
    select
        {% for column in columns + nullable %}
        {{ column }},
        {% endfor %}
        count(*) as n_rows,
    from {{ model }}
    semi join numbers_repeated on {{ number }} = numbers_repeated.number
    group by all
)

select * from keys
where
    n_rows > 1
    {% for column in columns %}
    or {{ column }} is null
    {% endfor %}
{% endtest %}
