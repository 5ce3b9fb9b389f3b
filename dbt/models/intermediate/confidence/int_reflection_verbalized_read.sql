{{ config(materialized="view") }}

with reflections as (
    select *
    from {{ ref('stg_generation') }}
    where parent_generation_id is not null
),

settings as (
    select
        setting_id,
        prompt_kind,
        cast(right(prompt_kind, 1) as tinyint) as version,
        row_number() over (order by setting_id desc) as place,
    from {{ ref('stg_setting') }}
    where
        task in {{ tasks_of('stated_confidence') }}
        and prompt_kind in ('verbalized_v1', 'verbalized_v2')
),

readings as (
    select *
    from {{ ref('stg_reflection_reading') }}
),

-- a prompt is read by the reader of the same name
attempts as (
    select
        reflections.parent_generation_id,
        settings.place,
        settings.version,
        reflections.sample_index,
        readings.value,
    from reflections
    inner join settings on reflections.setting_id = settings.setting_id
    inner join readings
        on
            reflections.generation_id = readings.generation_id
            and settings.prompt_kind = readings.reader
),

-- the first attempt that could be read decides
tallied as (
    select
        parent_generation_id,
        version,
        place,
        cast(count(*) as integer) as n_calls,
        arg_min(value, sample_index) filter (value is not null) as value,
    from attempts
    group by all
),

weighed as (
    select
        parent_generation_id,
        version,
        struct_pack(n_calls := n_calls, value := value) as stated,
        n_calls * 1000000 + place as weight,
    from tallied
),

-- asked under several settings, the one asked most often speaks; of equals the first
chosen as (
    select
        parent_generation_id,
        {% for v in [1, 2] %}
        arg_max(stated, weight) filter (version = {{ v }}) as stated_v{{ v }},
        {% endfor %}
    from weighed
    group by parent_generation_id
),

read as (
    select
        parent_generation_id as generation_id,
        {% for v in [1, 2] %}
        struct_extract(stated_v{{ v }}, 'n_calls') as n_calls_v{{ v }},
        struct_extract(stated_v{{ v }}, 'value') as value_v{{ v }},
        {% endfor %}
    from chosen
)

select * from read
