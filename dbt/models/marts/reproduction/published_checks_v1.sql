{#- Folds of the paper's cross-validation, and the skill below which it omits a scaled ECE. -#}
{% set n_folds = 5 %}
{% set least_skill = 0.05 %}
{% set columns = 'paper, check_name, item, printed_text, printed, ours, tolerance, agrees, '
    'status, note' %}

with results as (
    select
        result_id,
        paper,
        table_no,
        lm,
        dataset,
        notion,
        measure,
        rescaler,
        statistic,
        setting,
        printed as printed_text,
        value as printed,
        {{ half_unit('decimals') }} as tolerance,
    from {{ ref('published_results') }}
),

counts as (
    select
        paper,
        table_no,
        lm,
        dataset,
        variant,
        notion,
        n_correct,
        n_total,
    from {{ ref('published_counts') }}
),

aggregates as (
    select
        paper,
        aggregate,
        printed as printed_text,
        value as printed,
        {{ half_unit('decimals') }} as tolerance,
        recomputed,
        derivable,
        note,
    from {{ ref('published_aggregates') }}
),

-- the Unskilled measure answers the base rate, so its Brier score is that of the base rate
unskilled as (
    select
        results.paper,
        results.result_id,
        results.table_no,
        results.rescaler,
        results.printed_text,
        results.printed,
        results.tolerance,
        {{ reference_brier('counts.n_correct', 'counts.n_total') }} as brier,
        counts.n_total,
    from results
    inner join counts
        on
            results.paper = counts.paper
            and results.lm = counts.lm
            and results.dataset = counts.dataset
            and results.notion = counts.notion
    where
        counts.variant = 'original'
        and results.measure = 'unskilled'
        and results.statistic = 'brier'
),

unskilled_checks as (
    select
        paper,
        'unskilled_brier' as check_name,
        result_id as item,
        printed_text,
        printed,
        brier as ours,
        tolerance,
        abs(brier - printed) <= tolerance as agrees,
        'computed' as status,
        if(
            rescaler = 'platt',
            'Base rate (1 - base rate); the scaled tables print another: see the next check.',
            'Base rate (1 - base rate), base rate from the counts of Tables 2 and 3.'
        ) as note,
    from unskilled
),

-- a base rate taken from the other folds: in expectation over all ways to cut them, exactly
-- N / (N - 1) (1 + 1 / n_train) times that of the whole
cross_validated as (
    select
        paper,
        result_id,
        printed_text,
        printed,
        tolerance,
        brier * n_total / (n_total - 1)
        * (1 + 1 / (n_total * {{ (n_folds - 1) / n_folds }})) as brier,
    from unskilled
    where rescaler = 'platt'
),

cross_validated_checks as (
    select
        paper,
        'unskilled_brier_cross_validated' as check_name,
        result_id as item,
        printed_text,
        printed,
        brier as ours,
        tolerance,
        abs(brier - printed) <= tolerance as agrees,
        'computed' as status,
        'Expected Brier score of a base rate estimated on the other four folds.' as note,
    from cross_validated
),

skill_scores as (
    select
        skill.paper,
        skill.result_id,
        skill.printed_text,
        skill.printed,
        brier.printed as brier,
        {{ reference_brier('counts.n_correct', 'counts.n_total') }} as reference_brier,
        skill.tolerance as skill_rounding,
        brier.tolerance as brier_rounding,
    from results as skill
    inner join results as brier
        on
            skill.paper = brier.paper
            and skill.table_no = brier.table_no
            and skill.lm = brier.lm
            and skill.dataset = brier.dataset
            and skill.notion = brier.notion
            and skill.measure = brier.measure
    inner join counts
        on
            skill.paper = counts.paper
            and skill.lm = counts.lm
            and skill.dataset = counts.dataset
            and skill.notion = counts.notion
    where
        skill.statistic = 'skill_score'
        and brier.statistic = 'brier'
        and counts.variant = 'original'
),

-- both the Brier score and the skill score are rounded: their half units add
skill_checks as (
    select
        paper,
        'skill_score_identity' as check_name,
        result_id as item,
        printed_text,
        printed,
        1 - brier / reference_brier as ours,
        skill_rounding + brier_rounding / reference_brier as tolerance,
        abs(1 - brier / reference_brier - printed)
        <= skill_rounding + brier_rounding / reference_brier as agrees,
        'computed' as status,
        '1 - B / Bref from the printed B; tolerance: the rounding of both.' as note,
    from skill_scores
),

shares as (
    select
        paper,
        result_id,
        table_no,
        lm,
        dataset,
        setting,
        notion,
        printed_text,
        printed,
        tolerance,
    from results
    where statistic = 'share'
),

-- Table 4 splits one number of samples by both notions of correctness
split_counts as (
    select
        paper,
        dataset,
        any_value(n_total) as n_total,
        max(n_correct) filter (notion = 'neither') as neither,
        max(n_correct) filter (notion = 'all_pass_only') as all_pass_only,
        max(n_correct) filter (notion = 'exact_match_only') as exact_match_only,
        max(n_correct) filter (notion = 'both') as both_right,
    from counts
    where table_no = '4'
    group by paper, dataset
),

share_checks as (
    select
        shares.paper,
        'table_4_share' as check_name,
        shares.result_id as item,
        shares.printed_text,
        shares.printed,
        100 * case shares.notion
            when 'neither' then split_counts.neither
            when 'all_pass_only' then split_counts.all_pass_only
            when 'exact_match_only' then split_counts.exact_match_only
            when 'both' then split_counts.both_right
            when 'all_pass' then split_counts.all_pass_only + split_counts.both_right
            when 'not_all_pass' then split_counts.neither + split_counts.exact_match_only
            when 'exact_match' then split_counts.exact_match_only + split_counts.both_right
            when 'not_exact_match' then split_counts.neither + split_counts.all_pass_only
        end / split_counts.n_total as ours,
        shares.tolerance,
        abs(ours - shares.printed) <= shares.tolerance as agrees,
        'computed' as status,
        'From the four counts of Table 4.' as note,
    from shares
    inner join split_counts
        on
            shares.paper = split_counts.paper
            and shares.dataset = split_counts.dataset
    where shares.table_no = '4'
),

counted_share_checks as (
    select
        shares.paper,
        'table_3_share' as check_name,
        shares.result_id as item,
        shares.printed_text,
        shares.printed,
        100 * counts.n_correct / counts.n_total as ours,
        shares.tolerance,
        abs(ours - shares.printed) <= shares.tolerance as agrees,
        'computed' as status,
        'From the counts of Tables 2 and 3.' as note,
    from shares
    inner join counts
        on
            shares.paper = counts.paper
            and shares.lm = counts.lm
            and shares.dataset = counts.dataset
            and shares.notion = counts.notion
            and if(shares.setting = 'no docstring', 'no_docstring', 'original') = counts.variant
    where shares.table_no = '3'
),

-- its margins are correctness rates, and so must be those of a language model of Tables 2 and 3
margins as (
    select
        split_counts.paper,
        split_counts.dataset,
        split_counts.n_total,
        margin.notion,
        margin.n_correct,
    from split_counts
    cross join lateral (
        values
        ('all_pass', split_counts.all_pass_only + split_counts.both_right),
        ('exact_match', split_counts.exact_match_only + split_counts.both_right)
    ) as margin (notion, n_correct)
),

margin_checks as (
    select
        margins.paper,
        'table_4_margin' as check_name,
        margins.dataset || '.' || margins.notion as item,
        cast(null as varchar) as printed_text,
        cast(null as double) as printed,
        cast(margins.n_correct as double) as ours,
        0.0 as tolerance,
        count(counts.lm) > 0 as agrees,
        'computed' as status,
        'Right samples; language models of Tables 2 and 3 with as many: '
        || coalesce(string_agg(counts.lm, ', ' order by counts.lm), 'none') || '.' as note,
    from margins
    left join counts
        on
            margins.paper = counts.paper
            and margins.dataset = counts.dataset
            and margins.notion = counts.notion
            and margins.n_correct = counts.n_correct
            and margins.n_total = counts.n_total
            and counts.variant = 'original'
    group by margins.paper, margins.dataset, margins.notion, margins.n_correct
),

stated_sizes as (
    select
        paper,
        result_id,
        dataset,
        printed_text,
        printed,
    from results
    where statistic = 'n_total'
),

-- a size fits when some integers of that size round to every percentage printed of it
sizes as (
    select
        shares.paper,
        shares.dataset,
        candidate.n,
    from shares
    inner join stated_sizes
        on
            shares.paper = stated_sizes.paper
            and shares.dataset = stated_sizes.dataset
    cross join lateral range(1, cast(stated_sizes.printed as bigint) + 1) as candidate (n)
    group by shares.paper, shares.dataset, candidate.n
    having
        bool_and(
            abs(
                100 * round(shares.printed * candidate.n / 100) / candidate.n - shares.printed
            ) <= shares.tolerance
        )
        and sum(round(shares.printed * candidate.n / 100)) filter (
            shares.notion in ('neither', 'all_pass_only', 'exact_match_only', 'both')
        ) = candidate.n
),

fitting_sizes as (
    select
        paper,
        dataset,
        max(n) as largest_n,
        string_agg(n, ', ' order by n) as all_n,
    from sizes
    group by paper, dataset
),

size_checks as (
    select
        stated_sizes.paper,
        'stated_size' as check_name,
        stated_sizes.result_id as item,
        stated_sizes.printed_text,
        stated_sizes.printed,
        cast(fitting_sizes.largest_n as double) as ours,
        0.0 as tolerance,
        stated_sizes.printed = fitting_sizes.largest_n as agrees,
        'computed' as status,
        'Largest size up to the stated one that fits Tables 3 and 4; those that fit: '
        || fitting_sizes.all_n || '.' as note,
    from stated_sizes
    inner join fitting_sizes
        on
            stated_sizes.paper = fitting_sizes.paper
            and stated_sizes.dataset = fitting_sizes.dataset
),

counted_sizes as (
    select
        paper,
        dataset,
        max(n_total) as n_total,
        count(distinct n_total) as n_sizes,
    from counts
    group by paper, dataset
),

count_checks as (
    select
        stated_sizes.paper,
        'counted_size' as check_name,
        stated_sizes.result_id as item,
        stated_sizes.printed_text,
        stated_sizes.printed,
        cast(counted_sizes.n_total as double) as ours,
        0.0 as tolerance,
        stated_sizes.printed = counted_sizes.n_total and counted_sizes.n_sizes = 1 as agrees,
        'computed' as status,
        'The one size of all counts behind the percentages of this dataset.' as note,
    from stated_sizes
    inner join counted_sizes
        on
            stated_sizes.paper = counted_sizes.paper
            and stated_sizes.dataset = counted_sizes.dataset
),

-- a scaled ECE is left out when the skill score, before rounding, is below the least skill
omission_checks as (
    select
        skill.paper,
        'scaled_ece_omitted' as check_name,
        skill.result_id as item,
        skill.printed_text,
        skill.printed,
        {{ least_skill }} as ours,
        skill.tolerance,
        if(
            ece.printed is null,
            skill.printed - skill.tolerance < {{ least_skill }},
            skill.printed + skill.tolerance >= {{ least_skill }}
        ) as agrees,
        'computed' as status,
        if(
            ece.printed is null,
            'No ECE printed: the skill score before rounding must be below the threshold.',
            'ECE printed: the skill score before rounding must reach the threshold.'
        ) as note,
    from results as skill
    inner join results as ece
        on
            skill.paper = ece.paper
            and skill.table_no = ece.table_no
            and skill.lm = ece.lm
            and skill.dataset = ece.dataset
            and skill.measure is not distinct from ece.measure
    where
        skill.rescaler = 'platt'
        and skill.statistic = 'skill_score'
        and ece.statistic = 'ece'
),

aggregate_checks as (
    select
        paper,
        'aggregate' as check_name,
        aggregate as item,
        printed_text,
        printed,
        recomputed as ours,
        tolerance,
        abs(recomputed - printed) <= tolerance as agrees,
        if(derivable, 'cited', 'not_derivable') as status,
        coalesce(note, 'Recomputed from cells that are not in published_results.') as note,
    from aggregates
),

checks as (
    select {{ columns }} from unskilled_checks
    union all
    select {{ columns }} from cross_validated_checks
    union all
    select {{ columns }} from skill_checks
    union all
    select {{ columns }} from share_checks
    union all
    select {{ columns }} from counted_share_checks
    union all
    select {{ columns }} from margin_checks
    union all
    select {{ columns }} from size_checks
    union all
    select {{ columns }} from count_checks
    union all
    select {{ columns }} from omission_checks
    union all
    select {{ columns }} from aggregate_checks
)

select * from checks
