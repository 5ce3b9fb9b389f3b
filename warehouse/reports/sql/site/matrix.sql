-- One row per problem, language model and setting: samples that pass, and samples with a verdict.
select
    problem_id,
    lm_id,
    setting_id,
    any_value(set_aside) as set_aside,
    count(*) filter (where passed) as n_passed,
    count(verdict) as n_scored,
    count(*) as n_samples
from generation_verdicts_v1
group by all
order by all
