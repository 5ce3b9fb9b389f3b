{% set scores = calibration_columns() %}
{% set weighed = [] %}
{% for version, measure, score, log_score, reason in calibration_measures() if version == 2 %}
{% do weighed.append([measure, score]) %}
{% endfor %}

with labels as (
    select *
    from {{ ref('int_generation_labelled') }}
),

measures as (
    select
        generation_no,
        generation_id,
        {{ listed(scores) }}
    from {{ ref('int_confidence_measured') }}
),

label_groups as (
    select
        group_no,
        lm_no,
        setting_no,
        notion,
        resampled,
        unnest(release_nos) as release_no,
    from {{ ref('int_calibration_group') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

-- where the maker replaced failed samples, the labels say nothing of the language model
joined as (
    select
        label_groups.group_no,
        measures.generation_no,
        cast(problems.problem_no as integer) as problem_no,
        hash(labels.generation_id, problems.problem_id) as row_hash,
        if(label_groups.resampled, null, labels.y_v1) as y_v1,
        if(label_groups.resampled, null, labels.y_v2) as y_v2,
        coalesce(
            labels.null_reason, if(label_groups.resampled, 'not_applicable', null)
        ) as label_null_reason,
        {{ listed(scores, 'measures') }}
    from labels
    inner join measures on labels.generation_id = measures.generation_id
    inner join problems on labels.problem_no = problems.problem_no
    inner join label_groups
        on
            labels.lm_no = label_groups.lm_no
            and labels.setting_no = label_groups.setting_no
            and problems.release_no = label_groups.release_no
            and labels.notion = label_groups.notion
),

-- the base rate of those who were asked and have a label, each problem weighing the same
problem_rates as (
    select
        group_no,
        problem_no,
        avg(cast(y_v2 as double)) as base_rate,
    from joined
    where
        y_v2 is not null
        and coalesce(verbalized_null_reason_v2, 'parse_fail') = 'parse_fail'
    group by all
),

base_rates as (
    select
        group_no,
        avg(base_rate order by problem_no) as base_rate,
    from problem_rates
    group by all
),

filled as (
    select
        joined.group_no,
        joined.generation_no,
        joined.problem_no,
        joined.row_hash,
        joined.y_v1,
        joined.y_v2,
        joined.label_null_reason,
        {{ listed(scores, 'joined') }}
        if(
            joined.verbalized_null_reason_v2 = 'parse_fail',
            base_rates.base_rate,
            joined.verbalized_v2
        ) as verbalized_base_rate,
        nullif(joined.verbalized_null_reason_v2, 'parse_fail')
            as verbalized_base_rate_null_reason,
    from joined
    left join base_rates on joined.group_no = base_rates.group_no
),

problem_sizes as (
    select
        group_no,
        problem_no,
        {% for measure, score in weighed %}
        count({{ score }}) as {{ measure }}_rows,
        {% endfor %}
    from filled
    where y_v2 is not null
    group by all
),

-- in version 2 the rows of a problem share its weight
scored as (
    select
        filled.group_no,
        filled.generation_no,
        filled.problem_no,
        filled.row_hash,
        filled.y_v1,
        filled.y_v2,
        filled.label_null_reason,
        {{ listed(scores, 'filled') }}
        filled.verbalized_base_rate,
        filled.verbalized_base_rate_null_reason,
        {% for measure, score in weighed %}
        1 / problem_sizes.{{ measure }}_rows as {{ measure }}_weight,
        {% endfor %}
    from filled
    left join problem_sizes
        on
            filled.group_no = problem_sizes.group_no
            and filled.problem_no = problem_sizes.problem_no
)

select * from scored
