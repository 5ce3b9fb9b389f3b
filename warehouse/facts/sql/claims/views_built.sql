-- One row per view that the results of a language model are read from, where it is built.
select table_name
from information_schema.tables
where table_name in ('generation_verdicts_v1', 'pass_at_k_v1')
