with entries as (
    select *
    from {{ ref('int_compared_entry') }}
),

headlines as (
    select entries.*
    from entries
    inner join {{ ref('int_setting_headlined') }} as shown
        on
            entries.lm_id = shown.lm_id
            and entries.dataset = shown.dataset
            and entries.setting_id = shown.setting_id
    where
        shown.family = 'leaderboard'
        and shown.rank = 1
        and entries.is_of_leaderboard
),

ranked as (
    select
        entries.*,
        placed.board_no,
    from entries
    inner join {{ ref('int_entry_placed') }} as placed on entries.entry_no = placed.entry_no
    where placed.unranked_reason is null
),

-- outside the leaderboard: a round trip is of the language model that wrote its description
others as (
    select *
    from entries
    where
        not is_of_leaderboard
        and coalesce(forward_lm_id, lm_id) = lm_id
),

-- the first name of the alphabet comes before; what was asked differently is compared only within
-- a language model
paired as (
    select
        'language_models' as pairing,
        cast(null as bigint) as board_no,
        a.entry_no as entry_a,
        b.entry_no as entry_b,
    from headlines as a
    inner join headlines as b
        on
            a.release_no = b.release_no
            and a.simulated is not distinct from b.simulated
            and a.task = b.task
            and a.prompt_kind = b.prompt_kind
            and (a.lm, a.revision, a.lm_id) < (b.lm, b.revision, b.lm_id)
    union all
    select
        'language_models' as pairing,
        cast(null as bigint) as board_no,
        a.entry_no as entry_a,
        b.entry_no as entry_b,
    from others as a
    inner join others as b
        on
            a.release_no = b.release_no
            and a.simulated is not distinct from b.simulated
            and a.setting_id = b.setting_id
            and a.forward_setting_id is not distinct from b.forward_setting_id
            and (a.lm, a.revision, a.lm_id) < (b.lm, b.revision, b.lm_id)
    union all
    select
        'settings' as pairing,
        cast(null as bigint) as board_no,
        a.entry_no as entry_a,
        b.entry_no as entry_b,
    from entries as a
    inner join entries as b
        on
            a.release_no = b.release_no
            and a.lm_id = b.lm_id
            and a.forward_lm_id is not distinct from b.forward_lm_id
            and a.task = b.task
            and (a.setting, a.setting_id, coalesce(a.forward_setting_id, ''))
            < (b.setting, b.setting_id, coalesce(b.forward_setting_id, ''))
    union all
    select
        'board' as pairing,
        a.board_no,
        a.entry_no as entry_a,
        b.entry_no as entry_b,
    from ranked as a
    inner join ranked as b
        on
            a.board_no = b.board_no
            and (a.lm, a.revision, a.lm_id, a.setting, a.setting_id)
            < (b.lm, b.revision, b.lm_id, b.setting, b.setting_id)
)

select * from paired
