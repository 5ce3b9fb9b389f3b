-- One row per language model with generations.
select
    language_models.lm_id,
    language_models.lm,
    language_models.revision,
    language_models.simulated,
    language_models.n_parameters,
    language_models.planted,
    language_models.run_id,
    count(*) as n_generations
from raw.language_model as language_models
inner join raw.generation as generations on language_models.lm_id = generations.lm_id
group by all
order by
    language_models.simulated,
    language_models.lm,
    language_models.revision,
    language_models.lm_id
