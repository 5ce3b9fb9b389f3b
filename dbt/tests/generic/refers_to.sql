{#- Every value of the column is a key of another view. With is_list, every item of its lists. -#}
{% test refers_to(model, column_name, to, field, is_list=false) %}
with children as (
    select {{ 'unnest(' ~ column_name ~ ')' if is_list else column_name }} as child
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
