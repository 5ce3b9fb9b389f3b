-- Raw rows of touched language models, and all that a dirty program or pair is made of.

create or replace temp table touched_generation as
with of_touched as (
    select
        generation.rowid as place,
        generation.generation_id,
    from raw.generation as generation
    semi join touched_asked
        on
            generation.lm_id = touched_asked.lm_id
            and generation.setting_id = touched_asked.setting_id
),

-- what a language model says of its answer, and a repair, are generations too, of other settings
children as (
    select
        generation.rowid as place,
        generation.generation_id,
    from raw.generation as generation
    semi join of_touched on generation.parent_generation_id = of_touched.generation_id
)

select
    place,
    generation_id,
from of_touched
union
select
    place,
    generation_id,
from children;

create or replace temp table touched_evaluation as
with old_touched as (
    select generation_id from touched_generation
    except
    select generation_id from new_generation
)

select
    candidate_id,
    program_id,
from new_evaluation
union
select
    evaluation.candidate_id,
    evaluation.program_id,
from raw.evaluation as evaluation
semi join old_touched on evaluation.generation_id = old_touched.generation_id;

create or replace temp table touched_candidate as
select candidate_id from touched_evaluation
union
select candidate_id from changed_candidate
union
select candidate_a from dirty_pair
union
select candidate_b from dirty_pair;

create or replace temp table touched_program as
with paired as (
    select candidate_a as candidate_id from dirty_pair
    union
    select candidate_b as candidate_id from dirty_pair
),

old_paired as (
    select candidate_id from paired
    except
    select candidate_id from new_candidate
)

select program_id from touched_evaluation
union
select program_id from dirty_program
union
select program.program_id
from raw.program as program
semi join old_paired on program.candidate_id = old_paired.candidate_id;

create or replace temp table old_touched_candidate as
select candidate_id from touched_candidate
except
select candidate_id from new_candidate;

create or replace temp table touched_block as
with members as (
    select
        block_id,
        unnest(candidates) as candidate_id,
    from pair_block
    -- without such a candidate no block is read
    where exists (select 1 from old_touched_candidate)
)

select block_id from new_pair_block
union
select members.block_id
from members
semi join old_touched_candidate on members.candidate_id = old_touched_candidate.candidate_id;

-- in pairs of touched candidates, the smaller number is that of one of them
create or replace temp view touched_first as
select hash(candidate_id) as candidate_no_a
from touched_candidate;
