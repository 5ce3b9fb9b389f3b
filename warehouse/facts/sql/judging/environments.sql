-- One row per named release that was locked before: its newest environment.
select
    release_id,
    environment_id,
    missing,
    python,
    lock
from facts.environment_newest
where release_id in (select unnest(cast($release_ids as varchar[])))
