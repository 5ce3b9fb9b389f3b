-- One row per language model whose claims are compared.
select
    lm_id_a as lm_id,
    lm_a as lm,
    revision_a as revision
from claimed_comparison_v1
union
select
    lm_id_b as lm_id,
    lm_b as lm,
    revision_b as revision
from claimed_comparison_v1
order by lm, revision, lm_id
