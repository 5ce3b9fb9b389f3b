{#- What decides between two settings, in this order. Each has the column, which end of it comes
    first, and what that says of the setting before and of the setting behind. -#}
{% set criteria = [
    ('resampled', 'asc', 'not resampled', 'resampled'),
    ('has_strategy', 'asc', 'no prompting strategy', 'prompting strategy'),
    ('temperature_compared', 'asc', 'lowest temperature', 'higher temperature'),
    ('n_samples', 'desc', 'most samples', 'fewer samples'),
    ('n_pairs', 'desc', 'most pairs', 'fewer pairs'),
    ('n_problems', 'desc', 'most problems', 'fewer problems'),
    ('release_no', 'desc', 'newest release', 'older release'),
    ('setting_id', 'asc', 'first key', 'later key'),
] %}
{% set ordering %}
{% for column, direction, _, _ in criteria %}
{{ column }} {{ direction }} nulls last{{ ',' if not loop.last }}
{% endfor %}
{% endset %}

with entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
),

labels as (
    select
        group_no,
        n_used,
        n_clusters,
    from {{ ref('int_calibration_unskilled') }}
    where
        version = 1
        and n_used > 0
),

counterfactual_entries as (
    select *
    from {{ ref('int_counterfactual_entry_numbered') }}
),

pairs as (
    select *
    from {{ ref('int_counterfactual_pair_scored') }}
    where original is not null
),

settings as (
    select
        setting_id,
        temperature,
        resampled,
        coalesce({{ strategy_of('prompt_kind') }}, 'vanilla') != 'vanilla' as has_strategy,
    from {{ ref('stg_setting') }}
),

-- version 1 and version 2 of a calibration view use the same labelled samples
labelled as (
    select
        {{ listed(entry_columns(), 'label_groups') }}
        label_groups.release_no,
        min(label_groups.notion) as notion,
        max(labels.n_used) as n_samples,
        max(labels.n_clusters) as n_problems,
    from label_groups
    inner join labels on label_groups.group_no = labels.group_no
    group by all
),

paired as (
    select
        {{ listed(entry_columns(), 'counterfactual_entries') }}
        counterfactual_entries.release_no,
        pairs.edition,
        max(pairs.m) as n_samples,
        count(*) as n_pairs,
        count(distinct pairs.problem_index) as n_problems,
    from counterfactual_entries
    inner join pairs on counterfactual_entries.entry_no = pairs.entry_no
    group by all
),

stacked as (
    select
        'leaderboard' as family,
        {{ listed(entry_columns()) }}
        release_no,
        n_samples,
        n_problems,
    from entries
    union all by name
    select
        'calibration' as family,
        {{ listed(entry_columns()) }}
        release_no,
        notion,
        n_samples,
        n_problems,
    from labelled
    union all by name
    select
        'mutations_v' || edition as family,
        {{ listed(entry_columns()) }}
        release_no,
        n_samples,
        n_pairs,
        n_problems,
    from paired
),

-- a table of calibration is of the least random answers, as in the paper. Pass@k and mutation
-- effects are of as many samples as there are
described as (
    select
        stacked.*,
        settings.temperature,
        settings.resampled,
        settings.has_strategy,
        if(stacked.family = 'calibration', settings.temperature, null) as temperature_compared,
    from stacked
    inner join settings on stacked.setting_id = settings.setting_id
),

one_release_each as (
    select *
    from described
    qualify row_number() over (
        partition by family, lm_id, dataset, setting_id
        order by release_no desc
    ) = 1
),

ranked as (
    select
        *,
        row_number() over (partition by family, lm_id, dataset order by {{ ordering }}) as rank,
        count(*) over (partition by family, lm_id, dataset) as n_settings,
    from one_release_each
),

-- the first is compared with the second, and each of the others with the first
reasoned as (
    select
        ranked.*,
        case
            when rivals.family is null then 'only setting'
            {% for column, _, won, lost in criteria %}
            when (ranked.{{ column }} is distinct from rivals.{{ column }})
                then if(ranked.rank = 1, '{{ won }}', '{{ lost }}')
            {% endfor %}
        end as reason,
    from ranked
    left join ranked as rivals
        on
            ranked.family = rivals.family
            and ranked.lm_id = rivals.lm_id
            and ranked.dataset = rivals.dataset
            and rivals.rank = if(ranked.rank = 1, 2, 1)
),

headlined as (
    select
        family,
        {{ listed(entry_columns()) }}
        rank,
        n_settings,
        reason,
        notion,
        resampled,
        temperature,
        cast(n_samples as bigint) as n_samples,
        cast(n_pairs as bigint) as n_pairs,
        cast(n_problems as bigint) as n_problems,
    from reasoned
)

select * from headlined
