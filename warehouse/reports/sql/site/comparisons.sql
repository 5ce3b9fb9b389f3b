-- One row per two entries, metric and k; of two families that have it, that of language models.
select *
from {{ view }}
qualify
    row_number() over (
        partition by
            release_id,
            metric,
            k,
            lm_id_a,
            setting_id_a,
            forward_lm_id_a,
            forward_setting_id_a,
            lm_id_b,
            setting_id_b,
            forward_lm_id_b,
            forward_setting_id_b
        order by pairing = 'language_models' desc, pairing asc
    ) = 1
order by
    dataset asc,
    release_id asc,
    lm_a asc,
    lm_id_a asc,
    lm_b asc,
    lm_id_b asc,
    setting_a asc,
    setting_b asc,
    metric = 'pass_at_k' desc,
    metric asc,
    k asc
