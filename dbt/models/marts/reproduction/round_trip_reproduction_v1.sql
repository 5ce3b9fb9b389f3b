{#- Where ours are: statistic of the paper, the CTE, its column, and what rows of it count. -#}
{% set sources = [
    ('rtc_pass', 'synthesis', 'rtc', "similarity = 'pass'"),
    ('lift_pass', 'synthesis', 'lift', "similarity = 'pass'"),
    ('rtc_exact_match', 'editing', 'rtc', 'true'),
    ('lift_exact_match', 'editing', 'lift', 'true'),
    ('mean_lift_pass', 'over_projects', 'lift', 'true'),
    ('pass_at_1', 'pass_rates', 'pass_at_k', 'true'),
    ('exact_match', 'companions', 'value', "companion = 'nl_to_edit' and similarity = 'exact_match'"),
    ('bleu', 'companions', 'value', "companion = 'edit_to_nl'"),
] %}

with results as (
    select *
    from {{ ref('published_results') }}
    where
        paper = 'round_trip'
        and lm is not null
        and value is not null
        and (table_no in ('2', '3') or statistic = 'mean_lift_pass')
),

aliases as (
    select
        paper,
        printed_lm,
        lower(lm) as lm,
    from {{ ref('published_lm') }}
),

all_synthesis as (
    select *
    from {{ ref('rtc_synthesis', v=1) }}
),

all_editing as (
    select *
    from {{ ref('rtc_editing', v=1) }}
),

by_project as (
    select *
    from {{ ref('rtc_by_project', v=1) }}
),

all_pass_rates as (
    select *
    from {{ ref('pass_at_k', v=1) }}
),

companions as (
    select *
    from {{ ref('edit_companions', v=1) }}
),

synthesis as (
    select *
    from all_synthesis
    where lm_id = forward_lm_id
),

editing as (
    select *
    from all_editing
    where
        lm_id = forward_lm_id
        and similarity = 'exact_match'
),

-- the paper's projects are not named with their numbers: ours are all that there are
over_projects as (
    select
        by_project.* exclude (dataset, n_used),
        by_project.n_lift as n_used,
        'open_source_projects' as dataset,
    from by_project
    where
        project = '(all)'
        and mean_over = 'regions'
        and similarity = 'pass'
        and lm_id = forward_lm_id
),

pass_rates as (
    select *
    from all_pass_rates
    where k = 1
),

scores as (
    {% for statistic, source, column, counts in sources %}
    {{ 'union all by name' if not loop.first }}
    select
        '{{ statistic }}' as statistic,
        lm_id,
        lm,
        revision,
        simulated,
        dataset,
        {{ 'null' if source == 'over_projects' else 'dataset_version' }} as dataset_version,
        setting_id,
        setting,
        {% if source in ['synthesis', 'editing', 'over_projects'] %}
        forward_setting_id,
        forward_setting,
        {% endif %}
        {{ column }} as ours,
        n_{{ 'lift' if column == 'lift' and source != 'over_projects' else 'used' }} as n_used,
    from {{ source }}
    where {{ counts }}
    {% endfor %}
),

cells as (
    select
        result_id,
        paper,
        table_no,
        lm as printed_lm,
        dataset,
        statistic,
        printed,
        if(unit in ('percent', 'points'), value / 100, value) as published,
        if(
            unit in ('percent', 'points'), {{ half_unit('decimals') }} / 100,
            {{ half_unit('decimals') }}
        ) as tolerance,
    from results
),

matched as (
    select
        concat_ws(
            '/', cells.result_id, scores.lm_id, scores.dataset, scores.dataset_version,
            scores.setting_id, scores.forward_setting_id
        ) as reproduction_id,
        cells.result_id,
        cells.paper,
        cells.table_no,
        cells.printed_lm,
        scores.lm_id,
        scores.lm,
        scores.revision,
        scores.simulated,
        scores.dataset,
        scores.dataset_version,
        scores.setting_id,
        scores.setting,
        scores.forward_setting_id,
        scores.forward_setting,
        cells.statistic,
        scores.n_used,
        cells.printed,
        cells.published,
        scores.ours,
        cells.tolerance,
    from cells
    inner join aliases
        on
            cells.paper = aliases.paper
            and cells.printed_lm = aliases.printed_lm
    inner join scores
        on
            aliases.lm = lower(scores.lm)
            and cells.dataset = scores.dataset
            and cells.statistic = scores.statistic
),

side_by_side as (
    select
        *,
        ours - published as difference,
        abs(ours - published) <= tolerance as agrees,
    from matched
)

select * from side_by_side
