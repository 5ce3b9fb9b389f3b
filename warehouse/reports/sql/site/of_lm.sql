-- One row of a view per row that is of one language model.
select *
from {{ view }}
where lm_id = {{ literal(lm_id) }}
order by {{ listed(order) }}
