{#- The columns, with those that may be NULL, name a row once; the others are never NULL. -#}
{% test unique_key(model, columns, nullable=[]) %}
with keys as (
    select
        {% for column in columns + nullable %}
        {{ column }},
        {% endfor %}
        count(*) as n_rows,
    from {{ model }}
    group by all
)

select * from keys
where
    n_rows > 1
    {% for column in columns %}
    or {{ column }} is null
    {% endfor %}
{% endtest %}
