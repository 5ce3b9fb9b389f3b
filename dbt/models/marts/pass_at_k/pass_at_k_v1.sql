with entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

tallies as (
    select *
    from {{ ref('int_problem_tallied') }}
),

ks as (
    select cast(unnest({{ var('pass_ks') }}) as integer) as k
),

problems as (
    select
        entries.entry_no,
        ks.k,
        tallies.problem_index,
        tallies.n_samples,
        tallies.n_scored,
        tallies.n_passed,
        case
            when entries.resampled then 'not_applicable'
            when tallies.set_aside is not null then tallies.set_aside
            when tallies.n_scored >= ks.k then null
            when tallies.n_samples < ks.k then 'n_lt_k'
            else tallies.unscored_reason
        end as null_reason,
    from entries
    inner join tallies
        on
            entries.lm_no = tallies.lm_no
            and entries.setting_no = tallies.setting_no
            and entries.release_no = tallies.release_no
    cross join ks
),

-- the estimator depends on three integers only: compute it once for each
counts_seen as (
    select distinct
        n_scored,
        n_passed,
        k,
    from problems
    where null_reason is null
),

estimates as (
    select
        n_scored,
        n_passed,
        k,
        {{ pass_at_k('n_scored', 'n_passed', 'k') }} as pass_at_k,
    from counts_seen
),

problem_values as (
    select
        problems.entry_no,
        problems.k,
        problems.problem_index,
        problems.n_samples,
        problems.n_scored,
        problems.n_passed,
        problems.null_reason,
        if(problems.null_reason is null, estimates.pass_at_k, null) as pass_at_k,
    from problems
    left join estimates
        on
            problems.n_scored = estimates.n_scored
            and problems.n_passed = estimates.n_passed
            and problems.k = estimates.k
),

means as (
    select
        entry_no,
        k,
        avg(pass_at_k order by problem_index) as pass_at_k,
        count(*) as n_total,
        count(pass_at_k) as n_used,
        {% for reason in pass_null_reasons() %}
        count(*) filter (null_reason = '{{ reason }}') as n_null_{{ reason }},
        {% endfor %}
        cast(sum(n_samples) as bigint) as n_samples,
        cast(sum(n_scored) as bigint) as n_samples_scored,
    from problem_values
    group by entry_no, k
),

{{ mean_interval('problem_values', ['entry_no', 'k'], {'pass_at_k': 'share'}) }},

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        means.k,
        means.pass_at_k,
        interval_found.pass_at_k_lo,
        interval_found.pass_at_k_hi,
        if(interval_found.pass_at_k_lo is null, null, 'wilson_clustered') as interval_method,
        interval_found.pass_at_k_interval_null_reason as interval_null_reason,
        means.n_used < {{ var('few_clusters') }} as few_clusters,
        entries.n_dataset,
        means.n_total,
        means.n_used,
        {% for reason in pass_null_reasons() %}
        means.n_null_{{ reason }},
        {% endfor %}
        means.n_samples,
        means.n_samples_scored,
        'pass_at_k_v1' as view_version,
    from means
    inner join interval_found
        on
            means.entry_no = interval_found.entry_no
            and means.k = interval_found.k
    inner join entries on means.entry_no = entries.entry_no
)

select * from published
