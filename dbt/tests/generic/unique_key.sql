{#- The columns together are never NULL and name a row once. -#}
{% test unique_key(model, columns) %}
with keys as (
    select
        {% for column in columns %}
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
