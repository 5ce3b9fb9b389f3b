-- What rows that came since the last build can change. `new_X` are those of raw.X.

-- Programs whose verdict they can change.
create temp table dirty_program as
select program_id from new_program
union
select program_id from new_outcome
union
select program_id from new_test_outcome
union
select program_id from new_limit_trial
union
select outcome.program_id
from new_canary
inner join raw.outcome as outcome on new_canary.run_id = outcome.run_id
inner join raw.program as program
    on
        outcome.program_id = program.program_id
        and new_canary.problem_id = program.problem_id;

-- Candidates whose number a new one has (dbt/macros/text/numbers.sql): the new ones, and old ones
-- that share their number with one of them.
create temp view candidate_of_new_number as
select candidate.candidate_id
from raw.candidate as candidate
semi join new_candidate on hash(candidate.candidate_id) = hash(new_candidate.candidate_id);

-- Blocks of pairs, of counted tokens and of scores.
create temp view pair_block as
select
    block_id,
    candidates,
    firsts,
    seconds,
from raw.pair_count_block
union all
select
    block_id,
    candidates,
    firsts,
    seconds,
from raw.pair_score_block;

-- Those that are new.
create temp view new_pair_block as
select
    block_id,
    candidates,
    firsts,
    seconds,
from new_pair_count_block
union all
select
    block_id,
    candidates,
    firsts,
    seconds,
from new_pair_score_block;

-- Pairs of candidates with a new measurement.
create temp table new_pair as
with places as (
    select
        candidates,
        unnest(firsts) as first_place,
        unnest(seconds) as second_place,
    from new_pair_block
)

select distinct
    candidates[first_place] as candidate_a,
    candidates[second_place] as candidate_b,
from places;

-- Of these programs, those that the last build had. It found no orphan, so old rows name no new
-- row: in old rows, only old programs and candidates have to be searched for.
create temp table old_dirty_program as
select program_id from dirty_program
except
select program_id from new_program;

create temp table changed_candidate as
select candidate_id from new_program
union
select program.candidate_id
from raw.program as program
semi join old_dirty_program on program.program_id = old_dirty_program.program_id
union
select candidate_a from new_pair
union
select candidate_b from new_pair;

create temp table old_changed_candidate as
select candidate_id from changed_candidate
except
select candidate_id from new_candidate;

-- Pairs whose similarity new rows can change: one of the two candidates has changed.
create temp table dirty_pair as
with members as (
    select
        block_id,
        unnest(candidates) as candidate_id,
    from pair_block
    -- without such a candidate no block is read
    where exists (select 1 from old_changed_candidate)
),

changed as (
    select distinct members.block_id
    from members
    semi join old_changed_candidate
        on members.candidate_id = old_changed_candidate.candidate_id
),

places as (
    select
        blocks.candidates,
        unnest(blocks.firsts) as first_place,
        unnest(blocks.seconds) as second_place,
    from pair_block as blocks
    semi join changed on blocks.block_id = changed.block_id
),

pairs as (
    select
        candidates[first_place] as candidate_a,
        candidates[second_place] as candidate_b,
    from places
),

dirty as (
    select
        candidate_a,
        candidate_b,
    from pairs
    where
        candidate_a in (select changed_candidate.candidate_id from changed_candidate)
        or candidate_b in (select changed_candidate.candidate_id from changed_candidate)
    union
    select
        candidate_a,
        candidate_b,
    from new_pair
)

-- tables of pairs name candidates by these numbers (dbt/macros/text/numbers.sql)
select
    candidate_a,
    candidate_b,
    least(hash(candidate_a), hash(candidate_b)) as candidate_no_a,
    greatest(hash(candidate_a), hash(candidate_b)) as candidate_no_b,
from dirty;

-- Every language model, with each setting under which it was asked.
create temp table asked as
select distinct
    lm_id,
    setting_id,
from raw.generation;

-- Those that the new rows touch. More are added where a relation differs. Each new candidate comes
-- with a new evaluation, so pairs with a new candidate touch no further unit.
create temp table touched_asked as
with named as (
    select generation_id from new_generation_text
    union
    select generation_id from new_token_logprob
    union
    select generation_id from new_evaluation
    union
    select generation_id from new_reflection_reading
    union
    select generation_id from new_generation_request
    union
    select generation_id from new_text_similarity
    union
    select evaluation.generation_id
    from raw.evaluation as evaluation
    semi join old_dirty_program on evaluation.program_id = old_dirty_program.program_id
),

old_named as (
    select generation_id from named
    except
    select generation_id from new_generation
),

known as (
    select
        generation.lm_id,
        generation.setting_id,
        generation.parent_generation_id,
    from raw.generation as generation
    semi join old_named on generation.generation_id = old_named.generation_id
    union
    select
        lm_id,
        setting_id,
        parent_generation_id,
    from new_generation
),

parents as (
    select distinct parent_generation_id as generation_id
    from known
    where parent_generation_id is not null
),

old_pairs as (
    select new_pair.*
    from new_pair
    anti join new_candidate as firsts on new_pair.candidate_a = firsts.candidate_id
    anti join new_candidate as seconds on new_pair.candidate_b = seconds.candidate_id
),

paired_ends as (
    select candidate_a as candidate_id from old_pairs
    union
    select candidate_b as candidate_id from old_pairs
),

paired_evaluations as (
    select
        evaluation.candidate_id,
        evaluation.generation_id,
    from raw.evaluation as evaluation
    semi join paired_ends on evaluation.candidate_id = paired_ends.candidate_id
),

paired as (
    select distinct
        paired_evaluations.candidate_id,
        generation.lm_id,
        generation.setting_id,
    from paired_evaluations
    inner join raw.generation as generation
        on paired_evaluations.generation_id = generation.generation_id
)

select
    lm_id,
    setting_id,
from known
union
select
    generation.lm_id,
    generation.setting_id,
from raw.generation as generation
semi join parents on generation.generation_id = parents.generation_id
union
select
    firsts.lm_id,
    firsts.setting_id,
from old_pairs
inner join paired as firsts on old_pairs.candidate_a = firsts.candidate_id
inner join paired as seconds
    on
        old_pairs.candidate_b = seconds.candidate_id
        and firsts.lm_id = seconds.lm_id
        and firsts.setting_id = seconds.setting_id;

-- Numbers in the last build.
create temp table lm_before as
select
    lm_id,
    lm_no,
from intermediate.int_language_model_numbered;

create temp table setting_before as
select
    setting_id,
    setting_no,
from intermediate.int_setting_numbered;

create temp table entry_before as
select
    lm_id,
    setting_id,
    entry_no,
from intermediate.int_entry_numbered;

create temp table group_before as
select
    lm_id,
    setting_id,
    group_no,
from intermediate.int_calibration_group;

create temp table compared_before as
select
    lm_id,
    setting_id,
    entry_no,
from intermediate.int_compared_entry;

create temp table compared_pair_before as
select
    entry_a,
    entry_b,
from intermediate.int_entry_paired;

-- The language model and setting of each unit, by the columns that name the unit. Numbers of the
-- last build are there beside those of this one.
create temp view of_asked as
select
    lm_id,
    setting_id,
from asked;

create temp view of_lm as
select
    lm_id,
    setting_id,
from asked;

create temp view of_setting as
select
    lm_id,
    setting_id,
from asked;

create temp view of_generation as
select
    generation_id,
    lm_id,
    setting_id,
from raw.generation;

create temp view of_program as
select
    evaluation.program_id,
    generation.lm_id,
    generation.setting_id,
from raw.evaluation as evaluation
inner join raw.generation as generation on evaluation.generation_id = generation.generation_id;

create temp view of_asked_no as
with lms as (
    select
        lm_id,
        lm_no,
    from lm_before
    union
    select
        lm_id,
        lm_no,
    from intermediate.int_language_model_numbered
),

settings as (
    select
        setting_id,
        setting_no,
    from setting_before
    union
    select
        setting_id,
        setting_no,
    from intermediate.int_setting_numbered
)

select
    lms.lm_no,
    settings.setting_no,
    asked.lm_id,
    asked.setting_id,
from asked
inner join lms on asked.lm_id = lms.lm_id
inner join settings on asked.setting_id = settings.setting_id;

create temp view of_entry as
select
    lm_id,
    setting_id,
    entry_no,
from entry_before
union
select
    lm_id,
    setting_id,
    entry_no,
from intermediate.int_entry_numbered;

create temp view of_group as
select
    lm_id,
    setting_id,
    group_no,
from group_before
union
select
    lm_id,
    setting_id,
    group_no,
from intermediate.int_calibration_group;

create temp view of_compared as
select
    lm_id,
    setting_id,
    entry_no,
from compared_before
union
select
    lm_id,
    setting_id,
    entry_no,
from intermediate.int_compared_entry;

-- The touched units whose rows are made again, by the columns that name them.
create temp view touched_asked_no as
select distinct
    of_asked_no.lm_no,
    of_asked_no.setting_no,
from of_asked_no
semi join touched_asked
    on
        of_asked_no.lm_id = touched_asked.lm_id
        and of_asked_no.setting_id = touched_asked.setting_id;

create temp view touched_entry as
select distinct of_entry.entry_no
from of_entry
semi join touched_asked
    on
        of_entry.lm_id = touched_asked.lm_id
        and of_entry.setting_id = touched_asked.setting_id;

create temp view touched_group as
select distinct of_group.group_no
from of_group
semi join touched_asked
    on
        of_group.lm_id = touched_asked.lm_id
        and of_group.setting_id = touched_asked.setting_id;

create temp view touched_compared as
select distinct of_compared.entry_no
from of_compared
semi join touched_asked
    on
        of_compared.lm_id = touched_asked.lm_id
        and of_compared.setting_id = touched_asked.setting_id;

-- Pairs with a touched entry, new pairs, and pairs that are no longer there.
create temp view touched_compared_pair as
with pairs as (
    select
        entry_a,
        entry_b,
    from intermediate.int_entry_paired
),

changed as (
    select pairs.*
    from pairs
    anti join compared_pair_before
        on
            pairs.entry_a = compared_pair_before.entry_a
            and pairs.entry_b = compared_pair_before.entry_b
    union all
    select compared_pair_before.*
    from compared_pair_before
    anti join pairs
        on
            compared_pair_before.entry_a = pairs.entry_a
            and compared_pair_before.entry_b = pairs.entry_b
)

select
    entry_a,
    entry_b,
from pairs
where
    entry_a in (select touched_compared.entry_no from touched_compared)
    or entry_b in (select touched_compared.entry_no from touched_compared)
union
select
    entry_a,
    entry_b,
from changed;
