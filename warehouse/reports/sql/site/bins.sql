-- One row per subject and bin of equal width: how often answers were right beside how sure it was.
select
    bins.lm_id,
    bins.dataset,
    bins.setting,
    bins.notion,
    bins.measure,
    bins.bin,
    bins.lo,
    bins.hi,
    bins.n,
    bins.mean_p,
    bins.frac_correct,
    bins.wilson_lo,
    bins.wilson_hi
from {{ view }} as bins
inner join headline_setting_v1 as headlines
    on
        bins.lm_id = headlines.lm_id
        and bins.setting_id = headlines.setting_id
        and bins.release_id = headlines.release_id
        and bins.notion = headlines.notion
where
    bins.rescaler = 'none'
    and headlines.family = 'calibration'
    and headlines.rank = 1
order by
    bins.lm_id,
    bins.dataset,
    bins.setting,
    bins.notion,
    {{ index_of("bins.measure", measures) }},
    bins.measure,
    bins.bin
