{#- Every value of the column is a key of another view. -#}
{% test refers_to(model, column_name, to, field) %}
with children as (
    select {{ column_name }} as child
    from {{ model }}
),

parents as (
    select {{ field }} as parent
    from {{ to }}
),

orphans as (
    select children.child
    from children
    anti join parents on children.child = parents.parent
    where children.child is not null
)

select * from orphans
{% endtest %}
