{#- What the text says of the cells of a table. Each has the item, the number stated, the table and
    the statistic, how the cells are taken together, and which. Several lines of one item are
    readings of one number: any that fits would do. -#}
{% set ways = {'max': 'Largest', 'min': 'Smallest', 'avg': 'Mean'} %}
{% set openai = "lm in ('GPT-3.5', 'Codex')" %}
{% set gpt_total = "lm = 'GPT-3.5' and measure = 'total_prob'" %}
{% set reflective = "lm = 'GPT-3.5' and is_reflective" %}
{% set codex_avg = "lm = 'Codex' and dataset = 'dypybench' and measure = 'avg_prob'" %}
{% set dypy_total = "dataset = 'dypybench' and measure = 'total_prob'" %}
{% set by_total = "measure = 'total_prob'" %}
{% set told = [
    ('best raw skill', 'max_skill_score.raw', '5', 'skill_score', 'max', 'true'),
    ('line completion Total Prob raw ECE', 'dypybench.total_prob.ece.raw', '5', 'ece', 'avg',
        dypy_total),
    ('GPT-3.5 Total Prob mean raw skill', 'gpt-3.5.total_prob.mean_skill_score.raw', '5',
        'skill_score', 'avg', gpt_total),
    ('GPT-3.5 Total Prob mean raw ECE', 'gpt-3.5.total_prob.mean_ece.raw', '5', 'ece', 'avg',
        gpt_total),
    ('Total Prob mean scaled skill', 'total_prob.mean_skill_score.platt', '6', 'skill_score',
        'avg', by_total),
    ('mean scaled ECE of section 8', 'mean_ece.platt.s8', '6', 'ece', 'avg', 'true'),
    ('mean scaled ECE where skilled',
        'mean_ece.platt.s4.2.2.scaled_skill_score_at_least_0.05', '6', 'ece', 'avg', 'true'),
    ('mean raw ECE where skilled', 'mean_ece.raw.scaled_skill_score_at_least_0.05', '5', 'ece',
        'avg', 'has_scaled_ece'),
    ('highest scaled skill 0.15 in Table 6', 'max_skill_score.platt', '6', 'skill_score', 'max',
        'true'),
    ('highest scaled skill of all experiments 0.15', 'max_skill_score.platt', '67',
        'skill_score', 'max', 'true'),
    ('HumanEval Total Prob scaled skill 0.18', 'humaneval.total_prob.max_skill_score.platt', '6',
        'skill_score', 'max', "dataset = 'humaneval' and measure = 'total_prob'"),
    ('GPT-3.5 raw reflective skill, HumanEval', 'gpt-3.5.humaneval.max_skill_score.raw', '5',
        'skill_score', 'max', reflective ~ " and dataset = 'humaneval'"),
    ('GPT-3.5 raw reflective skill, Defects4J', 'gpt-3.5.defects4j.max_skill_score.raw', '5',
        'skill_score', 'max', reflective ~ " and dataset = 'defects4j'"),
    ('DyPyBench Total Prob exact-match skill, high end',
        'dypybench.total_prob.max_skill_score.platt', '7', 'skill_score', 'max',
        dypy_total ~ ' and ' ~ openai),
    ('DyPyBench Total Prob exact-match skill, low end 0.31',
        'dypybench.total_prob.min_skill_score.platt', '7', 'skill_score', 'min',
        dypy_total ~ ' and ' ~ openai),
    ('Codex Total Prob scaled skill', 'codex.dypybench.total_prob.skill_score.platt', '6',
        'skill_score', 'max', dypy_total ~ " and lm = 'Codex'"),
    ('SStubs exact-match skill 0.06', 'sstubs.max_skill_score.platt', '7', 'skill_score', 'max',
        "dataset = 'manysstubs4j'"),
    ('Codex Avg Prob scaled skill', 'codex.dypybench.avg_prob.skill_score.platt', '6',
        'skill_score', 'max', codex_avg),
    ('Codex Avg Prob scaled ECE', 'codex.dypybench.avg_prob.ece.platt', '6', 'ece', 'max',
        codex_avg),
    ('mean raw ECE 0.32', 'mean_ece.raw', '5', 'ece', 'avg', 'true'),
    ('mean raw ECE 0.32', 'mean_ece.raw', '5', 'ece', 'avg', "measure != 'length'"),
    ('mean raw ECE 0.32', 'mean_ece.raw', '5', 'ece', 'avg', 'with_unskilled'),
    ('mean raw skill -1.60', 'mean_skill_score.raw', '5', 'skill_score', 'avg', 'true'),
    ('Ask T/F mean raw skill -1.60', 'ask_tf.mean_skill_score.raw', '5', 'skill_score', 'avg',
        "measure = 'ask_tf'"),
] %}

with scores as (
    select
        *,
        max(printed) filter (table_no = '6' and statistic = 'ece') over (
            partition by lm, dataset, measure
        ) is not null as has_scaled_ece,
        measure in ('ask_tf', 'ask_tf_normalized', 'verbalized') as is_reflective,
    from {{ ref('int_published_score') }}
),

cells as (
    select *
    from scores
    where printed is not null
),

recomputed as (
    {% for item, told_id, tables, statistic, how, which in told %}
    select
        '{{ item }}' as item,
        'text.{{ told_id }}' as result_id,
        {{ how }}(printed) as ours,
        -- a mean hides the rounding of its cells; a largest cell is a cell
        {{ 'max(tolerance)' if how == 'avg' else '0.0' }} as cell_tolerance,
        '{{ ways[how] }} of ' || count(*)
        || ' cells of Table {{ tables | join(' and ') }}.' as note,
    from cells
    where
        contains('{{ tables }}', table_no)
        and statistic = '{{ statistic }}'
        {% if which != 'with_unskilled' %}
        and measure != 'unskilled'
        and {{ which }}
        {% endif %}
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

compared as (
    select
        results.paper,
        'text_and_tables' as check_name,
        recomputed.item,
        results.printed as printed_text,
        results.value as printed,
        recomputed.ours,
        {{ half_unit('results.decimals') }} + recomputed.cell_tolerance as tolerance,
        abs(recomputed.ours - results.value)
        <= {{ half_unit('results.decimals') }} + recomputed.cell_tolerance as agrees,
        recomputed.note,
    from recomputed
    inner join {{ ref('published_results') }} as results
        on recomputed.result_id = results.result_id
),

-- the reading that fits best
checks as (
    select {{ checked_columns() }}
    from compared
    qualify row_number() over (
        partition by item
        order by abs(ours - printed), ours
    ) = 1
)

select * from checks
