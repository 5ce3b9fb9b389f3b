{#- No two values of the column have the same hash: rows are joined by it (macro `number_of`). -#}
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
