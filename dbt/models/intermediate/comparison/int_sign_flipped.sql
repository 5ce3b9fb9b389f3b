with releases_compared as (
    select
        release_no,
        any_value(n_dataset) as n_dataset,
    from {{ ref('int_compared_entry') }}
    group by release_no
    having count(*) > 1
),

sizes_compared as (
    select distinct n_dataset
    from releases_compared
),

{{ signs_drawn('sizes_compared') }}

select * from signs_drawn
