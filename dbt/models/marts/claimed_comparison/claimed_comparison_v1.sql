{% set named = claim_source_columns() | reject('in', ['dataset', 'simulated']) | list %}
{% set claimants = {
    'format': 'format', 'claimant': 'claimant', 'claimant_version': 'version', 'label': 'label',
} %}
{% set family = ['dataset', 'is_simulated', 'pairing', 'claimed_metric'] %}

with entries as (
    select
        *,
        coalesce(simulated, false) as is_simulated,
    from {{ ref('int_claimed_entry') }}
),

samples as (
    select *
    from {{ ref('int_claimed_sample') }}
    where passed is not null
),

tallies as (
    select
        entry_no,
        problem_index,
        count(*) as n,
        count(*) filter (passed) as c,
    from samples
    group by all
),

-- a claimed pass rate is pass@1 of claimed verdicts
problem_values as (
    select
        entry_no,
        'pass_at_k' as metric,
        1 as k,
        problem_index,
        {{ pass_at_k('n', 'c', 1) }} as value,
        {{ pass_at_k_variance('n', 'c', 1) }} as sampling_variance,
        n as n_samples,
    from tallies
),

pairs as (
    select
        row_number() over (order by a.entry_no, b.entry_no) as pair_no,
        a.entry_no as entry_a,
        b.entry_no as entry_b,
    from entries as a
    inner join entries as b
        on
            a.dataset = b.dataset
            and a.metric = b.metric
            and a.is_simulated = b.is_simulated
            and (a.lm, a.revision, a.lm_id, a.claimant, a.claim_source_id)
            < (b.lm, b.revision, b.lm_id, b.claimant, b.claim_source_id)
),

sizes_compared as (
    select distinct n_dataset
    from entries
),

{{ signs_drawn('sizes_compared') }},

{{ pairs_measured('signs_drawn') }},

paired as (
    select
        measured_pairs.*,
        entries.dataset,
        entries.is_simulated,
        entries.metric as claimed_metric,
        if(entries.lm_id = others.lm_id, 'claimants', 'language_models') as pairing,
    from measured_pairs
    inner join entries on measured_pairs.entry_a = entries.entry_no
    inner join entries as others on measured_pairs.entry_b = others.entry_no
),

{{ family_corrected('paired', family) }},

published as (
    select
        corrected.dataset,
        entries.simulated or others.simulated as simulated,
        corrected.pairing,
        corrected.claimed_metric as metric,
        {{ listed_as(named, 'entries', '_a') }}
        {{ listed_as(named, 'others', '_b') }}
        {{ words_differing(claimants, 'entries', 'others') }}
            as claimed_otherwise,
        {{ listed(comparison_measures(), 'corrected') }}
        'claimed_comparison_v1' as view_version,
    from corrected
    inner join entries on corrected.entry_a = entries.entry_no
    inner join entries as others on corrected.entry_b = others.entry_no
)

select * from published
