-- One row per language model and dataset: round trips of edits, and the supervised numbers.
with trips as (
    {{ own_round_trips("rtc_editing_v" ~ version, "editing_v" ~ version, "exact_match") }}
),

{{ companion("edit_to_nl", "bleu") }},

{{ companion("nl_to_edit", "exact_match" if version == 1 else "exact_match_spaced") }}

select
    trips.*,
    {{ companion_columns("edit_to_nl") }},
    {{ companion_columns("nl_to_edit") }}
from trips
left join edit_to_nl on trips.lm_id = edit_to_nl.lm_id and trips.dataset = edit_to_nl.dataset
left join nl_to_edit on trips.lm_id = nl_to_edit.lm_id and trips.dataset = nl_to_edit.dataset
order by trips.simulated, trips.lm, trips.lm_id, trips.dataset
