{#- No two rows have the same values in `columns` and `nullable`; `columns` are never NULL.

    Rows are first grouped by a hash, in half the time; a hash of 0 stands for a NULL in `columns`. Only
    rows whose hash occurs twice, or is 0, are then grouped by the columns. -#}
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
