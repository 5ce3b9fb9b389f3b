with entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

-- problems with the same counts have the same value at every k
counted as (
    select
        entries.entry_no,
        tallies.n_scored,
        tallies.n_passed,
        count(*) as n_problems,
    from entries
    inner join {{ ref('int_problem_tallied') }} as tallies
        on
            entries.lm_no = tallies.lm_no
            and entries.setting_no = tallies.setting_no
            and entries.release_no = tallies.release_no
    where
        not entries.resampled
        and tallies.set_aside is null
        and tallies.n_scored > 0
    group by all
),

at_each_k as (
    select
        *,
        cast(unnest(range(1, n_scored + 1)) as integer) as k,
    from counted
),

estimates as (
    select
        entry_no,
        k,
        n_scored,
        n_passed,
        n_problems,
        {{ pass_at_k('n_scored', 'n_passed', 'k') }} as pass_at_k,
    from at_each_k
),

means as (
    select
        entry_no,
        k,
        cast(sum(n_problems) as bigint) as n,
        -- a sum may miss 1 by its rounding
        least(
            sum(n_problems * pass_at_k order by n_scored, n_passed) / sum(n_problems), 1.0
        ) as mean,
    from estimates
    group by entry_no, k
),

interval_spreads as (
    select
        means.entry_no,
        means.k,
        'pass_at_k' as of_measure,
        'share' as of_kind,
        any_value(means.n) as n,
        any_value(means.mean) as mean,
        sum(
            estimates.n_problems * pow(estimates.pass_at_k - means.mean, 2)
            order by estimates.n_scored, estimates.n_passed
        ) / nullif(any_value(means.n) - 1, 0) as variance,
        sum(
            estimates.n_problems * pow(estimates.pass_at_k - means.mean, 3)
            order by estimates.n_scored, estimates.n_passed
        ) / any_value(means.n) as cube,
    from means
    inner join estimates
        on
            means.entry_no = estimates.entry_no
            and means.k = estimates.k
    group by means.entry_no, means.k
),

{{ interval_bounds(['entry_no', 'k'], {'pass_at_k': 'share'}) }},

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        means.k,
        means.mean as pass_at_k,
        interval_found.pass_at_k_lo,
        interval_found.pass_at_k_hi,
        interval_found.pass_at_k_interval_null_reason as interval_null_reason,
        means.n as n_used,
        'pass_at_k_curve_v1' as view_version,
    from means
    inner join interval_found
        on
            means.entry_no = interval_found.entry_no
            and means.k = interval_found.k
    inner join entries on means.entry_no = entries.entry_no
)

select * from published
