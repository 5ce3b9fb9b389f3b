{#- Per version of Sim@k: the tally of its pairs, and how many there are among n samples (disjoint
    neighbours in version 1, all in version 2). The last entry says whether a negative cosine counts
    as 0. -#}
{% set versions = [
    {'version': 1, 'tallied': 'int_adjacent_pair_tallied', 'n_pairs': 'n // 2', 'clips': false},
    {'version': 2, 'tallied': 'int_candidate_pair_tallied', 'n_pairs': 'n * (n - 1) // 2', 'clips': true},
] %}

with
-- only whole functions are compared with one another: a line is too short to be a clone
{{ entries_of('whole_functions') }},

problems as (
    select problems.*
    from {{ ref('int_problem_scoped') }} as problems
    semi join entries on problems.entry_no = entries.entry_no
),

similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
),

entry_similarities as (
    select *
    from {{ ref('int_entry_similarity') }}
),

pairs_between as (
    select
        first_pairs.entry_no,
        first_pairs.problem_index,
        valued.similarity_no,
        valued.value,
    from {{ ref('int_pair_between') }} as first_pairs
    inner join {{ ref('int_pair_valued') }} as valued
        on {{ same_pair('first_pairs', 'valued') }}
),

problem_pairs as (
    {% for each in versions %}
    {{ 'union all' if not loop.first }}
    select
        problems.*,
        {{ each.version }} as version,
        entry_similarities.similarity_no,
        coalesce(pairs.n_pairs, 0) < {{ each.n_pairs | replace('n', 'problems.n') }} as is_missing,
        coalesce(pairs.n_passing_pairs, 0)
        < {{ each.n_pairs | replace('n', 'problems.c') }} as is_passing_missing,
        pairs.n_pairs,
        pairs.n_unscored,
        pairs.n_pairs - pairs.n_unscored as n_scored,
        pairs.similarity_sum,
        pairs.similarity_squares,
        pairs.n_passing_pairs,
        pairs.n_passing_pairs - pairs.n_passing_unscored as n_passing_scored,
        similarities.needs_every_score,
        similarities.needs_no_scorer or similarities.scorer_id != '' as is_measured,
        similarities.needs_every_score and pairs.n_unscored > 0 as is_unusable,
        similarities.needs_every_score and pairs.n_passing_unscored > 0 as is_passing_unusable,
        pairs.similarity_passing_sum,
        {% if each.clips %}
        cast(if(pairs_between.value < 0, 0, pairs_between.value) as double) as similarity_between,
        {% else %}
        cast(pairs_between.value as double) as similarity_between,
        {% endif %}
    from problems
    inner join entry_similarities on problems.entry_no = entry_similarities.entry_no
    inner join similarities
        on
            entry_similarities.similarity_no = similarities.similarity_no
            and similarities.in_v{{ each.version }}
    left join {{ ref(each.tallied) }} as pairs
        on
            problems.entry_no = pairs.entry_no
            and problems.scope = pairs.scope
            and problems.problem_index = pairs.problem_index
            and entry_similarities.similarity_no = pairs.similarity_no
    left join pairs_between
        on
            problems.entry_no = pairs_between.entry_no
            and problems.problem_index = pairs_between.problem_index
            and entry_similarities.similarity_no = pairs_between.similarity_no
    {% endfor %}
),

-- where most pairs have no score, a mean is that of the few programs that can be compared
problem_shares as (
    select
        *,
        not needs_every_score and coalesce(
            2 * sum(n_scored) filter (null_reason is null and not is_missing) over entry_pairs
            < sum(n_pairs) filter (null_reason is null and not is_missing) over entry_pairs,
            false
        ) as few_pairs_scored,
        not needs_every_score and coalesce(
            2 * sum(n_passing_scored) filter (c >= 2 and not is_passing_missing) over entry_pairs
            < sum(n_passing_pairs) filter (c >= 2 and not is_passing_missing) over entry_pairs,
            false
        ) as few_passing_pairs_scored,
    from problem_pairs
    window entry_pairs as (partition by version, entry_no, scope, similarity_no)
),

-- a mean counts only when every pair of the problem has been measured. Pairs that have no score are
-- left out of it, unless the similarity needs them
means as (
    select
        *,
        if(
            null_reason is null and not is_missing and not is_unusable and not few_pairs_scored,
            similarity_sum / nullif(n_scored, 0),
            null
        ) as sim,
        if(
            c >= 2
            and not is_passing_missing
            and not is_passing_unusable
            and not few_passing_pairs_scored,
            similarity_passing_sum / nullif(n_passing_scored, 0),
            null
        ) as csim,
    from problem_shares
),

-- where the maker replaced failed samples, the share of right ones says nothing. Where nothing
-- scored a pair of an entry, DPass is unknown also of the problems that need no pair
problem_values as (
    select
        version,
        entry_no,
        scope,
        similarity_no,
        problem_index,
        resampled,
        null_reason,
        n,
        c,
        is_missing,
        is_passing_missing,
        n_pairs,
        n_unscored,
        few_pairs_scored,
        few_passing_pairs_scored,
        is_measured,
        if(sim is null, null, n_scored) as n_scored,
        if(resampled, null, c / n) as pass_at_1,
        if(resampled, null, cast(c > 0 as double)) as pass_at_k,
        sim,
        csim,
        if(
            resampled or few_passing_pairs_scored or not is_measured,
            null,
            {{ dpass('n', 'c', 'csim') }}
        ) as dpass,
        if(
            resampled or few_passing_pairs_scored or not is_measured,
            null,
            {{ dpair('n', 'c', 'csim') }}
        ) as dpair,
        -- 12 digits: what is left of equal values is rounding
        if(
            sim is null, null, round(greatest(similarity_squares - sim * similarity_sum, 0), 12)
        ) as squared_deviations,
        if(null_reason is null, similarity_between, null) as similarity_between,
    from means
)

select * from problem_values
