-- One row per setting of a view.
select distinct
    setting_id,
    setting
from {{ view }}
order by all
