-- 19: pairs of programs are kept in blocks, those of a problem together: lists of small numbers,
-- each key once. Views give one row per pair again.
create table raw.pair_count_block (
    block_id varchar not null,
    measure varchar not null,
    candidates varchar[] not null,
    n_tokens integer[] not null,
    firsts integer[] not null,
    seconds integer[] not null,
    n_shared integer[] not null,
    run_id varchar not null,
    primary key (block_id)
);

create table raw.pair_score_block (
    block_id varchar not null,
    scorer_id varchar not null,
    candidates varchar[] not null,
    firsts integer[] not null,
    seconds integer[] not null,
    scores double[] not null,
    null_reasons varchar[] not null,
    run_id varchar not null,
    primary key (block_id)
);

-- The problem that a program answers first: pairs of its programs become one block.
create temp table answered as
select
    candidate_id,
    min(problem_id) as problem_id
from raw.evaluation
group by candidate_id;

create temp table counted as
select
    pairs.*,
    substr(
        sha256(concat_ws('/', pairs.measure, pairs.run_id, answered.problem_id)), 1, 32
    ) as block_id
from raw.pair_similarity as pairs
left join answered on pairs.candidate_a = answered.candidate_id;

insert into raw.pair_count_block by name
with programs as (
    select distinct
        block_id,
        unnest([candidate_a, candidate_b]) as candidate_id,
        unnest([n_tokens_a, n_tokens_b]) as n_tokens
    from counted
),

listed as (
    select
        block_id,
        list(candidate_id order by candidate_id) as candidates,
        list(n_tokens order by candidate_id) as n_tokens
    from programs
    group by block_id
),

placed as (
    select
        programs.*,
        row_number() over (partition by block_id order by candidate_id) as place
    from programs
)

select
    counted.block_id,
    any_value(counted.measure) as measure,
    any_value(listed.candidates) as candidates,
    any_value(listed.n_tokens) as n_tokens,
    list(firsts.place order by firsts.place, seconds.place) as firsts,
    list(seconds.place order by firsts.place, seconds.place) as seconds,
    list(counted.n_shared order by firsts.place, seconds.place) as n_shared,
    any_value(counted.run_id) as run_id
from counted
inner join listed on counted.block_id = listed.block_id
inner join placed as firsts
    on counted.block_id = firsts.block_id and counted.candidate_a = firsts.candidate_id
inner join placed as seconds
    on counted.block_id = seconds.block_id and counted.candidate_b = seconds.candidate_id
group by counted.block_id;

create temp table scored as
select
    pairs.*,
    substr(
        sha256(concat_ws('/', pairs.scorer_id, pairs.run_id, answered.problem_id)), 1, 32
    ) as block_id
from raw.pair_score as pairs
left join answered on pairs.candidate_a = answered.candidate_id;

insert into raw.pair_score_block by name
with programs as (
    select distinct
        block_id,
        unnest([candidate_a, candidate_b]) as candidate_id
    from scored
),

listed as (
    select
        block_id,
        list(candidate_id order by candidate_id) as candidates
    from programs
    group by block_id
),

placed as (
    select
        programs.*,
        row_number() over (partition by block_id order by candidate_id) as place
    from programs
)

select
    scored.block_id,
    any_value(scored.scorer_id) as scorer_id,
    any_value(listed.candidates) as candidates,
    list(firsts.place order by firsts.place, seconds.place) as firsts,
    list(seconds.place order by firsts.place, seconds.place) as seconds,
    list(scored.value order by firsts.place, seconds.place) as scores,
    list(scored.null_reason order by firsts.place, seconds.place) as null_reasons,
    any_value(scored.run_id) as run_id
from scored
inner join listed on scored.block_id = listed.block_id
inner join placed as firsts
    on scored.block_id = firsts.block_id and scored.candidate_a = firsts.candidate_id
inner join placed as seconds
    on scored.block_id = seconds.block_id and scored.candidate_b = seconds.candidate_id
group by scored.block_id;

drop table answered;
drop table counted;
drop table scored;
drop table raw.pair_similarity;
drop table raw.pair_score;

-- One row per pair of programs and token measure.
create view facts.pair_counted as
with pairs as (
    select
        measure,
        candidates,
        n_tokens,
        unnest(firsts) as first_place,
        unnest(seconds) as second_place,
        unnest(n_shared) as n_shared
    from raw.pair_count_block
)

select
    measure,
    candidates[first_place] as candidate_a,
    candidates[second_place] as candidate_b,
    n_shared,
    n_tokens[first_place] as n_tokens_a,
    n_tokens[second_place] as n_tokens_b
from pairs;

-- One row per pair of programs and scorer.
create view facts.pair_scored as
with pairs as (
    select
        scorer_id,
        candidates,
        unnest(firsts) as first_place,
        unnest(seconds) as second_place,
        unnest(scores) as value,
        unnest(null_reasons) as null_reason
    from raw.pair_score_block
)

select
    scorer_id,
    candidates[first_place] as candidate_a,
    candidates[second_place] as candidate_b,
    value,
    null_reason
from pairs;
