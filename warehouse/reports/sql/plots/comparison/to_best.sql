-- One row per entry of a board, compared with the best one of it.
select
    dataset,
    simulated,
    concat_ws(
        ', ',
        task,
        if(prompt_kind = 'original', null, prompt_kind || ' prompt'),
        'T=' || temperature
    ) as board,
    lm_id || setting_id as key,
    trim(lm || ' ' || revision) as name,
    trim(best_lm || ' ' || best_revision) as other,
    difference,
    difference_lo,
    difference_hi,
    holm_p,
    n_common
from {{ view }}
where
    difference is not null
    and metric = {{ literal(wanted.metric) }}
    and k = {{ wanted.compared_k }}
    {% if wanted.dataset is not none %}
    and dataset = {{ literal(wanted.dataset) }}
    {% endif %}
