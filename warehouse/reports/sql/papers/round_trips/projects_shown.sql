-- One row per project, a block per language model; the means over all come last.
with {{ named(rows) }}

select
    name || if(simulated, ', simulated', '') as block,
    case
        when project <> '(all)' then project
        when mean_over = 'regions' then 'all regions'
        else 'mean of the projects'
    end as title,
    license,
    n_used,
    rtc,
    rtc_lo,
    rtc_hi,
    lift,
    lift_lo,
    lift_hi
from named
order by simulated asc, name asc, lm_id asc, project = '(all)' asc, project asc, mean_over desc
