-- One row per completion of a side of a counterfactual pair; one of several pairs counts once.
select distinct
    'generation' as kind,
    verdicts.generation_id as id,
    verdicts.problem_id,
    verdicts.candidate_id,
    generations.run_id,
    if(verdicts.variant_id = pairs.mutated_variant_id, 'mutated side', 'original side') as role,
    if(verdicts.set_aside is null, verdicts.verdict, null) as verdict,
    coalesce(verdicts.set_aside, verdicts.null_reason) as null_reason
from ame_pairs_v1 as pairs
inner join generation_verdicts_v1 as verdicts
    on
        pairs.lm_id = verdicts.lm_id
        and pairs.setting_id = verdicts.setting_id
        and pairs.release_id = verdicts.release_id
        and (
            pairs.original_variant_id = verdicts.variant_id
            or pairs.mutated_variant_id = verdicts.variant_id
        )
inner join raw.generation as generations on verdicts.generation_id = generations.generation_id
where
    ($lm_id is null or pairs.lm_id = $lm_id)
    and ($simulated is null or pairs.simulated = $simulated)
    and ($pair_id is null or pairs.pair_id = $pair_id)
    and ($edition is null or pairs.edition = $edition)
    and ($mutation is null or pairs.mutation = $mutation or pairs.mutation = $other_mutation)
    and ($operator is null or pairs.operators = '["' || $operator || '"]')
    and pairs.setting_id = $setting_id
    and (
        pairs.release_id = $release_id
        or ($release_id is null and list_contains(string_split($dataset, '+'), pairs.dataset))
    )
