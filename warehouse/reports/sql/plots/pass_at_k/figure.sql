-- One row per language model and k of one dataset, the best at the smallest k first.
select *
from (
    {{ rows }}
)
where dataset = {{ literal(dataset) }} and simulated = {{ simulated | lower }}
order by best desc, name asc, lm_id asc, k asc
