{% set columns = 'paper, check_name, item, printed_text, printed, ours, tolerance, agrees, '
    'status, note' %}

with results as (
    select
        result_id,
        paper,
        table_no,
        lm,
        dataset,
        statistic,
        setting,
        printed as printed_text,
        value as printed,
        {{ half_unit('decimals') }} as tolerance,
    from {{ ref('published_results') }}
    where paper = 'round_trip'
),

counts as (
    select
        paper,
        lm,
        dataset,
        variant,
        n_correct,
        n_total,
    from {{ ref('published_counts') }}
    where paper = 'round_trip'
),

elsewhere as (
    select
        result_id,
        source,
        value,
        note,
    from {{ ref('published_elsewhere') }}
    where paper = 'round_trip'
),

correlations as (
    select
        paper,
        dataset,
        n,
        pearson,
        spearman,
    from {{ ref('rtc_vs_pass_at_1', v=1) }}
    where
        source = 'published'
        and statistic = 'rtc_pass'
),

correlation_checks as (
    select
        results.paper,
        'correlation' as check_name,
        results.result_id as item,
        results.printed_text,
        results.printed,
        if(results.statistic = 'pearson', correlations.pearson, correlations.spearman) as ours,
        results.tolerance,
        abs(ours - results.printed) <= results.tolerance as agrees,
        'computed' as status,
        'RTC_pass and pass@1 of the ' || correlations.n || ' language models of Table 2.' as note,
    from results
    inner join correlations
        on
            results.paper = correlations.paper
            and results.dataset = correlations.dataset
    where
        results.table_no = 'text'
        and results.statistic in ('pearson', 'spearman')
),

-- the integers of the round trips and of the baseline, for each language model of Table 2
split_counts as (
    select
        paper,
        lm,
        dataset,
        max(n_correct) filter (variant = 'round_trip') as n_right,
        max(n_total) filter (variant = 'round_trip') as n_round_trips,
        max(n_correct) filter (variant = 'uninformative') as n_uninformed,
        max(n_total) filter (variant = 'uninformative') as n_problems,
    from counts
    group by paper, lm, dataset
),

counted as (
    select
        results.*,
        split_counts.n_right,
        split_counts.n_round_trips,
        split_counts.n_uninformed,
        split_counts.n_problems,
        100 * split_counts.n_right / split_counts.n_round_trips as rtc_pass,
        100 * split_counts.n_uninformed / split_counts.n_problems as baseline,
    from results
    inner join split_counts
        on
            results.paper = split_counts.paper
            and results.lm = split_counts.lm
            and results.dataset = split_counts.dataset
    where results.table_no = '2'
),

rtc_checks as (
    select
        paper,
        'rtc_pass_count' as check_name,
        result_id as item,
        printed_text,
        printed,
        rtc_pass as ours,
        tolerance,
        abs(rtc_pass - printed) <= tolerance as agrees,
        'computed' as status,
        n_right || ' of ' || n_round_trips || ' round trips.' as note,
    from counted
    where statistic = 'rtc_pass'
),

lift_checks as (
    select
        paper,
        'lift_count' as check_name,
        result_id as item,
        printed_text,
        printed,
        rtc_pass - baseline as ours,
        tolerance,
        abs(rtc_pass - baseline - printed) <= tolerance as agrees,
        'computed' as status,
        n_right || ' of ' || n_round_trips || ' round trips less ' || n_uninformed || ' of '
        || n_problems || ' programs of the uninformative text: one a problem.' as note,
    from counted
    where statistic = 'lift_pass'
),

pass_checks as (
    select
        paper,
        'pass_at_1_count' as check_name,
        result_id as item,
        printed_text,
        printed,
        100 * round(printed * n_problems / 100) / n_problems as ours,
        tolerance,
        abs(100 * round(printed * n_problems / 100) / n_problems - printed) <= tolerance as agrees,
        'computed' as status,
        'The nearest share is ' || cast(round(printed * n_problems / 100) as integer) || ' of '
        || n_problems || ' problems, one sample each.' as note,
    from counted
    where statistic = 'pass_at_1'
),

decimal_checks as (
    select
        paper,
        'one_decimal' as check_name,
        result_id as item,
        printed_text,
        printed,
        round(printed, 1) as ours,
        0.0 as tolerance,
        printed is null or regexp_full_match(printed_text, '-?[0-9]+[.][0-9]') as agrees,
        'computed' as status,
        if(
            printed is null, 'An empty cell has no decimals.', 'Tables 2 and 3 have one decimal.'
        ) as note,
    from results
    where table_no in ('2', '3')
),

-- an example has three samples, each with a BLEU score and a mark
samples as (
    select
        paper,
        table_no,
        split_part(setting, '; ', 1) as example,
        count(printed) filter (statistic = 'bleu') as n_scores,
        avg(printed) filter (statistic = 'bleu') as mean_bleu,
        count(printed) filter (statistic = 'edit_exact_match') as n_marks,
        count(*) filter (statistic = 'edit_exact_match') as n_samples,
        sum(printed) filter (statistic = 'edit_exact_match') as n_matches,
    from results
    where
        table_no in ('figure', 'appendix')
        and split_part(setting, '; ', 2) like 'sample %'
    group by all
),

example_bleu_checks as (
    select
        results.paper,
        'example_bleu' as check_name,
        results.result_id as item,
        results.printed_text,
        results.printed,
        samples.mean_bleu as ours,
        results.tolerance,
        abs(samples.mean_bleu - results.printed) <= results.tolerance as agrees,
        'computed' as status,
        'Mean over ' || samples.n_scores || ' samples.' as note,
    from results
    inner join samples
        on
            results.paper = samples.paper
            and results.table_no = samples.table_no
            and results.setting = samples.example
    where results.statistic = 'mean_bleu'
),

example_match_checks as (
    select
        results.paper,
        'example_exact_match' as check_name,
        results.result_id as item,
        results.printed_text,
        results.printed,
        if(
            samples.n_marks = samples.n_samples, 100 * samples.n_matches / samples.n_samples, null
        ) as ours,
        results.tolerance,
        abs(ours - results.printed) <= results.tolerance as agrees,
        'computed' as status,
        if(
            samples.n_marks = samples.n_samples,
            cast(samples.n_matches as integer) || ' of ' || samples.n_samples || ' samples match.',
            'Marks lost in the text at hand: ' || (samples.n_samples - samples.n_marks) || '.'
        ) as note,
    from results
    inner join samples
        on
            results.paper = samples.paper
            and results.table_no = samples.table_no
            and results.setting = samples.example
    where results.statistic = 'rtc_exact_match'
),

text_checks as (
    select
        told.paper,
        'example_in_text' as check_name,
        told.result_id as item,
        told.printed_text,
        told.printed,
        shown.printed as ours,
        told.tolerance,
        abs(shown.printed - told.printed) <= told.tolerance as agrees,
        'computed' as status,
        'As shown in the ' || shown.table_no || '.' as note,
    from results as told
    inner join results as shown
        on
            told.paper = shown.paper
            and told.statistic = shown.statistic
            and regexp_replace(told.setting, ' example$', '') = shown.setting
    where
        told.table_no = 'text'
        and shown.table_no in ('figure', 'appendix')
        and told.statistic in ('rtc_exact_match', 'mean_bleu')
),

-- samples of synthesis, which the text gives without a dataset
round_trips as (
    select
        paper,
        max(printed) filter (statistic = 'n_forward_samples')
        * max(printed) filter (statistic = 'n_backward_samples') as n,
    from results
    where
        table_no = 'text'
        and dataset is null
    group by paper
),

share_checks as (
    select
        results.paper,
        'example_share' as check_name,
        results.result_id as item,
        results.printed_text,
        results.printed,
        round(results.printed * round_trips.n) / round_trips.n as ours,
        results.tolerance,
        abs(ours - results.printed) <= results.tolerance as agrees,
        'computed' as status,
        cast(round(results.printed * round_trips.n) as integer) || ' of '
        || cast(round_trips.n as integer) || ' round trips.' as note,
    from results
    inner join round_trips on results.paper = round_trips.paper
    where
        results.table_no = 'text'
        and results.statistic = 'rtc_pass'
),

projects as (
    select
        paper,
        dataset,
        max(printed) filter (statistic = 'n_projects' and setting = 'resulting') as n_projects,
        max(printed) filter (statistic = 'n_regions_per_project') as n_regions,
    from results
    where table_no = 'text'
    group by paper, dataset
),

project_checks as (
    select
        results.paper,
        'project_count' as check_name,
        results.result_id as item,
        results.printed_text,
        results.printed,
        projects.n_projects as ours,
        0.0 as tolerance,
        results.printed = projects.n_projects as agrees,
        'computed' as status,
        case results.setting
            when 'resulting' then 'The number that the others are held against.'
            when 'collected'
                then
                    'Projects of the resulting dataset; projects with too few regions were dropped.'
            else 'Projects of the resulting dataset, as in the text.'
        end as note,
    from results
    inner join projects
        on
            results.paper = projects.paper
            and results.dataset = projects.dataset
    where results.statistic = 'n_projects'
),

sample_checks as (
    select
        results.paper,
        'most_samples' as check_name,
        results.result_id as item,
        results.printed_text,
        results.printed,
        projects.n_projects * projects.n_regions as ours,
        0.0 as tolerance,
        results.printed <= projects.n_projects * projects.n_regions as agrees,
        'computed' as status,
        'Most samples of ' || cast(projects.n_projects as integer) || ' projects with '
        || cast(projects.n_regions as integer) || ' regions each.' as note,
    from results
    inner join projects
        on
            results.paper = projects.paper
            and results.dataset = projects.dataset
    where
        results.statistic = 'n_total'
        and projects.n_projects is not null
),

elsewhere_checks as (
    select
        results.paper,
        elsewhere.source as check_name,
        results.result_id as item,
        results.printed_text,
        results.printed,
        elsewhere.value as ours,
        results.tolerance,
        abs(elsewhere.value - results.printed) <= results.tolerance as agrees,
        'cited' as status,
        elsewhere.note,
    from results
    inner join elsewhere on results.result_id = elsewhere.result_id
),

checks as (
    {% for check in [
        'correlation', 'rtc', 'lift', 'pass', 'decimal', 'example_bleu', 'example_match', 'text',
        'share', 'project', 'sample', 'elsewhere',
    ] %}
    select {{ columns }} from {{ check }}_checks
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

{{ explained_checks() }}

select * from explained
