-- One row per reply that a judge still owes: a pair of the registered table pairs, in an order, and
-- a vote. The smaller candidate_id is shown first; with two orders also the other way round, unless
-- both programs are the same.
with orders as (
    select
        candidate_a as candidate_first,
        candidate_b as candidate_second,
        problem_id,
        generation_id,
        variant_id
    from pairs
    union all
    select
        candidate_b as candidate_first,
        candidate_a as candidate_second,
        problem_id,
        generation_id,
        variant_id
    from pairs
    where $n_orders = 2 and candidate_a < candidate_b
),

votes as (
    select unnest(range(cast($n_votes as bigint))) as vote
),

known as (
    select
        candidate_first,
        candidate_second,
        vote
    from raw.pair_rating
    where scorer_id = $scorer_id
)

select
    orders.candidate_first,
    orders.candidate_second,
    votes.vote,
    orders.problem_id,
    problem.task_id,
    orders.variant_id,
    orders.generation_id
from orders
cross join votes
inner join raw.problem as problem on orders.problem_id = problem.problem_id
anti join known
    on
        orders.candidate_first = known.candidate_first
        and orders.candidate_second = known.candidate_second
        and votes.vote = known.vote
order by orders.problem_id, orders.candidate_first, orders.candidate_second, votes.vote
