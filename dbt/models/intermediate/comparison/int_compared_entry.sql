with leaderboard_entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

matches as (
    select *
    from {{ ref('int_exact_match_judged') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

counterfactual as (
    select *
    from {{ ref('int_counterfactual_judged') }}
),

round_trip_entries as (
    select *
    from {{ ref('int_round_trip_entry_numbered') }}
),

asked as (
    select *
    from {{ ref('stg_setting') }}
),

-- repairs and both sides of counterfactual pairs
entries as (
    select
        matches.lm_no,
        matches.setting_no,
        problems.release_no,
    from matches
    inner join problems on matches.problem_no = problems.problem_no
    union
    select
        lm_no,
        setting_no,
        release_no,
    from counterfactual
),

{{ numbered_entries(of_setting=['resampled']) }},

-- the numbers of int_entry_numbered stay
stacked as (
    select
        1 as kind_no,
        *,
    from leaderboard_entries
    union all by name
    select
        2 as kind_no,
        numbered.*,
    from numbered
    anti join leaderboard_entries
        on
            numbered.lm_no = leaderboard_entries.lm_no
            and numbered.setting_no = leaderboard_entries.setting_no
            and numbered.release_no = leaderboard_entries.release_no
    union all by name
    select
        3 as kind_no,
        entry_no as round_trip_entry_no,
        *,
    from round_trip_entries
),

described as (
    select
        cast(
            row_number() over (order by stacked.kind_no, stacked.entry_no) as integer
        ) as entry_no,
        {{ listed(entry_columns(), 'stacked') }}
        stacked.lm_no,
        stacked.setting_no,
        stacked.release_no,
        stacked.n_dataset,
        stacked.round_trip_entry_no,
        stacked.forward_lm_id,
        stacked.forward_lm,
        stacked.forward_setting_id,
        stacked.kind_no = 1 as is_of_leaderboard,
        asked.task,
        asked.style,
        asked.prompt_kind,
        asked.temperature,
        asked.top_p,
        asked.max_tokens,
        asked.resampled,
    from stacked
    inner join asked on stacked.setting_id = asked.setting_id
)

select * from described
