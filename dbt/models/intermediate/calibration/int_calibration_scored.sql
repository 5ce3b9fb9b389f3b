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
        {{ as_enum(
            "coalesce(labels.null_reason, if(label_groups.resampled, 'not_applicable', null))",
            calibration_null_reasons()
        ) }} as label_null_reason,
        coalesce(measures.verbalized_null_reason_v2, 'parse_fail') = 'parse_fail' as is_asked,
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

-- in version 2 the rows of a problem share its weight. The base rate of a problem is over answers
-- with a label for which the language model was asked to state a confidence
problems_tallied as (
    select
        group_no,
        problem_no,
        {% for measure, score in weighed if measure != 'verbalized_base_rate' %}
        count({{ score }}) as {{ measure }}_rows,
        {% endfor %}
        count(*) filter (is_asked) as verbalized_base_rate_rows,
        avg(cast(y_v2 as double)) filter (is_asked) as base_rate,
    from joined
    where y_v2 is not null
    group by all
),

-- each problem weighs the same
base_rates as (
    select
        group_no,
        avg(base_rate order by problem_no) as base_rate,
    from problems_tallied
    group by all
),

scored as (
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
        {{ as_enum(
            "nullif(joined.verbalized_null_reason_v2, 'parse_fail')", calibration_null_reasons()
        ) }} as verbalized_base_rate_null_reason,
        {% for measure, _ in weighed %}
        1 / problems_tallied.{{ measure }}_rows as {{ measure }}_weight,
        {% endfor %}
    from joined
    left join base_rates on joined.group_no = base_rates.group_no
    left join problems_tallied
        on
            joined.group_no = problems_tallied.group_no
            and joined.problem_no = problems_tallied.problem_no
)

select * from scored
