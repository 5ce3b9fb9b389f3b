{#- What is tested of a night: what a sample counts as, and which samples count. -#}
{% set of_samples = [
    ['pass_at_1', 'cast(passed as double)', 'passed is not null'],
    ['no_verdict', 'if(null_reason is null, 0.0, 1.0)', 'true'],
    ['parses', 'cast(parses as double)', 'parses is not null'],
    ['cut_off', "if(finish_reason = 'length', 1.0, 0.0)", 'finish_reason is not null'],
    ['log_tokens', 'ln(1 + n_completion_tokens)', 'n_completion_tokens is not null'],
] %}
{% set briers = night_measures() %}

with samples as (
    select *
    from {{ ref('int_night_sample') }}
),

labels as (
    select *
    from {{ ref('int_generation_labelled') }}
    where
        notion = 'exact_match'
        and null_reason is null
),

scored as (
    select *
    from {{ ref('int_calibration_scored') }}
    where label_null_reason is null
),

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
    where notion = 'all_pass'
),

measured as (
    select
        lm_no,
        setting_no,
        generation_no,
        generation_id,
    from {{ ref('int_confidence_measured') }}
),

canaries as (
    select *
    from {{ ref('int_canary_numbered') }}
),

{% for metric, value, counts in of_samples %}
{{ metric }}_values as (
    select
        'entry' as subject_kind,
        entry_no as subject_no,
        '{{ metric }}' as metric,
        night_no,
        problem_index,
        count(*) as n,
        avg({{ value }} order by sample_index, generation_id) as value,
    from samples
    where {{ counts }}
    group by entry_no, night_no, problem_index
),

{% endfor %}
match_values as (
    select
        'entry' as subject_kind,
        samples.entry_no as subject_no,
        'exact_match' as metric,
        samples.night_no,
        samples.problem_index,
        count(*) as n,
        avg(cast(labels.y_v2 as double)) as value,
    from samples
    inner join labels
        on
            samples.generation_id = labels.generation_id
            and samples.problem_no = labels.problem_no
    group by samples.entry_no, samples.night_no, samples.problem_index
),

samples_scored as (
    select
        samples.entry_no,
        samples.night_no,
        samples.problem_index,
        samples.sample_index,
        samples.generation_id,
        cast(scored.y_v2 as double) as y,
        {% for measure, score in briers %}
        scored.{{ score }} as {{ measure }}_score,
        {% endfor %}
    from samples
    inner join measured on samples.generation_id = measured.generation_id
    inner join scored
        on
            measured.generation_no = scored.generation_no
            and samples.problem_no = scored.problem_no
    inner join label_groups
        on
            scored.group_no = label_groups.group_no
            and measured.lm_no = label_groups.lm_no
            and measured.setting_no = label_groups.setting_no
            and samples.release_no = label_groups.release_no
),

{% for measure, score in briers %}
brier_{{ measure }}_values as (
    select
        'entry' as subject_kind,
        entry_no as subject_no,
        'brier_{{ measure }}' as metric,
        night_no,
        problem_index,
        count(*) as n,
        avg(pow({{ measure }}_score - y, 2) order by sample_index, generation_id) as value,
    from samples_scored
    where {{ measure }}_score is not null
    group by entry_no, night_no, problem_index
),

{% endfor %}
cpu_values as (
    select
        'references' as subject_kind,
        release_no as subject_no,
        'log_cpu' as metric,
        night_no,
        problem_index,
        1 as n,
        ln(cpu_s) as value,
    from canaries
    where
        verdict = 'passed'
        and cpu_s > 0
),

stacked as (
    {% for metric, _, _ in of_samples %}
    select *
    from {{ metric }}_values
    union all
    {% endfor %}
    {% for measure, _ in briers %}
    select *
    from brier_{{ measure }}_values
    union all
    {% endfor %}
    select *
    from match_values
    union all
    select *
    from cpu_values
)

select
    subject_kind,
    cast(subject_no as integer) as subject_no,
    metric,
    night_no,
    cast(problem_index as integer) as problem_index,
    cast(n as integer) as n,
    value,
from stacked
