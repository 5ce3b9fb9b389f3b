{#- A metric is a branch: those that are means over problems, with what each problem gives. -#}
{% set briers = [] %}
{% for version, measure, score, _, _ in calibration_measures() if version == 2 %}
{% do briers.append([measure, score]) %}
{% endfor %}

with entries as (
    select *
    from {{ ref('int_compared_entry') }}
    where round_trip_entry_no is null
),

round_trip_entries as (
    select *
    from {{ ref('int_compared_entry') }}
    where round_trip_entry_no is not null
),

tallies as (
    select
        entries.entry_no,
        tallies.problem_index,
        tallies.n_scored,
        tallies.n_passed,
    from entries
    inner join {{ ref('int_problem_tallied') }} as tallies
        on
            entries.lm_no = tallies.lm_no
            and entries.setting_no = tallies.setting_no
            and entries.release_no = tallies.release_no
    where
        not entries.resampled
        and tallies.set_aside is null
),

ks as (
    select cast(unnest({{ var('pass_ks') }}) as integer) as k
),

-- the estimator depends on three integers only: compute it once for each
counts_seen as (
    select distinct
        tallies.n_scored as n,
        tallies.n_passed as c,
        ks.k,
    from tallies
    inner join ks on tallies.n_scored >= ks.k
),

pass_estimates as (
    select
        n,
        c,
        k,
        {{ pass_at_k('n', 'c', 'k') }} as value,
        {{ pass_at_k_variance('n', 'c', 'k') }} as sampling_variance,
    from counts_seen
),

pass_values as (
    select
        tallies.entry_no,
        'pass_at_k' as metric,
        pass_estimates.k,
        tallies.problem_index,
        pass_estimates.value,
        pass_estimates.sampling_variance,
        tallies.n_scored as n_samples,
    from tallies
    inner join pass_estimates
        on
            tallies.n_scored = pass_estimates.n
            and tallies.n_passed = pass_estimates.c
),

similarities as (
    select
        problem_values.entry_no,
        problem_values.problem_index,
        problem_values.n as n_samples,
        problem_values.csim,
        problem_values.dpass,
    from {{ ref('int_problem_similarity') }} as problem_values
    inner join {{ ref('int_similarity_numbered') }} as similarities
        on problem_values.similarity_no = similarities.similarity_no
    where
        problem_values.version = 2
        and problem_values.scope = 'first_k'
        and similarities.similarity = 'clone_80'
),

diversity_values as (
    {% for measure in ['csim', 'dpass'] %}
    {{ 'union all' if not loop.first }}
    select
        entry_no,
        '{{ measure }}' as metric,
        {{ var('sim_k') }} as k,
        problem_index,
        {{ measure }} as value,
        cast(null as double) as sampling_variance,
        n_samples,
    from similarities
    where {{ measure }} is not null
    {% endfor %}
),

labels as (
    select *
    from {{ ref('int_generation_labelled') }}
    where
        notion = 'exact_match'
        and null_reason is null
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

matches as (
    select
        entries.entry_no,
        problems.problem_index,
        count(labels.y_v2) as n,
        count(*) filter (labels.y_v2) as c,
    from labels
    inner join problems on labels.problem_no = problems.problem_no
    inner join entries
        on
            labels.lm_no = entries.lm_no
            and labels.setting_no = entries.setting_no
            and problems.release_no = entries.release_no
    where not entries.resampled
    group by all
),

match_values as (
    select
        entry_no,
        'exact_match' as metric,
        1 as k,
        problem_index,
        c / n as value,
        {{ pass_at_k_variance('n', 'c', 1) }} as sampling_variance,
        n as n_samples,
    from matches
    where n > 0
),

scored as (
    select
        scored.*,
        cast(scored.y_v2 as double) as y,
        label_groups.notion,
        entries.entry_no,
        problems.problem_index,
    from {{ ref('int_calibration_scored') }} as scored
    inner join {{ ref('int_calibration_group') }} as label_groups
        on scored.group_no = label_groups.group_no
    inner join problems on scored.problem_no = problems.problem_no
    inner join entries
        on
            label_groups.lm_no = entries.lm_no
            and label_groups.setting_no = entries.setting_no
            and label_groups.release_no = entries.release_no
    where scored.label_null_reason is null
),

brier_values as (
    {% for measure, score in briers %}
    {{ 'union all' if not loop.first }}
    select
        entry_no,
        if(notion = 'all_pass', 'brier_', 'brier_' || notion || '_') || '{{ measure }}' as metric,
        1 as k,
        problem_index,
        avg(pow({{ score }} - y, 2) order by generation_no) as value,
        var_samp(pow({{ score }} - y, 2) order by generation_no) / count(*) as sampling_variance,
        count(*) as n_samples,
    from scored
    where {{ score }} is not null
    group by entry_no, notion, problem_index
    {% endfor %}
),

-- several pairs of a problem count as one: their mean
drops as (
    select
        entries.entry_no,
        'accuracy_drop_' || pairs.mutation as metric,
        1 as k,
        pairs.problem_index,
        avg(pairs.original - pairs.mutated order by pairs.original, pairs.mutated) as value,
        cast(null as double) as sampling_variance,
        cast(sum(pairs.n_original + pairs.n_mutated) as bigint) as n_samples,
    from {{ ref('int_counterfactual_pair_scored') }} as pairs
    inner join {{ ref('int_counterfactual_entry_numbered') }} as asked
        on pairs.entry_no = asked.entry_no
    inner join entries
        on
            asked.lm_no = entries.lm_no
            and asked.setting_no = entries.setting_no
            and asked.release_no = entries.release_no
    where
        pairs.edition = 2
        and pairs.original is not null
    group by entries.entry_no, pairs.mutation, pairs.problem_index
),

round_trips as (
    {% for valued in ['int_round_trip_problem_valued', 'int_edit_problem_valued'] %}
    {{ 'union all' if not loop.first }}
    select
        entries.entry_no,
        'rtc_' || valued.similarity as metric,
        1 as k,
        valued.problem_index,
        valued.rtc as value,
        cast(null as double) as sampling_variance,
        valued.n_programs as n_samples,
    from {{ ref(valued) }} as valued
    inner join round_trip_entries as entries on valued.entry_no = entries.round_trip_entry_no
    {% endfor %}
),

{% set metrics = [
    'pass_values', 'diversity_values', 'match_values', 'brier_values', 'drops', 'round_trips'
] %}
stacked as (
    {% for values in metrics %}
    {{ 'union all by name' if not loop.first }}
    select *
    from {{ values }}
    {% endfor %}
),

valued as (
    select
        stacked.entry_no,
        stacked.metric,
        cast(stacked.k as integer) as k,
        problems.problem_index,
        problems.problem_id,
        problems.task_id,
        stacked.value,
        stacked.sampling_variance,
        cast(stacked.n_samples as bigint) as n_samples,
    from stacked
    inner join {{ ref('int_compared_entry') }} as entries on stacked.entry_no = entries.entry_no
    inner join problems
        on
            entries.release_no = problems.release_no
            and stacked.problem_index = problems.problem_index
)

select * from valued
