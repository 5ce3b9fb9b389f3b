with reflections as (
    select *
    from {{ ref('stg_generation') }}
    where parent_generation_id is not null
),

settings as (
    select *
    from {{ ref('stg_setting') }}
    where task in {{ tasks_of('stated_confidence') }}
),

readings as (
    select *
    from {{ ref('stg_reflection_reading') }}
),

-- a prompt is read by the reader of the same name
attempts as (
    select
        reflections.parent_generation_id,
        reflections.setting_id,
        readings.reader,
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
        reader,
        setting_id,
        count(*) as n_calls,
        arg_min(value, sample_index) filter (value is not null) as value,
    from attempts
    group by all
),

-- asked under several settings, the one asked most often speaks
read as (
    select
        parent_generation_id as generation_id,
        reader,
        cast(n_calls as integer) as n_calls,
        value,
    from tallied
    qualify row_number() over (
        partition by parent_generation_id, reader
        order by n_calls desc, setting_id asc
    ) = 1
)

select * from read
