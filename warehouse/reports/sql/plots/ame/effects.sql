-- One row per language model, dataset and mutation with an effect, under the settings shown.
with {{ mutation_rows(view, version, setting_id) }}

select *
from chosen
where {{ is_asked(lm, dataset) }} and {{ effect }} is not null
