{#- The expression is true in every row; NULL is not true. -#}
{% test holds(model, expression) %}
with broken as (
    select *
    from {{ model }}
    where ({{ expression }}) is not true
)

select * from broken
{% endtest %}
