-- One row per reference, text that is compared with it, and list of measures that are due: the
-- generations that hold the text. The reference of a program of a round trip is the code that was
-- taken out. A region of a project and a cell of a notebook are the reference of their problem.
-- That of a description of an edit is what a person said of the edit.
with programs as (
    select
        generation.generation_id,
        coalesce(region.code, problem.reference) as reference,
        generation_text.kept_text,
        unnest(cast($measures as varchar[])) as measure
    from raw.generation as generation
    inner join raw.setting as setting on generation.setting_id = setting.setting_id
    inner join raw.problem as problem on generation.problem_id = problem.problem_id
    left join raw.region as region on generation.variant_id = region.variant_id
    inner join raw.generation_text as generation_text
        on generation.generation_id = generation_text.generation_id
    where setting.task in (select unnest(cast($tasks as varchar[])))
),

descriptions as (
    select
        generation.generation_id,
        variant.prompt as reference,
        generation_text.kept_text,
        unnest(cast($measures_of_words as varchar[])) as measure
    from raw.generation as generation
    inner join raw.setting as setting on generation.setting_id = setting.setting_id
    inner join raw.variant as variant on generation.problem_id = variant.problem_id
    inner join raw.generation_text as generation_text
        on generation.generation_id = generation_text.generation_id
    where
        setting.task in (select unnest(cast($tasks_of_words as varchar[])))
        and variant.kind = 'comment'
),

wanted as (
    select * from programs
    union all
    select * from descriptions
),

due as (
    select
        wanted.generation_id,
        wanted.reference,
        wanted.kept_text,
        list(wanted.measure order by wanted.measure) as measures
    from wanted
    anti join raw.text_similarity as known
        on
            wanted.generation_id = known.generation_id
            and wanted.measure = known.measure
    group by wanted.generation_id, wanted.reference, wanted.kept_text
)

select
    reference,
    kept_text,
    measures,
    list(generation_id order by generation_id) as generation_ids
from due
group by reference, kept_text, measures
order by reference, kept_text, measures
