-- One row per project and language model, the easiest project first, and all regions at the end.
with {{ projects() }}

select
    lm_id,
    lm,
    revision,
    project,
    n_used,
    rtc,
    rtc_lo,
    rtc_hi,
    lift,
    lift_lo,
    lift_hi,
    avg(rtc) over (partition by project) as mean_rtc
from projects
where
    mean_over = 'regions'
    and {{ is_asked(wanted) }}
    and simulated = {{ simulated | lower }}
    and rtc is not null
order by project = '(all)' asc, mean_rtc desc, project asc, lm asc, lm_id asc
