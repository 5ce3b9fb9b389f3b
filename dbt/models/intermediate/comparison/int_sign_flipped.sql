{#- One MD5 has 64 signs: those of the places 64 w + 1 to 64 w + 64 are the bits, from the lowest,
    of bytes 8 to 15, little-endian, of the MD5 of seed:flip:replicate:w. -#}
with releases_compared as (
    select
        release_no,
        any_value(n_dataset) as n_dataset,
    from {{ ref('int_entry_numbered') }}
    group by release_no
    having count(*) > 1
),

replicates as (
    select unnest(range({{ var('bootstrap_replicates') }})) as replicate
),

words as (
    select unnest(range((max(n_dataset) + 63) // 64)) as word
    from releases_compared
),

bits as (
    select
        replicates.replicate,
        words.word,
        md5_number_lower(
            concat_ws(':', {{ var('bootstrap_seed') }}, 'flip', replicates.replicate, words.word)
        ) as bits,
    from replicates
    cross join words
),

-- signs of a place depend on the seed, the replicate and the place alone
signs_longest as (
    select
        replicate,
        flatten(
            list(
                list_transform(
                    range(64),
                    lambda bit: cast(if((bits >> bit) & 1 = 1, 1, -1) as double)
                )
                order by word
            )
        ) as signs,
    from bits
    group by replicate
),

flipped as (
    select
        releases_compared.release_no,
        signs_longest.replicate,
        signs_longest.signs[1:releases_compared.n_dataset] as signs,
    from releases_compared
    cross join signs_longest
)

select * from flipped
