-- One row per named rating that is stored: its level.
select
    rating_id,
    level
from raw.pair_rating
where rating_id in (select unnest(cast($rating_ids as varchar[])))
