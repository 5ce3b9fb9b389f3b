with results as (
    select
        result_id,
        paper,
        table_no,
        lm,
        dataset,
        measure,
        statistic,
        setting,
        printed as printed_text,
        value as printed,
        {{ half_unit('decimals') }} as tolerance,
    from {{ ref('published_results') }}
    where
        paper = 'diversity'
        and (value is not null or table_no = '4')
),

similarities as (
    select
        *,
        cast(nullif(regexp_extract(setting, '[0-9.]+$'), '') as double) as temperature,
        list_position(
            ['apps-introductory', 'apps-interview', 'apps-competition'], dataset
        ) as level_no,
    from results
    where table_no = '2'
),

strategies as (
    select
        *,
        split_part(setting, '; ', 1) as strategy,
    from results
    where table_no = '3'
),

form_checks as (
    select
        paper,
        'percentage_with_one_decimal' as check_name,
        result_id as item,
        printed_text,
        printed,
        round(printed, 1) as ours,
        0.0 as tolerance,
        printed is null
        or (regexp_full_match(printed_text, '[0-9]+[.][0-9]') and printed <= 100) as agrees,
        if(
            printed is null,
            'A dash has no decimals.',
            'Tables 2 to 4 have one decimal, from 0 to 100.'
        ) as note,
    from results
    where table_no in ('2', '3', '4')
),

-- fifty problems with five pairs or ten samples each; all of HumanEval has 164
counted as (
    select
        similarities.*,
        'share_of_pairs_of_50_problems' as check_name,
        250 as n,
    from similarities
    where similarities.measure = 'scc'
    union all by name
    select
        similarities.*,
        'share_of_pairs_of_164_problems' as check_name,
        820 as n,
    from similarities
    where
        similarities.measure = 'scc'
        and similarities.dataset = 'humaneval'
    union all by name
    select
        strategies.*,
        'share_of_samples_of_50_problems' as check_name,
        500 as n,
    from strategies
    where strategies.statistic = 'pass_at_1'
),

count_checks as (
    select
        paper,
        check_name,
        result_id as item,
        printed_text,
        printed,
        100 * round(printed * n / 100) / n as ours,
        tolerance,
        abs(100 * round(printed * n / 100) / n - printed) <= tolerance as agrees,
        'The nearest whole number of ' || n || '.' as note,
    from counted
),

-- a number that is of neither size comes from other pairs than these
either_checks as (
    select
        paper,
        'share_of_pairs_of_50_or_164_problems' as check_name,
        item,
        printed_text,
        printed,
        arg_min(ours, (abs(ours - printed), ours)) as ours,
        tolerance,
        bool_or(agrees) as agrees,
        'The nearest whole number of 250 or of 820.' as note,
    from count_checks
    where check_name like 'share_of_pairs_of_%'
    group by paper, item, printed_text, printed, tolerance
    having count(*) > 1
),

temperature_checks as (
    select
        {{ cell_beside('warm', 'cool') }}
        'falls_with_temperature' as check_name,
        warm.printed <= cool.printed as agrees,
        'The same at the temperature ' || cool.temperature || '.' as note,
    from similarities as warm
    inner join similarities as cool
        on
            warm.lm = cool.lm
            and warm.dataset = cool.dataset
            and warm.measure = cool.measure
            and warm.temperature > cool.temperature
),

difficulty_checks as (
    select
        {{ cell_beside('harder', 'easier') }}
        'falls_with_difficulty' as check_name,
        harder.printed <= easier.printed as agrees,
        'The same on ' || easier.dataset || '.' as note,
    from similarities as harder
    inner join similarities as easier
        on
            harder.lm = easier.lm
            and harder.measure = easier.measure
            and harder.temperature = easier.temperature
            and harder.level_no = easier.level_no + 1
),

vanilla_checks as (
    select
        {{ cell_beside('strategies', 'similarities') }}
        'unnamed_similarity_is_that_of_the_judge' as check_name,
        strategies.printed = similarities.printed as agrees,
        'Table 2, the judge at the same temperature.' as note,
    from strategies
    inner join similarities
        on
            strategies.lm = similarities.lm
            and strategies.dataset = similarities.dataset
    where
        strategies.strategy = 'vanilla'
        and strategies.statistic = 'sim_at_10'
        and similarities.measure = 'llm_judge'
        and similarities.temperature = 0.2
),

strategy_checks as (
    select
        {{ cell_beside('strategies', 'vanilla') }}
        if(
            strategies.statistic = 'sim_at_10', 'strategy_raises_similarity',
            'planning_lowers_pass_at_1'
        ) as check_name,
        if(
            strategies.statistic = 'sim_at_10',
            strategies.printed > vanilla.printed,
            strategies.printed < vanilla.printed
        ) as agrees,
        'The same without a strategy.' as note,
    from strategies
    inner join strategies as vanilla
        on
            strategies.dataset = vanilla.dataset
            and strategies.statistic = vanilla.statistic
    where
        vanilla.strategy = 'vanilla'
        and strategies.strategy != 'vanilla'
        and (strategies.statistic = 'sim_at_10' or strategies.strategy = 'planning')
),

correlations as (
    select
        *,
        replace(setting, 'with ', '') as other,
    from results
    where table_no = '4'
),

symmetry_checks as (
    select
        {{ cell_beside('below', 'above') }}
        'correlation_is_symmetric' as check_name,
        below.printed = above.printed as agrees,
        'The cell on the other side of the diagonal.' as note,
    from correlations as below
    inner join correlations as above
        on
            below.measure = above.other
            and below.other = above.measure
            and below.measure < above.measure
),

dash_checks as (
    select
        paper,
        'correlation_with_itself_is_a_dash' as check_name,
        result_id as item,
        printed_text,
        printed,
        cast(null as double) as ours,
        0.0 as tolerance,
        printed is null as agrees,
        'Table 4 has a dash on its diagonal.' as note,
    from correlations
    where measure = other
),

about_checks as (
    select
        stated.paper,
        stated.result_id as item,
        stated.printed_text,
        stated.printed,
        correlations.printed as ours,
        2.0 as tolerance,
        'encoder_agrees_with_people_by_about' as check_name,
        abs(correlations.printed - stated.printed) <= 2 as agrees,
        'Table 4; about is taken as within 2 points.' as note,
    from results as stated
    inner join correlations on stated.measure = correlations.measure
    where
        stated.table_no = 'text'
        and stated.statistic = 'pearson'
        and correlations.other = 'human'
),

judge_checks as (
    select
        stated.paper,
        'judge_agrees_with_people_more' as check_name,
        stated.result_id as item,
        stated.printed_text,
        stated.printed,
        judge.printed - min(others.printed) as ours,
        stated.tolerance,
        abs(judge.printed - min(others.printed) - stated.printed)
        <= stated.tolerance as agrees,
        'Table 4: the judge beside the measure that agrees least with people.' as note,
    from results as stated
    cross join correlations as judge
    cross join correlations as others
    where
        stated.statistic = 'max_pearson_gain'
        and judge.other = 'human'
        and judge.measure = 'llm_judge'
        and others.other = 'human'
        and others.measure != 'llm_judge'
    group by
        stated.paper,
        stated.result_id,
        stated.printed_text,
        stated.printed,
        stated.tolerance,
        judge.printed
),

-- a base language model and the one tuned from it: P and I, or I behind the name
pairs_of_lms as (
    select
        tuned.measure,
        avg(tuned.printed - base.printed) as gain,
        count(*) as n,
    from similarities as base
    inner join similarities as tuned
        on
            tuned.lm = regexp_replace(
                base.lm, '^(CodeLlama)-P|^(StarCoder2|Deepseek-Coder)', '\1\2-I'
            )
            and base.lm != tuned.lm
            and base.dataset = tuned.dataset
            and base.measure = tuned.measure
            and base.temperature = tuned.temperature
    group by tuned.measure
),

gains as (
    select
        measure,
        gain,
        n,
    from pairs_of_lms
    union all
    select
        'all_measures' as measure,
        avg(gain) as gain,
        sum(n) as n,
    from pairs_of_lms
),

gain_checks as (
    select
        stated.paper,
        'tuned_above_base_by_' || gains.measure as check_name,
        stated.result_id as item,
        stated.printed_text,
        stated.printed,
        gains.gain as ours,
        stated.tolerance,
        abs(gains.gain - stated.printed) <= stated.tolerance as agrees,
        'Mean difference in points over ' || gains.n || ' pairs of cells of Table 2.'
            as note,
    from results as stated
    cross join gains
    where stated.statistic = 'mean_similarity_gain'
),

-- §4.2 says so of the hardest problems, by tokens and by the encoder
competition_checks as (
    select
        {{ cell_beside('one', 'other') }}
        'codellama_13b_above_starcoder2_15b' as check_name,
        one.printed > other.printed as agrees,
        'The same cell of StarCoder2 15B.' as note,
    from similarities as one
    inner join similarities as other
        on
            one.dataset = other.dataset
            and one.measure = other.measure
            and one.temperature = other.temperature
    where
        one.lm = 'CodeLlama-P 13B'
        and other.lm = 'StarCoder2 15B'
        and one.dataset = 'apps-competition'
        and one.measure in ('scc', 'embedding')
),

stated_sizes as (
    select
        *,
        min(printed) over () as least,
        max(printed) over () as most,
    from results
    where
        statistic = 'n_parameters'
        and lm = 'CodeLlama'
),

table_sizes as (
    select
        min(1e9 * cast(regexp_extract(lm, '([0-9]+)B$', 1) as double)) as least,
        max(1e9 * cast(regexp_extract(lm, '([0-9]+)B$', 1) as double)) as most,
    from similarities
    where lm like 'CodeLlama%'
),

size_checks as (
    select
        stated_sizes.paper,
        'codellama_sizes_of_the_text' as check_name,
        stated_sizes.result_id as item,
        stated_sizes.printed_text,
        stated_sizes.printed,
        if(
            stated_sizes.printed = stated_sizes.least, table_sizes.least, table_sizes.most
        ) as ours,
        0.0 as tolerance,
        stated_sizes.printed = ours as agrees,
        'The smallest and the largest of Table 2.' as note,
    from stated_sizes
    cross join table_sizes
),

checks as (
    {{ stacked_checks([
        'form_checks', 'count_checks', 'either_checks', 'temperature_checks',
        'difficulty_checks', 'vanilla_checks', 'strategy_checks', 'symmetry_checks', 'dash_checks', 'about_checks',
        'judge_checks', 'gain_checks', 'competition_checks', 'size_checks',
    ]) }}
),

{{ explained_checks() }}

select * from explained
