{% set family = ['release_id', 'simulated', 'pairing', 'board_no', 'metric', 'k'] %}

with entries as (
    select *
    from {{ ref('compared_entries', v=1) }}
),

pairings as (
    select *
    from {{ ref('int_entry_paired') }}
),

all_pairs as (
    select *
    from {{ ref('int_pair_compared') }}
    union all by name
    select *
    from {{ ref('int_pair_resampled') }}
),

-- a comparison without a p value is no member of its family
placed as (
    select
        all_pairs.*,
        pairings.pairing,
        pairings.board_no,
        entries.release_id,
        entries.simulated,
        count(all_pairs.p_value) over (partition by {{ family | join(', ') }}) as n_family,
        row_number() over (
            partition by {{ family | join(', ') }}
            order by
                all_pairs.p_value nulls last,
                all_pairs.entry_a,
                all_pairs.entry_b
        ) as place,
    from all_pairs
    inner join entries on all_pairs.entry_a = entries.entry_no
    inner join pairings
        on
            all_pairs.entry_a = pairings.entry_a
            and all_pairs.entry_b = pairings.entry_b
),

corrected as (
    select
        *,
        {{ holm_p('p_value', 'n_family', 'place', family) }} as holm_p,
        {{ bh_p('p_value', 'n_family', 'place', family) }} as bh_p,
    from placed
),

{{ comparisons_published() }}

select * from published
