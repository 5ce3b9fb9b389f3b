{#- Claims that two numbers of the text make together, or that a share of Table 4 answers. Each has
    the item, the number stated, and the same from the tables. -#}
{% set both = {
    'half of the passing differ': [
        ('gpt-3.5.dypybench.share_of_passing_not_exact', 'all_pass_only / all_pass'),
    ],
    '6.89% is of exact matches': [
        ('gpt-3.5.dypybench.share_of_exact_not_passing', '100 * exact_match_only / exact_match'),
    ],
    'about 33% pass, 24% match': [
        ('gpt-3.5.dypybench.all_pass', 'all_pass'),
        ('gpt-3.5.dypybench.exact_match', 'exact_match'),
    ],
} %}

with results as (
    select
        *,
        {{ half_unit('decimals') }} as tolerance,
    from {{ ref('published_results') }}
    where paper = 'calibration'
),

told as (
    select *
    from results
    where table_no in ('text', 'figure')
),

cells as (
    select *
    from {{ ref('int_published_score') }}
    where printed is not null
),

skills as (
    select *
    from cells
    where
        statistic = 'skill_score'
        and measure != 'unskilled'
),

split as (
    select
        max(value) filter (notion = 'all_pass') as all_pass,
        max(value) filter (notion = 'exact_match') as exact_match,
        max(value) filter (notion = 'all_pass_only') as all_pass_only,
        max(value) filter (notion = 'exact_match_only') as exact_match_only,
    from results
    where table_no = '4'
),

shares_told as (
    {% for item, parts in both.items() %}
    {% for told_id, formula in parts %}
    select
        '{{ item }}' as item,
        'text.{{ told_id }}' as result_id,
        {{ formula }} as ours,
        'From Table 4: {{ formula | replace("_", " ") }}.' as note,
    from split
    union all
    {% endfor %}
    {% endfor %}
    select
        'MBPP: 72% pass, reference Brier 0.20' as item,
        'text.gpt-3.5.mbpp.all_pass' as result_id,
        value as ours,
        'Table 2.' as note,
    from results
    where result_id = '2.gpt-3.5.mbpp.all_pass'
    union all
    select
        'MBPP: 72% pass, reference Brier 0.20' as item,
        'text.gpt-3.5.mbpp.unskilled.brier' as result_id,
        printed as ours,
        'Unskilled of Table 5.' as note,
    from cells
    where result_id = '5.gpt-3.5.mbpp.unskilled.brier'
),

-- normalized beside plain, over the three datasets of line completion and synthesis
gains as (
    select
        statistic,
        avg(printed) filter (measure = 'ask_tf_normalized')
        - avg(printed) filter (measure = 'ask_tf') as gain,
    from cells
    where
        table_no = '5'
        and lm = 'GPT-3.5'
        and dataset in ('dypybench', 'humaneval', 'mbpp')
    group by statistic
),

gain_checks as (
    select
        told.paper,
        'text_and_tables' as check_name,
        claim.item,
        told.printed as printed_text,
        told.value as printed,
        claim.sign * gains.gain as ours,
        told.tolerance + 2 * {{ half_unit(2) }} as tolerance,
        case claim.item
            when 'Ask T/F N gain in skill, sign' then gains.gain * told.value > 0
            else abs(abs(gains.gain) - abs(told.value)) <= told.tolerance + 2 * {{ half_unit(2) }}
        end as agrees,
        'Mean of Ask T/F N less mean of Ask T/F over three datasets of Table 5; for ECE a gain is '
        || 'a fall.' as note,
    from told
    inner join (
        values
        ('Ask T/F N gain in skill, size', 'mean_skill_score_improvement', 'skill_score', 1),
        ('Ask T/F N gain in skill, sign', 'mean_skill_score_improvement', 'skill_score', 1),
        ('Ask T/F N gain in ECE 0.19', 'mean_ece_improvement', 'ece', -1)
    ) as claim (item, told_statistic, statistic, sign) on told.statistic = claim.told_statistic
    inner join gains on claim.statistic = gains.statistic
),

share_checks as (
    select
        told.paper,
        'text_and_tables' as check_name,
        shares_told.item,
        told.printed as printed_text,
        told.value as printed,
        shares_told.ours,
        told.tolerance,
        abs(shares_told.ours - told.value) <= told.tolerance as agrees,
        shares_told.note,
    from shares_told
    inner join told on shares_told.result_id = told.result_id
    qualify row_number() over (
        partition by shares_told.item
        order by abs(shares_told.ours - told.value) / told.tolerance desc
    ) = 1
),

-- what one measure, dataset or language model is said to be beside the others
means as (
    select
        table_no,
        measure,
        avg(printed) as skill,
    from skills
    group by table_no, measure
),

docstring_gains as (
    select
        lm,
        max(value) filter (setting = 'with docstring')
        - max(value) filter (setting = 'no docstring') as gain,
    from results
    where
        table_no = '3'
        and notion = 'all_pass'
    group by lm
),

repairs as (
    select scaled.printed - raw.printed as gain
    from skills as scaled
    inner join skills as raw on {{ equal(['lm', 'dataset', 'measure'], 'scaled', 'raw') }}
    where
        scaled.table_no = '6'
        and raw.table_no = '5'
        and scaled.dataset in ('defects4j', 'manysstubs4j')
),

claims as (
    select
        'Ask T/F mean above the mean of all' as item,
        max(value) filter (measure = 'ask_tf') as printed,
        max(value) filter (measure is null) as ours,
        max(value) filter (measure = 'ask_tf') > max(value) filter (measure is null) as agrees,
        'Both are stated in the text; ours is the mean of all.' as note,
    from told
    where
        statistic = 'mean_skill_score'
        and rescaler = 'none'
        and lm is null
    union all
    select
        claim.item,
        max(means.skill) as printed,
        max(means.skill) filter (means.measure = claim.measure) as ours,
        arg_max(means.measure, means.skill) = claim.measure as agrees,
        'Its mean in Table ' || claim.table_no || ', which must be the largest of all measures.'
            as note,
    from means
    inner join (
        values
        ('Ask T/F has the highest mean raw skill', '5', 'ask_tf'),
        ('Total Prob has the highest mean scaled skill', '6', 'total_prob')
    ) as claim (item, table_no, measure) on means.table_no = claim.table_no
    group by claim.item, claim.table_no, claim.measure
    union all
    select
        'CodeGen2 gains most passing from docstrings' as item,
        max(gain) as printed,
        max(gain) filter (lm = 'CodeGen2') as ours,
        arg_max(lm, gain) = 'CodeGen2' as agrees,
        'Its percentage points in Table 3, which must be the largest gain.' as note,
    from docstring_gains
    union all
    select
        'no skill gained by scaling in repair' as item,
        0.0 as printed,
        max(gain) as ours,
        max(gain) <= 0 as agrees,
        'Largest difference of Table 6 and Table 5.' as note,
    from repairs
    union all
    select
        'GPT-3.5 Ask T/F skill positive on both repair datasets' as item,
        0.0 as printed,
        min(printed) as ours,
        min(printed) > 0 as agrees,
        'Smallest of two cells of Table 5, which must be above 0.' as note,
    from skills
    where
        table_no = '5'
        and lm = 'GPT-3.5'
        and measure = 'ask_tf'
        and dataset in ('defects4j', 'manysstubs4j')
    union all
    select
        'only intrinsic measures beat the base rate, scaled, DyPyBench' as item,
        0.0 as printed,
        max(printed) as ours,
        max(printed) <= 0 as agrees,
        'Largest skill score of another measure in Table 6, which must not be above 0.' as note,
    from skills
    where
        table_no = '6'
        and dataset = 'dypybench'
        and measure not in ('total_prob', 'avg_prob')
    union all
    select
        'scaled intrinsic skill positive for the OpenAI models, synthesis' as item,
        0.0 as printed,
        min(printed) as ours,
        min(printed) > 0 as agrees,
        'Smallest of eight cells of Table 6, which must be above 0.' as note,
    from skills
    where
        table_no = '6'
        and lm in ('GPT-3.5', 'Codex')
        and measure in ('total_prob', 'avg_prob')
        and dataset in ('humaneval', 'mbpp')
    union all
    select
        'CodeGen2 repair under 1 percent' as item,
        any_value(told.value) as printed,
        max(results.value) as ours,
        max(results.value) < any_value(told.value) as agrees,
        'Larger percentage of exact matches in Table 2.' as note,
    from results
    cross join told
    where
        told.statistic = 'accuracy_threshold'
        and results.table_no = '2'
        and results.lm = 'CodeGen2'
        and results.notion = 'exact_match'
        and results.dataset in ('defects4j', 'manysstubs4j')
    union all
    select
        'MBPP has over 900 samples after exclusion' as item,
        least_size.value as printed,
        results.value - excluded.value as ours,
        results.value - excluded.value > least_size.value as agrees,
        'Size in Table 1 less the excluded ones of the text.' as note,
    from results
    cross join told as excluded
    cross join told as least_size
    where
        results.result_id = '1.mbpp.n'
        and excluded.statistic = 'n_excluded'
        and least_size.statistic = 'min_n_total'
),

claim_checks as (
    select
        'calibration' as paper,
        'text_and_tables' as check_name,
        item,
        cast(null as varchar) as printed_text,
        printed,
        ours,
        0.0 as tolerance,
        agrees,
        note,
    from claims
),

-- the caption of Figure 7 repeats cells; AUROC does not change when scores are scaled
figure_checks as (
    select
        told.paper,
        'figure_7_repeats_tables' as check_name,
        told.result_id as item,
        told.printed as printed_text,
        told.value as printed,
        cells.printed as ours,
        0.0 as tolerance,
        told.value = cells.printed as agrees,
        'The same cell of Table ' || cells.table_no || '.' as note,
    from told
    inner join cells
        on
            {{ equal(['lm', 'dataset', 'measure', 'statistic'], 'told', 'cells') }}
            and cells.table_no = case
                when told.statistic = 'auroc' then '8'
                when told.rescaler = 'platt' then '6'
                else '5'
            end
    where told.table_no = 'figure'
),

checks as (
    {{ stacked_checks(['gain_checks', 'share_checks', 'claim_checks', 'figure_checks']) }}
)

select * from checks
