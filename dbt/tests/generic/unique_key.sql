{#- No two rows have the same values in `columns` and `nullable`; `columns` are never NULL.

    Rows are first grouped by a hash, in half the time; a hash of 0 stands for a NULL in `columns`. Only
    rows whose hash occurs twice, or is 0, are then grouped by the columns. -#}
{% test unique_key(model, columns, nullable=[]) %}
{% set hash_of -%}
if({{ columns | join(' is null or ') }} is null, 0, {{ number_of((columns + nullable) | join(', ')) }})
{%- endset %}
with hashes as (
    select {{ hash_of }} as hash_of_key
    from {{ model }}
),

hashes_repeated as (
    select hash_of_key
    from hashes
    group by all
    having
        count(*) > 1
        or hash_of_key = 0
),

keys as (
    select
        {% for column in columns + nullable %}
        {{ column }},
        {% endfor %}
        count(*) as n_rows,
    from {{ model }}
    semi join hashes_repeated on {{ hash_of }} = hashes_repeated.hash_of_key
    group by all
)

select * from keys
where
    n_rows > 1
    {% for column in columns %}
    or {{ column }} is null
    {% endfor %}
{% endtest %}
