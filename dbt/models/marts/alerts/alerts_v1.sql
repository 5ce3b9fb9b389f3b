{% set least_share = var('alert_least_share') %}
{% set texts = ['isolation', 'integrity', 'judge_version'] %}

with nights as (
    select *
    from {{ ref('int_night_numbered') }}
),

tested as (
    select *
    from {{ ref('int_night_tested') }}
),

entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

releases as (
    select distinct
        release_no,
        release_id,
        dataset,
        dataset_version,
    from {{ ref('int_problem_numbered') }}
),

-- a night without verdict says nothing of how verdicts are made
nights_before as (
    select
        *,
        lag(n_problems) over history as n_problems_before,
        lag(n_failing / n_problems) over history as failing_before,
        lag(isolation ignore nulls) over history as isolation_before,
        lag(integrity ignore nulls) over history as integrity_before,
        lag(judge_version ignore nulls) over history as judge_version_before,
    from nights
    window history as (partition by subject_kind, subject_no order by night_no)
),

problem_checks as (
    select
        subject_kind,
        subject_no,
        'problems' as metric,
        night_no,
        n_problems,
        cast(n_problems as double) as value,
        cast(n_problems_before as double) as reference_value,
        case
            when n_problems < {{ least_share }} * n_problems_before then 'alarm'
            when n_problems < n_problems_before then 'watch'
            when n_problems_before is not null then 'quiet'
        end as state,
        if(n_problems_before is null, 'no_reference', null) as null_reason,
        concat(
            n_samples, ' samples, of which not executed: ', n_not_executed, ', harness fault: ',
            n_harness_fault, ', canary failed: ', n_canary_failed
        ) as detail,
    from nights_before
    where subject_kind = 'entry'
),

{% for name in texts %}
{{ name }}_checks as (
    select
        subject_kind,
        subject_no,
        '{{ name }}' as metric,
        night_no,
        n_problems,
        case
            when {{ name }} <> {{ name }}_before then 'alarm'
            when {{ name }} = {{ name }}_before then 'quiet'
        end as state,
        case
            when {{ name }} is null then 'no_value'
            when {{ name }}_before is null then 'no_reference'
        end as null_reason,
        case
            when {{ name }} <> {{ name }}_before
                then concat({{ name }}, ', before: ', {{ name }}_before)
            else {{ name }}
        end as detail,
    from nights_before
    where subject_kind = 'entry'
),

{% endfor %}
reference_checks as (
    select
        subject_kind,
        subject_no,
        'failing_references' as metric,
        night_no,
        n_problems,
        n_failing / n_problems as value,
        failing_before as reference_value,
        case
            when n_failing_again > 0 then 'alarm'
            when n_failing > 0 then 'watch'
            when failing_before is not null then 'quiet'
        end as state,
        if(failing_before is null and n_failing = 0, 'no_reference', null) as null_reason,
        concat(n_failing, ' fail, of which passed when last run: ', n_failing_again) as detail,
    from nights_before
    where subject_kind = 'references'
),

bet_checks as (
    select
        subject_kind,
        subject_no,
        metric,
        night_no,
        n_problems,
        n_reference_nights,
        value,
        reference_value,
        e_value,
        threshold,
        n_streams,
        case
            when e_value is null then null
            when e_value * {{ var('alert_error') }} < 1 then 'quiet'
            when e_value < threshold then 'watch'
            when
                metric = 'log_cpu'
                and abs(value - reference_value) < ln({{ var('alert_cpu_ratio') }})
                then 'watch'
            else 'alarm'
        end as state,
        null_reason,
    from tested
),

stacked as (
    select *
    from bet_checks
    {% for checks in ['problem', 'reference'] + texts %}
    union all by name
    select *
    from {{ checks }}_checks
    {% endfor %}
),

placed as (
    select
        stacked.*,
        nights.run_id,
        nights.started_at,
        coalesce(
            stacked.state = 'alarm'
            and coalesce(max(stacked.night_no) filter (stacked.state = 'alarm') over before, 0)
            <= coalesce(max(stacked.night_no) filter (stacked.state = 'quiet') over before, 0),
            false
        ) as is_new,
        stacked.night_no = max(nights.night_no) over (
            partition by stacked.subject_kind, stacked.subject_no
        ) as is_newest,
    from stacked
    inner join nights
        on
            stacked.subject_kind = nights.subject_kind
            and stacked.subject_no = nights.subject_no
            and stacked.night_no = nights.night_no
    window before as (
        partition by stacked.subject_kind, stacked.subject_no, stacked.metric
        order by stacked.night_no
        rows between unbounded preceding and 1 preceding
    )
),

metrics as (
    select
        unnest({{ alert_metrics() | map(attribute=0) | list }}) as metric,
        unnest({{ alert_metrics() | map(attribute=1) | list }}) as estimand,
        unnest({{ alert_metrics() | map(attribute=2) | list }}) as test,
),

published as (
    select
        placed.subject_kind,
        concat_ws('/', releases.release_id, entries.lm_id, entries.setting_id) as subject_id,
        {% for column in ['lm_id', 'lm', 'revision', 'simulated'] %}
        entries.{{ column }},
        {% endfor %}
        releases.dataset,
        releases.dataset_version,
        releases.release_id,
        entries.setting_id,
        entries.setting,
        placed.metric,
        metrics.estimand,
        cast(placed.night_no as bigint) as night_no,
        placed.run_id,
        placed.started_at,
        placed.is_newest,
        placed.n_problems,
        placed.n_reference_nights,
        placed.value,
        placed.reference_value,
        placed.value - placed.reference_value as difference,
        case
            when placed.value < placed.reference_value then 'down'
            when placed.value > placed.reference_value then 'up'
            when placed.value = placed.reference_value then 'level'
        end as direction,
        metrics.test,
        placed.e_value,
        placed.threshold,
        placed.n_streams,
        placed.state,
        placed.is_new,
        placed.null_reason,
        placed.detail,
        'alerts_v1' as view_version,
    from placed
    inner join metrics on placed.metric = metrics.metric
    left join entries
        on
            if(placed.subject_kind = 'entry', placed.subject_no, null) = entries.entry_no
    inner join releases
        on coalesce(entries.release_no, placed.subject_no) = releases.release_no
)

select * from published
