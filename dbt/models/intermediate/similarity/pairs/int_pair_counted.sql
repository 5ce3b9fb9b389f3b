{#- DuckDB reads blocks of pairs with one thread, since they are few rows: here once for all. -#}
{% set measures = token_similarities() | map(attribute='measure') | unique | list %}

with pairs as (
    select *
    from {{ source('facts', 'pair_counted') }}
),

-- n_tokens_a may be of candidate_no_b, since numbers have another order than names. Similarities do
-- not depend on the order
counted as (
    select
        {{ pair_numbers('candidate_a', 'candidate_b') }}
        {{ as_enum('measure', measures) }} as measure,
        n_shared,
        n_tokens_a,
        n_tokens_b,
    from pairs
)

select * from counted
