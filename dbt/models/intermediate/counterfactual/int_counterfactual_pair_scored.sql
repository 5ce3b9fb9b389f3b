{#- Sides of a pair, and which samples of its variant each takes. The original takes the first m,
    the A/A repeat as many again, and the mutated side all. -#}
{% set sides = {
    'original': 'sample_index < m',
    'repeat': 'sample_index >= m and sample_index < 2 * m',
} %}
{% set faults = program_null_reasons() %}

with entries as (
    select *
    from {{ ref('int_counterfactual_entry_numbered') }}
),

pairs as (
    select
        pair_id,
        problem_no,
        release_no,
        edition,
        mutation,
        mutation_version,
        operators,
        original_variant_id,
        mutated_variant_id,
    from {{ ref('int_mutation_pair_judged') }}
    where validity = 'valid'
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

judged as (
    select *
    from {{ ref('int_counterfactual_judged') }}
),

samples as (
    select
        entries.entry_no,
        judged.variant_id,
        judged.sample_index,
        judged.verdict,
        judged.passed,
        judged.null_reason,
    from judged
    inner join entries
        on
            judged.lm_no = entries.lm_no
            and judged.setting_no = entries.setting_no
            and judged.release_no = entries.release_no
),

-- equal prompts are one variant: its samples serve every pair that shows it. As many are expected
-- of every pair of a mutation as its longest mutated side has: the last lost is as missing as any
mutated_sides as (
    select
        pairs.pair_id,
        samples.entry_no,
        cast(
            max(max(samples.sample_index) + 1) over (
                partition by samples.entry_no, pairs.edition, pairs.mutation
            ) as integer
        ) as m,
        count(*) as n_mutated,
        count(samples.verdict) as n_mutated_scored,
        count(*) filter (samples.passed) as n_mutated_passed,
        bool_or(samples.passed) filter (samples.sample_index = 0) as mutated_first,
        any_value(samples.null_reason) filter (samples.sample_index = 0)
            as mutated_first_null_reason,
        bool_or(samples.sample_index = 0) as mutated_has_first,
        list(distinct samples.null_reason) as mutated_faults,
    from pairs
    inner join samples on pairs.mutated_variant_id = samples.variant_id
    group by pairs.pair_id, pairs.edition, pairs.mutation, samples.entry_no
),

original_samples as (
    select
        pairs.pair_id,
        samples.entry_no,
        mutated_sides.m,
        samples.sample_index,
        samples.verdict,
        samples.passed,
        samples.null_reason,
    from pairs
    inner join samples on pairs.original_variant_id = samples.variant_id
    left join mutated_sides
        on
            pairs.pair_id = mutated_sides.pair_id
            and samples.entry_no = mutated_sides.entry_no
),

original_sides as (
    select
        pair_id,
        entry_no,
        bool_or(passed) filter (sample_index = 0) as original_first,
        any_value(null_reason) filter (sample_index = 0) as original_first_null_reason,
        bool_or(sample_index = 0) as original_has_first,
        {% for side, taken in sides.items() %}
        count(*) filter ({{ taken }}) as n_{{ side }},
        count(verdict) filter ({{ taken }}) as n_{{ side }}_scored,
        count(*) filter (({{ taken }}) and passed) as n_{{ side }}_passed,
        list(distinct null_reason) filter ({{ taken }}) as {{ side }}_faults,
        {% endfor %}
    from original_samples
    group by pair_id, entry_no
),

asked as (
    select
        pair_id,
        entry_no,
    from original_sides
    union
    select
        pair_id,
        entry_no,
    from mutated_sides
),

-- a mutation was asked where any mutated side was: originals serve several mutations
mutations_asked as (
    select distinct
        mutated_sides.entry_no,
        pairs.edition,
        pairs.mutation,
    from mutated_sides
    inner join pairs on mutated_sides.pair_id = pairs.pair_id
),

-- of several versions of a mutation in one edition, the newest that the language model was asked
pairs_asked as (
    select
        asked.pair_id,
        asked.entry_no,
        pairs.problem_no,
        pairs.edition,
        pairs.mutation,
        pairs.mutation_version,
        pairs.operators,
    from asked
    inner join pairs on asked.pair_id = pairs.pair_id
    semi join mutations_asked
        on
            asked.entry_no = mutations_asked.entry_no
            and pairs.edition = mutations_asked.edition
            and pairs.mutation = mutations_asked.mutation
    qualify rank() over (
        partition by asked.entry_no, pairs.edition, pairs.mutation
        order by pairs.mutation_version desc
    ) = 1
),

reasoned as (
    select
        pairs_asked.entry_no,
        pairs_asked.pair_id,
        problems.problem_index,
        pairs_asked.edition,
        pairs_asked.mutation,
        pairs_asked.mutation_version,
        pairs_asked.operators,
        mutated_sides.m,
        coalesce(original_sides.n_original, 0) as n_original,
        coalesce(original_sides.n_original_passed, 0) as n_original_passed,
        coalesce(original_sides.n_repeat, 0) as n_repeat,
        coalesce(original_sides.n_repeat_passed, 0) as n_repeat_passed,
        coalesce(mutated_sides.n_mutated, 0) as n_mutated,
        coalesce(mutated_sides.n_mutated_passed, 0) as n_mutated_passed,
        original_sides.original_first,
        mutated_sides.mutated_first,
        case
            when problems.set_aside is not null then problems.set_aside
            when mutated_sides.m is null or original_sides.pair_id is null then 'not_generated'
            when original_sides.n_original < mutated_sides.m then 'samples_missing'
            when mutated_sides.n_mutated < mutated_sides.m then 'samples_missing'
            {% for fault in faults %}
            when
                list_contains(original_sides.original_faults, '{{ fault }}')
                or list_contains(mutated_sides.mutated_faults, '{{ fault }}')
                then '{{ fault }}'
            {% endfor %}
        end as null_reason,
        case
            when problems.set_aside is not null then problems.set_aside
            when mutated_sides.m is null or original_sides.pair_id is null then 'not_generated'
            when not (original_sides.original_has_first and mutated_sides.mutated_has_first)
                then 'samples_missing'
            {% for fault in faults %}
            when
                original_sides.original_first_null_reason = '{{ fault }}'
                or mutated_sides.mutated_first_null_reason = '{{ fault }}'
                then '{{ fault }}'
            {% endfor %}
        end as first_null_reason,
        case
            when problems.set_aside is not null then problems.set_aside
            when coalesce(original_sides.n_repeat, 0) = 0 then 'not_generated'
            when original_sides.n_repeat < mutated_sides.m then 'samples_missing'
            {% for fault in faults %}
            when list_contains(original_sides.repeat_faults, '{{ fault }}') then '{{ fault }}'
            {% endfor %}
        end as repeat_null_reason,
    from pairs_asked
    inner join problems on pairs_asked.problem_no = problems.problem_no
    left join original_sides
        on
            pairs_asked.pair_id = original_sides.pair_id
            and pairs_asked.entry_no = original_sides.entry_no
    left join mutated_sides
        on
            pairs_asked.pair_id = mutated_sides.pair_id
            and pairs_asked.entry_no = mutated_sides.entry_no
),

scored as (
    select
        entry_no,
        pair_id,
        problem_index,
        edition,
        mutation,
        mutation_version,
        operators,
        m,
        n_original,
        n_original_passed,
        n_repeat,
        n_repeat_passed,
        n_mutated,
        n_mutated_passed,
        if(null_reason is null, n_original_passed / n_original, null) as original,
        if(null_reason is null, n_mutated_passed / n_mutated, null) as mutated,
        if(
            null_reason is null and repeat_null_reason is null,
            n_repeat_passed / n_repeat,
            null
        ) as repeated,
        null_reason,
        coalesce(null_reason, repeat_null_reason) as repeat_null_reason,
        if(first_null_reason is null, original_first, null) as original_first,
        if(first_null_reason is null, mutated_first, null) as mutated_first,
        first_null_reason,
    from reasoned
)

select * from scored
