with releases_compared as (
    select
        release_id,
        any_value(n_dataset) as n_dataset,
    from {{ ref('int_compared_entry') }}
    group by release_id
    having count(*) > 1
),

{{ signs_drawn('releases_compared') }}

select * from signs_drawn
