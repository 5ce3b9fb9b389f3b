with entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

tallies as (
    select *
    from {{ ref('int_problem_tallied') }}
),

samples as (
    select *
    from {{ ref('int_sample_ordered') }}
    where sample_position <= {{ var('sim_k') }}
),

firsts as (
    select
        entry_no,
        problem_index,
        count(*) filter (passed) as n_passed,
    from samples
    group by all
),

tallies_entered as (
    select
        entries.entry_no,
        entries.resampled,
        tallies.problem_index,
        tallies.set_aside,
        tallies.unscored_reason,
        tallies.n_samples,
        tallies.n_scored,
        tallies.n_passed,
    from entries
    inner join tallies
        on
            entries.lm_no = tallies.lm_no
            and entries.setting_no = tallies.setting_no
            and entries.release_no = tallies.release_no
),

first_k as (
    select
        tallies_entered.entry_no,
        tallies_entered.problem_index,
        tallies_entered.resampled,
        'first_k' as scope,
        {{ var('sim_k') }} as n,
        firsts.n_passed as c,
        case
            when tallies_entered.set_aside is not null then tallies_entered.set_aside
            when tallies_entered.n_scored >= {{ var('sim_k') }} then null
            when tallies_entered.n_samples < {{ var('sim_k') }} then 'n_lt_k'
            else tallies_entered.unscored_reason
        end as null_reason,
    from tallies_entered
    left join firsts
        on
            tallies_entered.entry_no = firsts.entry_no
            and tallies_entered.problem_index = firsts.problem_index
),

all_samples as (
    select
        entry_no,
        problem_index,
        resampled,
        'all' as scope,
        n_scored as n,
        n_passed as c,
        case
            when set_aside is not null then set_aside
            when n_scored = 0 then unscored_reason
        end as null_reason,
    from tallies_entered
),

scoped as (
    select
        entry_no,
        problem_index,
        resampled,
        scope,
        n,
        c,
        null_reason,
    from first_k
    union all
    select
        entry_no,
        problem_index,
        resampled,
        scope,
        n,
        c,
        null_reason,
    from all_samples
),

usable as (
    select
        entry_no,
        problem_index,
        resampled,
        scope,
        null_reason,
        if(null_reason is null, n, null) as n,
        if(null_reason is null, c, null) as c,
    from scoped
)

select * from usable
