-- One row per code that was taken out of a program, text that was written in its place, and list of
-- measures that are due: the generations of the named tasks that hold the text. A region of a
-- project and a cell of a notebook are the reference of their problem.
with answers as (
    select
        generation.generation_id,
        coalesce(region.code, problem.reference) as code,
        generation_text.kept_text
    from raw.generation as generation
    inner join raw.setting as setting on generation.setting_id = setting.setting_id
    inner join raw.problem as problem on generation.problem_id = problem.problem_id
    left join raw.region as region on generation.variant_id = region.variant_id
    inner join raw.generation_text as generation_text
        on generation.generation_id = generation_text.generation_id
    where setting.task in (select unnest(cast($tasks as varchar[])))
),

measures as (
    select unnest(cast($measures as varchar[])) as measure
),

wanted as (
    select
        answers.generation_id,
        answers.code,
        answers.kept_text,
        measures.measure
    from answers
    cross join measures
),

due as (
    select
        wanted.generation_id,
        wanted.code,
        wanted.kept_text,
        list(wanted.measure order by wanted.measure) as measures
    from wanted
    anti join raw.text_similarity as known
        on
            wanted.generation_id = known.generation_id
            and wanted.measure = known.measure
    group by wanted.generation_id, wanted.code, wanted.kept_text
)

select
    code,
    kept_text,
    measures,
    list(generation_id order by generation_id) as generation_ids
from due
group by code, kept_text, measures
order by code, kept_text, measures
