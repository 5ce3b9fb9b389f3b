{#- What is seen before the line, in the words of Table 3 of the paper. -#}
{% set shown = {'with docstring': 'function', 'no docstring': 'function_without_docstring'} %}

with results as (
    select *
    from {{ ref('published_results') }}
    where
        paper = 'calibration'
        and table_no in ('3', '4')
        and statistic = 'share'
        and dataset = 'dypybench'
        -- the sum of all shares is no result
        and notion != 'all'
),

aliases as (
    select
        paper,
        printed_lm,
        lower(lm) as lm,
    from {{ ref('published_lm') }}
),

completed as (
    select *
    from {{ ref('line_completion', v=1) }}
    where over_projects
),

-- the row over all projects, or that of the only one
pooled as (
    select *
    from completed
    qualify
        n_datasets > 1
        or count(*) over (partition by lm_id, setting_id) = 1
),

matched as (
    select
        results.result_id,
        results.paper,
        results.table_no,
        results.lm as printed_lm,
        pooled.lm_id,
        pooled.lm,
        pooled.revision,
        pooled.simulated,
        pooled.dataset,
        pooled.dataset_version,
        pooled.setting_id,
        pooled.setting,
        results.notion,
        pooled.shown,
        case
            when results.table_no = '4' then pooled.n_both_labels
            when results.notion = 'all_pass' then pooled.n_all_pass
            else pooled.n_exact_match
        end as n_used,
        results.printed,
        results.value / 100 as published,
        case
            when results.table_no = '3' and results.notion = 'all_pass' then pooled.all_pass
            when results.table_no = '3' then pooled.exact_match
            when results.notion = 'both' then pooled.pass_and_match
            when results.notion = 'all_pass_only' then pooled.pass_only
            when results.notion = 'exact_match_only' then pooled.match_only
            when results.notion = 'neither' then pooled.neither
            when results.notion = 'all_pass' then pooled.pass_and_match + pooled.pass_only
            when results.notion = 'exact_match' then pooled.pass_and_match + pooled.match_only
            when results.notion = 'not_all_pass' then pooled.match_only + pooled.neither
            when results.notion = 'not_exact_match' then pooled.pass_only + pooled.neither
        end as ours,
        {{ half_unit('results.decimals') }} / 100 as tolerance,
    from results
    inner join aliases
        on
            results.paper = aliases.paper
            and results.lm = aliases.printed_lm
    inner join pooled
        on
            aliases.lm = lower(pooled.lm)
            and pooled.shown = case results.setting
                {% for setting, kind in shown.items() %}
                when '{{ setting }}' then '{{ kind }}'
                {% endfor %}
            end
),

side_by_side as (
    select
        *,
        ours - published as difference,
        abs(ours - published) <= tolerance as agrees,
    from matched
)

select * from side_by_side
