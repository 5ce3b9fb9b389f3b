with releases_answered as (
    select *
    from {{ ref('int_release_answered') }}
),

{{ bootstrap_weights('releases_answered', 'release_no', 'n_dataset') }}

select * from bootstrap_weighted
