{#- Per family: the view, the similarity that decides, and the temperatures of the paper, there and
    back (Allamanis et al. 2024, arXiv 2402.08699, section 4); version 2 writes at 0.2. -#}
{% set families = {
    'synthesis_v1': {'from': 'synthesis_1', 'similarity': 'pass', 'forward': 0.8, 'backward': 0.1},
    'synthesis_v2': {'from': 'synthesis_2', 'similarity': 'pass', 'forward': 0.8, 'backward': 0.2},
    'editing_v1': {'from': 'editing_1', 'similarity': 'exact_match', 'forward': 1, 'backward': 0},
    'editing_v2': {'from': 'editing_2', 'similarity': 'exact_match', 'forward': 1, 'backward': 0},
    'projects_v1': {'from': 'over_projects', 'similarity': 'pass', 'forward': 0.8, 'backward': 0.1},
} %}
{% set companions = {'nl_to_edit_v1': 'exact_match', 'edit_to_nl_v1': 'bleu'} %}
{% set lm_columns = ['lm_id', 'lm', 'revision', 'simulated'] %}

with synthesis_1 as (
    select *
    from {{ ref('rtc_synthesis', v=1) }}
),

synthesis_2 as (
    select *
    from {{ ref('rtc_synthesis', v=2) }}
),

editing_1 as (
    select *
    from {{ ref('rtc_editing', v=1) }}
),

editing_2 as (
    select *
    from {{ ref('rtc_editing', v=2) }}
),

by_project as (
    select *
    from {{ ref('rtc_by_project', v=1) }}
),

companions as (
    select *
    from {{ ref('edit_companions', v=1) }}
),

settings as (
    select
        setting_id,
        temperature,
    from {{ ref('stg_setting') }}
),

over_projects as (
    select
        by_project.* exclude (dataset, license),
        by_project.project as dataset,
    from by_project
    where
        project = '(all)'
        and mean_over = 'regions'
),

-- a language model that writes from its own descriptions
round_trips as (
    {% for family, taken in families.items() %}
    {{ 'union all' if not loop.first }}
    select
        '{{ family }}' as family,
        {{ listed(lm_columns) }}
        dataset,
        setting_id,
        setting,
        forward_setting_id,
        forward_setting,
        n_used,
        {{ taken.forward }} as forward_temperature,
        {{ taken.backward }} as backward_temperature,
    from {{ taken.from }}
    where
        lm_id = forward_lm_id
        and similarity = '{{ taken.similarity }}'
        and n_used > 0
    {% endfor %}
),

-- regions of projects are a separate family
outside_projects as (
    select round_trips.*
    from round_trips
    anti join by_project
        on
            if(starts_with(round_trips.family, 'synthesis'), round_trips.dataset, null)
            = by_project.dataset
),

supervised as (
    {% for family, similarity in companions.items() %}
    {{ 'union all' if not loop.first }}
    select
        '{{ family }}' as family,
        {{ listed(lm_columns) }}
        dataset,
        setting_id,
        setting,
        n_used,
        0 as backward_temperature,
    from companions
    where
        companion = '{{ family[:-3] }}'
        and similarity = '{{ similarity }}'
        and n_used > 0
    {% endfor %}
),

candidates as (
    select * from outside_projects
    union all by name
    select * from supervised
),

compared as (
    select
        candidates.*,
        coalesce(
            backward.temperature = candidates.backward_temperature
            and (
                candidates.forward_temperature is null
                or forward.temperature = candidates.forward_temperature
            ),
            false
        ) as is_as_in_the_paper,
    from candidates
    inner join settings as backward on candidates.setting_id = backward.setting_id
    left join settings as forward on candidates.forward_setting_id = forward.setting_id
),

ranked as (
    select
        *,
        row_number() over (
            partition by family, lm_id, dataset
            order by
                n_used desc, is_as_in_the_paper desc, setting_id asc, forward_setting_id asc
        ) as rank,
        count(*) over (partition by family, lm_id, dataset) as n_settings,
    from compared
),

published as (
    select
        family,
        {{ listed(lm_columns) }}
        dataset,
        setting_id,
        setting,
        forward_setting_id,
        forward_setting,
        rank,
        n_settings,
        is_as_in_the_paper,
        cast(n_used as bigint) as n_used,
        'headline_round_trip_v1' as view_version,
    from ranked
)

select * from published
