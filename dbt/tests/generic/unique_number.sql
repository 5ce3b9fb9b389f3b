{#- No two names have one number, by which they are joined (number_of). -#}
{% test unique_number(model, column) %}
with numbers as (
    select {{ number_of(column) }} as number
    from {{ model }}
)

select number
from numbers
group by all
having count(*) > 1
{% endtest %}
