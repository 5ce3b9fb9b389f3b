-- One row per setting.
select *
from raw.setting
order by setting_id
