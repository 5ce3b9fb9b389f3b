-- One row per named admission that holds expected outputs, as a JSON list.
select
    admission_id,
    outputs
from raw.admission
where
    outputs is not null
    and admission_id in (select unnest(cast($admission_ids as varchar[])))
