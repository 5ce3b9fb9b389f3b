-- One row per language model, dataset and mutation with an effect, under the settings shown.
with {{ mutation_rows(view, wanted.drawn_version, wanted.setting_id) }}

select *
from chosen
where {{ is_asked(wanted) }} and {{ effect }} is not null
