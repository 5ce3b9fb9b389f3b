{% set topics = ['score', 'share', 'aggregate', 'claim'] %}

with checks as (
    {% for topic in topics %}
    select {{ checked_columns() }}
    from {{ ref('int_published_' ~ topic ~ '_checked') }}
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

contradictions as (
    select *
    from {{ ref('published_contradictions') }}
),

explained as (
    select
        checks.*,
        contradictions.reason as contradiction,
    from checks
    left join contradictions
        on {{ equal(['paper', 'check_name', 'item'], 'checks', 'contradictions') }}
)

select * from explained
