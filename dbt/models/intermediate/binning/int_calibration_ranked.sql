with levels as (
    select *
    from {{ ref('int_calibration_level') }}
),

fits as (
    select *
    from {{ ref('int_calibration_fit_chosen') }}
    where
        rescaler = 'isotonic'
        and fold is null
        and null_reason is null
),

{{ ranks_compared() }},

steps as (
    select
        subject_no,
        len(steps_x) as n_steps,
        unnest(steps_x) as p,
        unnest(steps_y) as level,
    from fits
),

-- rows between two points of the curve have the later point's level: the curve was fitted to them
steps_held as (
    select
        steps.subject_no,
        steps.n_steps,
        steps.level,
        levels.w_right
        - lag(levels.w_right, 1, 0) over (
            partition by steps.subject_no
            order by steps.p
        ) as w_right,
        levels.w_wrong
        - lag(levels.w_wrong, 1, 0) over (
            partition by steps.subject_no
            order by steps.p
        ) as w_wrong,
    from steps
    inner join levels
        on
            steps.subject_no = levels.subject_no
            and steps.p = levels.p
),

best_losses as (
    select
        subject_no,
        sum(w_right * (1 - level) * (1 - level) + w_wrong * level * level) as loss,
    from steps_held
    group by all
    having count(*) = any_value(n_steps)
),

ranked as (
    select
        ranks_compared.subject_no,
        {{ auroc('ranks_compared') }} as auroc,
        best_losses.loss / (ranks_compared.w_right + ranks_compared.w_wrong) as brier_recalibrated,
    from ranks_compared
    left join best_losses on ranks_compared.subject_no = best_losses.subject_no
)

select * from ranked
