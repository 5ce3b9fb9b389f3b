-- One row per problem: the variant that is its own prompt.
select
    problem_id,
    variant_id
from raw.variant
where kind = 'original'
