-- One row per project of both language models, each with the correlation of the two.
with {{ projects() }},

chosen as (
    select *
    from projects
    where project <> '(all)'
),

pairs as (
    select *
    from rtc_project_correlation_v1
    where lm_id = {{ literal(lm_id) }} and other_lm_id = {{ literal(other_lm_id) }}
)

select
    ours.project,
    ours.rtc,
    ours.rtc_lo,
    ours.rtc_hi,
    theirs.rtc as other_rtc,
    theirs.rtc_lo as other_rtc_lo,
    theirs.rtc_hi as other_rtc_hi,
    pairs.lm,
    pairs.revision,
    pairs.other_lm,
    pairs.other_revision,
    pairs.n_projects,
    pairs.pearson,
    pairs.pearson_lo,
    pairs.pearson_hi,
    pairs.spearman
from pairs
inner join chosen as ours on pairs.lm_id = ours.lm_id
inner join chosen as theirs
    on pairs.other_lm_id = theirs.lm_id and ours.project = theirs.project
where ours.rtc is not null and theirs.rtc is not null
order by ours.project
