{#- Fewer problems than the first say nothing of a correlation; over fewer than the second it
    has no interval (decision 7). -#}
{% set least_n = 10 %}
{% set least_problems = 20 %}
{% set edition = 2 %}
{% set keys = ['entry_no', 'mutation_a', 'mutation_b'] %}

with entries as (
    select *
    from {{ ref('int_counterfactual_entry_numbered') }}
),

pairs as (
    select *
    from {{ ref('int_counterfactual_pair_scored') }}
    where edition = {{ edition }}
),

-- two drops against the same completions share their luck: the second is against the repeat.
-- Rounded, so that equal drops are equal
drops as (
    select
        pairs.entry_no,
        pairs.mutation,
        pairs.problem_index,
        round(avg(pairs.original - pairs.mutated order by pairs.original, pairs.mutated), 9)
            as drop_first,
        round(
            if(
                bool_and(entries.is_deterministic),
                avg(pairs.original - pairs.mutated order by pairs.original, pairs.mutated),
                avg(pairs.repeated - pairs.mutated order by pairs.repeated, pairs.mutated)
            ), 9
        ) as drop_second,
    from pairs
    inner join entries on pairs.entry_no = entries.entry_no
    group by all
),

mutations_met as (
    select distinct
        first.entry_no,
        first.mutation as mutation_a,
        second.mutation as mutation_b,
    from drops as first
    inner join drops as second
        on
            first.entry_no = second.entry_no
            and first.mutation < second.mutation
),

observed as (
    select
        mutations_met.entry_no,
        mutations_met.mutation_a,
        mutations_met.mutation_b,
        drops_a.problem_index,
        drops_a.drop_first as a,
        drops_b.drop_second as b,
    from mutations_met
    inner join drops as drops_a
        on
            mutations_met.entry_no = drops_a.entry_no
            and mutations_met.mutation_a = drops_a.mutation
    inner join drops as drops_b
        on
            mutations_met.entry_no = drops_b.entry_no
            and mutations_met.mutation_b = drops_b.mutation
            and drops_a.problem_index = drops_b.problem_index
    where
        drops_a.drop_first is not null
        and drops_b.drop_second is not null
),

ranked as (
    select
        entry_no,
        mutation_a,
        mutation_b,
        problem_index,
        a,
        b,
        {{ mid_rank('a', keys) }} as rank_a,
        {{ mid_rank('b', keys) }} as rank_b,
    from observed
),

correlated as (
    select
        entry_no,
        mutation_a,
        mutation_b,
        count(*) as n,
        {{ pearson('a', 'b') }} as pearson,
        {{ pearson('rank_a', 'rank_b') }} as spearman,
    from ranked
    group by all
),

{{ correlation_interval('observed', keys) }},

reasoned as (
    select
        mutations_met.entry_no,
        mutations_met.mutation_a,
        mutations_met.mutation_b,
        coalesce(correlated.n, 0) as n,
        correlated.pearson,
        correlated.spearman,
        case
            when coalesce(correlated.n, 0) < {{ least_n }} then 'n_lt_min'
            when correlated.pearson is null then 'zero_variance'
        end as null_reason,
    from mutations_met
    left join correlated
        on
            mutations_met.entry_no = correlated.entry_no
            and mutations_met.mutation_a = correlated.mutation_a
            and mutations_met.mutation_b = correlated.mutation_b
),

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        reasoned.mutation_a,
        reasoned.mutation_b,
        {{ correlation_columns('reasoned.n', least_problems) }}
        if(reasoned.null_reason is null, reasoned.spearman, null) as spearman,
        if(
            reasoned.null_reason is null,
            {{ fisher_bound('reasoned.spearman', 'reasoned.n', '-') }},
            null
        ) as spearman_lo,
        if(
            reasoned.null_reason is null,
            {{ fisher_bound('reasoned.spearman', 'reasoned.n', '+') }},
            null
        ) as spearman_hi,
        entries.is_deterministic as shares_original,
        reasoned.n,
        'mutation_correlation_v2' as view_version,
    from reasoned
    inner join entries on reasoned.entry_no = entries.entry_no
    left join intervals
        on
            reasoned.entry_no = intervals.entry_no
            and reasoned.mutation_a = intervals.mutation_a
            and reasoned.mutation_b = intervals.mutation_b
)

select * from published
