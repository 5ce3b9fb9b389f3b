-- Raw rows of touched language models, and all that a dirty program or pair is made of.

create or replace temp table touched_generation as
select generation.generation_id
from raw.generation as generation
semi join touched_asked
    on
        generation.lm_id = touched_asked.lm_id
        and generation.setting_id = touched_asked.setting_id;

create or replace temp table touched_evaluation as
select distinct
    evaluation.candidate_id,
    evaluation.program_id,
from raw.evaluation as evaluation
semi join touched_generation on evaluation.generation_id = touched_generation.generation_id;

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
)

select program_id from touched_evaluation
union
select program_id from dirty_program
union
select program.program_id
from raw.program as program
semi join paired on program.candidate_id = paired.candidate_id;

create or replace temp table touched_block as
with members as (
    select
        block_id,
        unnest(candidates) as candidate_id,
    from raw.pair_count_block
    union all
    select
        block_id,
        unnest(candidates) as candidate_id,
    from raw.pair_score_block
)

select distinct members.block_id
from members
semi join touched_candidate on members.candidate_id = touched_candidate.candidate_id;

create or replace temp view touched_first as
select candidate_id as candidate_a
from touched_candidate;
