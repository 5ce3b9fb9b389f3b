{% set topics = ['score', 'share', 'aggregate', 'claim'] %}

with checks as (
    {% for topic in topics %}
    select {{ checked_columns() }}
    from {{ ref('int_published_' ~ topic ~ '_checked') }}
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

{{ explained_checks() }}

select * from explained
