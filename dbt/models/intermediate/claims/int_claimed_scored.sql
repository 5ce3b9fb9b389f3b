{#- The base rate as a score depends on our verdicts: it is no confidence for claimed ones. -#}
{% set ours = [] %}
{% for version, measure, score, _, reason in calibration_measures()
    if version == 2 and measure != 'verbalized_base_rate' %}
{% do ours.append([measure, score, reason]) %}
{% endfor %}

with samples as (
    select *
    from {{ ref('int_claimed_sample') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

confidences as (
    select
        generation_id,
        {{ listed(calibration_columns()) }}
    from {{ ref('int_confidence_measured') }}
),

here as (
    select
        samples.*,
        settings.resampled,
        {{ listed(calibration_columns(), 'confidences') }}
    from samples
    inner join confidences on samples.generation_id = confidences.generation_id
    inner join settings on samples.setting_no = settings.setting_no
),

stacked as (
    select
        entry_no,
        cast(null as integer) as setting_no,
        'claimed' as measure,
        claim_id,
        problem_index,
        passed,
        confidence as score,
        if(confidence is null, 'no_confidence_claimed', null) as score_null_reason,
    from samples
    {% for measure, score, reason in ours %}
    union all by name
    select
        entry_no,
        setting_no,
        '{{ measure }}' as measure,
        claim_id,
        problem_index,
        passed,
        {{ score }} as score,
        -- where the maker replaced failed samples, verdicts say nothing of the language model
        if(resampled, 'not_applicable', {{ reason }}) as score_null_reason,
    from here
    {% endfor %}
),

scored as (
    select
        cast(
            dense_rank() over (order by entry_no, setting_no nulls first, measure) as integer
        ) as subject_no,
        *,
        if(passed is null, 'no_verdict_claimed', score_null_reason) as null_reason,
    from stacked
),

-- as in version 2 of the other views: the rows of a problem share its weight
weighed as (
    select
        subject_no,
        entry_no,
        setting_no,
        measure,
        claim_id,
        problem_index,
        passed as y,
        {{ twelve_digits('score') }} as p,
        if(
            null_reason is null,
            1 / count(*) filter (null_reason is null) over (
                partition by subject_no, problem_index
            ),
            null
        ) as w,
        null_reason,
    from scored
)

select * from weighed
