with subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
),

fits as (
    select *
    from {{ ref('int_calibration_fit_chosen') }}
),

rescalers as (
    select
        unnest([1, 2, 2, 2]) as version,
        unnest(['platt', 'platt', 'temperature', 'isotonic']) as rescaler,
),

tallied as (
    select
        subject_no,
        rescaler,
        count(*) filter (fold is not null) as n_folds,
        count(*) filter (null_reason = 'fit_failed' and fold is not null) as n_failed,
        count(*) filter (null_reason = 'n_lt_min') as n_too_few,
        coalesce(max(abs(slope)) > {{ var('steep_slope') }}, false) as is_steep,
        count(*) filter (flag = 'one_class' and fold is not null) as n_one_class,
        count(*) filter (flag = 'constant_score' and fold is not null) as n_constant_score,
        any_value(slope) filter (fold is null) as slope,
        any_value(intercept) filter (fold is null) as intercept,
    from fits
    group by all
),

summed_up as (
    select
        subjects.subject_no,
        rescalers.rescaler,
        case
            when subjects.n_used = 0 then 'empty'
            when tallied.n_too_few > 0 then 'n_lt_min'
            when tallied.n_failed > 0 then 'fit_failed'
            when tallied.n_folds > 0 then null
            -- isotonic curves are fitted beside Platt's, where there are rows enough
            when rescalers.rescaler = 'isotonic' and lines.n_folds > 0 then 'n_lt_min'
            when rescalers.rescaler = 'isotonic' and lines.n_too_few > 0 then 'n_lt_min'
            else 'not_fitted'
        end as null_reason,
        coalesce(tallied.is_steep, false) as is_steep,
        coalesce(tallied.n_one_class, 0) as n_one_class,
        coalesce(tallied.n_constant_score, 0) as n_constant_score,
        if(rescalers.rescaler = 'isotonic', null, tallied.slope) as slope,
        if(rescalers.rescaler = 'isotonic', null, tallied.intercept) as intercept,
    from subjects
    inner join rescalers on subjects.version = rescalers.version
    left join tallied
        on
            subjects.subject_no = tallied.subject_no
            and rescalers.rescaler = tallied.rescaler
    left join tallied as lines
        on
            subjects.subject_no = lines.subject_no
            and lines.rescaler = 'platt'
)

select * from summed_up
