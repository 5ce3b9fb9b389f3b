{#- Folds of the paper's cross-validation, and the skill below which it omits a scaled ECE. -#}
{% set n_folds = 5 %}
{% set least_skill = 0.05 %}
{% set cell = ['table_no', 'lm', 'dataset', 'measure'] %}

with scores as (
    select *
    from {{ ref('int_published_score') }}
),

printed_scores as (
    select *
    from scores
    where printed is not null
),

briers as (
    select *
    from printed_scores
    where statistic = 'brier'
),

skills as (
    select *
    from printed_scores
    where statistic = 'skill_score'
),

calibration_errors as (
    select *
    from scores
    where statistic = 'ece'
),

form_checks as (
    select
        * exclude (tolerance),
        0.0 as tolerance,
        'two_decimals' as check_name,
        result_id as item,
        round(printed, 2) as ours,
        printed is null or regexp_full_match(printed_text, '-?[0-9][.][0-9]{2}') as agrees,
        if(
            printed is null,
            'An empty cell has no decimals.',
            'Tables 5 to 8 have one digit and two decimals.'
        ) as note,
    from scores
),

-- the Unskilled measure answers the base rate, so its Brier score is that of the base rate
unskilled_checks as (
    select
        *,
        'unskilled_brier' as check_name,
        result_id as item,
        reference_brier as ours,
        abs(reference_brier - printed) <= tolerance as agrees,
        'Base rate (1 - base rate), base rate from the counts of Table 2.' as note,
    from briers
    where measure = 'unskilled'
),

-- a base rate taken from the other folds: in expectation over all ways to cut them, exactly
-- N / (N - 1) (1 + 1 / n_train) times that of the whole
cross_validated as (
    select
        *,
        reference_brier * n_total / (n_total - 1)
        * (1 + 1 / (n_total * {{ (n_folds - 1) / n_folds }})) as crossed_brier,
    from briers
    where
        measure = 'unskilled'
        and rescaler = 'platt'
),

cross_validated_checks as (
    select
        *,
        'unskilled_brier_cross_validated' as check_name,
        result_id as item,
        crossed_brier as ours,
        abs(crossed_brier - printed) <= tolerance as agrees,
        'Expected Brier score of a base rate estimated on the other four folds.' as note,
    from cross_validated
),

-- nothing is gained over itself, and one confidence for all orders nothing
unskilled_reference_checks as (
    select
        * exclude (tolerance),
        0.0 as tolerance,
        'unskilled_reference' as check_name,
        result_id as item,
        if(statistic = 'auroc', 0.5, 0.0) as ours,
        printed = if(statistic = 'auroc', 0.5, 0.0) as agrees,
        'The base rate has no skill, no calibration error, and an AUROC of 0.5.' as note,
    from printed_scores
    where
        measure = 'unskilled'
        and statistic != 'brier'
),

-- both the Brier score and the skill score are rounded: their half units add
skill_checks as (
    select
        skills.* exclude (tolerance),
        'skill_score_identity' as check_name,
        skills.result_id as item,
        1 - briers.printed / skills.reference_brier as ours,
        skills.tolerance + briers.tolerance / skills.reference_brier as tolerance,
        abs(1 - briers.printed / skills.reference_brier - skills.printed)
        <= skills.tolerance + briers.tolerance / skills.reference_brier as agrees,
        '1 - B / Bref from the printed B; tolerance: the rounding of both.' as note,
    from skills
    inner join briers on {{ equal(cell, 'skills', 'briers') }}
    where skills.measure != 'unskilled'
),

-- a scaled ECE is left out when the skill score, before rounding, is below the least skill
omission_checks as (
    select
        skills.*,
        'scaled_ece_omitted' as check_name,
        skills.result_id as item,
        {{ least_skill }} as ours,
        if(
            calibration_errors.printed is null,
            skills.printed - skills.tolerance < {{ least_skill }},
            skills.printed + skills.tolerance >= {{ least_skill }}
        ) as agrees,
        if(
            calibration_errors.printed is null,
            'No ECE printed: the skill score before rounding must be below the threshold.',
            'ECE printed: the skill score before rounding must reach the threshold.'
        ) as note,
    from skills
    inner join calibration_errors on {{ equal(cell, 'skills', 'calibration_errors') }}
    where skills.rescaler = 'platt'
),

-- a mean of absolute values is at most the root of the mean of squares, in every bin too
error_checks as (
    select
        calibration_errors.*,
        'ece_at_most_root_of_brier' as check_name,
        calibration_errors.result_id as item,
        sqrt(briers.printed + briers.tolerance) as ours,
        calibration_errors.printed - calibration_errors.tolerance
        <= sqrt(briers.printed + briers.tolerance) as agrees,
        'Root of the largest Brier score that rounds to the printed one.' as note,
    from calibration_errors
    inner join briers on {{ equal(cell, 'calibration_errors', 'briers') }}
    where calibration_errors.printed is not null
),

-- exact match is the only notion that SStubs has, so its cells are in both tables
repeated_checks as (
    select
        repeated.* exclude (tolerance),
        0.0 as tolerance,
        'table_7_repeats_table_6' as check_name,
        repeated.result_id as item,
        original.printed as ours,
        coalesce(repeated.printed_text, repeated.cell_note)
        = coalesce(original.printed_text, original.cell_note) as agrees,
        'The same cell of Table 6, empty where that is.' as note,
    from scores as repeated
    inner join scores as original
        on
            repeated.lm = original.lm
            and repeated.dataset = original.dataset
            and repeated.notion = original.notion
            and repeated.measure = original.measure
            and repeated.statistic = original.statistic
    where
        repeated.dataset = 'manysstubs4j'
        and repeated.table_no = '7'
        and original.table_no = '6'
),

-- a dash is printed where too few answers are right; a scaled ECE is left blank there
dash_checks as (
    select
        scores.*,
        'dash_below_one_percent' as check_name,
        scores.result_id as item,
        100 * scores.n_correct / scores.n_total as ours,
        100 * scores.n_correct / scores.n_total < threshold.value as agrees,
        'Percentage of right samples: below that of the captions.' as note,
    from scores
    inner join {{ ref('published_results') }} as threshold
        on
            scores.paper = threshold.paper
            and threshold.statistic = 'accuracy_threshold'
    where
        scores.cell_note like 'omitted:%'
        and not (scores.statistic = 'ece' and scores.rescaler = 'platt')
),

-- whether a measure tells right from wrong, beside what scaling makes of it
ordered as (
    select
        orders.paper,
        orders.printed as auroc,
        skills.printed as skill_score,
    from printed_scores as orders
    inner join skills
        on
            orders.lm = skills.lm
            and orders.dataset = skills.dataset
            and orders.measure = skills.measure
    where
        orders.statistic = 'auroc'
        and orders.measure != 'unskilled'
        and skills.table_no = '6'
),

correlation_checks as (
    select
        paper,
        'auroc_and_scaled_skill_score' as check_name,
        'Pearson correlation of Table 8 with the skill scores of Table 6' as item,
        cast(null as varchar) as printed_text,
        cast(null as double) as printed,
        {{ pearson('auroc', 'skill_score') }} as ours,
        cast(null as double) as tolerance,
        cast(null as boolean) as agrees,
        'Over ' || count(*) || ' cells; the paper prints no number for it.' as note,
    from ordered
    group by paper
),

checks as (
    {{ stacked_checks([
        'form_checks', 'unskilled_checks', 'cross_validated_checks', 'unskilled_reference_checks',
        'skill_checks', 'omission_checks', 'error_checks', 'repeated_checks', 'dash_checks',
        'correlation_checks',
    ]) }}
)

select * from checks
