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

paired as (
    select
        all_pairs.*,
        pairings.pairing,
        pairings.board_no,
        entries.release_id,
        entries.simulated,
    from all_pairs
    inner join entries on all_pairs.entry_a = entries.entry_no
    inner join pairings
        on
            all_pairs.entry_a = pairings.entry_a
            and all_pairs.entry_b = pairings.entry_b
),

{{ family_corrected('paired', family) }},

{{ comparisons_published() }}

select * from published
