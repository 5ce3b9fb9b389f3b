{% set ends = ['', '_lo', '_hi'] %}
{% set diversity = ['csim', 'dpass'] %}
{% set spent = ['tokens', 'prompt_tokens', 'cost'] %}

with entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

places as (
    select *
    from {{ ref('int_entry_placed') }}
),

passes as (
    select
        *,
        n_used = 0 or n_used >= {{ var('least_coverage') }} * max(n_used) over (
            partition by lm_id, setting_id, release_id
        ) as is_covered,
    from {{ ref('pass_at_k', v=1) }}
),

-- the mean of a few problems with many samples is no value of an entry
covered_passes as (
    select
        lm_id,
        setting_id,
        release_id,
        k,
        {% for end in ends %}
        if(is_covered, pass_at_k{{ end }}, null) as pass_at_k{{ end }},
        {% endfor %}
        if(is_covered, interval_null_reason, 'coverage_lt_min') as interval_null_reason,
    from passes
),

pass_values as (
    select
        lm_id,
        setting_id,
        release_id,
        {% for k in var('pass_ks') %}
        {% for end in ends %}
        any_value(pass_at_k{{ end }}) filter (k = {{ k }}) as pass_at_{{ k }}{{ end }},
        {% endfor %}
        {% endfor %}
        any_value(interval_null_reason) filter (k = 1) as interval_null_reason,
        {% for k in var('pass_ks') %}
        any_value(interval_null_reason) filter (k = {{ k }}) as pass_at_{{ k }}_reason,
        {% endfor %}
    from covered_passes
    group by all
),

similarities as (
    select *
    from {{ ref('sim_at_k', v=2) }}
    where
        scope = 'first_k'
        and similarity = 'clone_80'
),

problem_values as (
    select *
    from {{ ref('problem_values', v=1) }}
    where
        metric = 'pass_at_k'
        and k = 1
),

sizes as (
    select
        board_no,
        count(*) as n_ranked,
    from places
    where unranked_reason is null
    group by board_no
),

-- what every ranked entry of a board has a value for
common_problems as (
    select
        places.board_no,
        problem_values.problem_index,
    from places
    inner join sizes on places.board_no = sizes.board_no
    inner join problem_values on places.entry_no = problem_values.entry_no
    where places.unranked_reason is null
    group by places.board_no, problem_values.problem_index
    having count(*) = any_value(sizes.n_ranked)
),

common_values as (
    select
        places.entry_no,
        avg(problem_values.value order by problem_values.problem_index) as pass_at_1_common,
        count(*) as n_common,
    from places
    inner join common_problems on places.board_no = common_problems.board_no
    inner join problem_values
        on
            places.entry_no = problem_values.entry_no
            and common_problems.problem_index = problem_values.problem_index
    where places.unranked_reason is null
    group by places.entry_no
),

measured as (
    select
        {{ listed(entry_columns(), 'entries') }}
        places.*,
        entries.n_samples,
        coalesce(sizes.n_ranked, 0) as n_ranked,
        {% for k in var('pass_ks') %}
        {% for end in ends %}
        pass_values.pass_at_{{ k }}{{ end }},
        {% endfor %}
        {% endfor %}
        pass_values.interval_null_reason,
        {{ intervals_missing('pass_values', 'similarities', diversity) }} as interval_null_reasons,
        {% for measure in diversity %}
        {% for end in ends %}
        similarities.{{ measure }}{{ end }} as {{ measure }}_at_10{{ end }},
        {% endfor %}
        {% endfor %}
        common_values.pass_at_1_common,
        coalesce(common_values.n_common, 0) as n_common,
        case
            when places.unranked_reason is not null then 'unranked'
            when common_values.n_common is null then 'no_common_problems'
            when common_values.n_common < {{ var('least_clusters') }} then 'problems_lt_min'
        end as common_null_reason,
    from places
    inner join entries on places.entry_no = entries.entry_no
    inner join pass_values
        on
            entries.lm_id = pass_values.lm_id
            and entries.setting_id = pass_values.setting_id
            and entries.release_id = pass_values.release_id
    left join similarities
        on
            entries.lm_id = similarities.lm_id
            and entries.setting_id = similarities.setting_id
            and entries.release_id = similarities.release_id
    left join sizes on places.board_no = sizes.board_no
    left join common_values on places.entry_no = common_values.entry_no
),

-- values that differ by rounding share a rank; a place in the list is of one entry
ranked as (
    select
        *,
        rank() over (partition by board_no order by round(pass_at_1, 12) desc) as rank,
        if(
            common_null_reason is null,
            rank() over (partition by board_no order by round(pass_at_1_common, 12) desc),
            null
        ) as rank_common,
        row_number() over (
            partition by board_no
            order by round(pass_at_1, 12) desc, lm asc, revision asc, lm_id asc, setting_id asc
        ) as place,
    from measured
    where unranked_reason is null
),

comparisons as (
    select *
    from {{ ref('comparison', v=1) }}
    where
        pairing = 'board'
        and metric = 'pass_at_k'
        and k = 1
        and holm_p < {{ var('significance') }}
),

-- each significant difference from both ends
directed as (
    {% for side, other in [('a', 'b'), ('b', 'a')] %}
    {{ 'union all' if not loop.first }}
    select
        release_id,
        lm_id_{{ side }} as lm_id,
        setting_id_{{ side }} as setting_id,
        lm_id_{{ other }} as rival_lm_id,
        setting_id_{{ other }} as rival_setting_id,
        difference {{ '>' if loop.first else '<' }} 0 as is_ahead,
    from comparisons
    {% endfor %}
),

differences as (
    select
        ranked.board_no,
        ranked.entry_no,
        ranked.place,
        rivals.place as rival_place,
        directed.is_ahead,
    from directed
    inner join ranked
        on
            directed.release_id = ranked.release_id
            and directed.lm_id = ranked.lm_id
            and directed.setting_id = ranked.setting_id
    inner join ranked as rivals
        on
            directed.release_id = rivals.release_id
            and directed.rival_lm_id = rivals.lm_id
            and directed.rival_setting_id = rivals.setting_id
),

bands as (
    select
        entry_no,
        count(*) filter (not is_ahead) as n_ahead_of_it,
        count(*) filter (is_ahead) as n_behind_it,
    from differences
    group by entry_no
),

rivals_differing as (
    select
        board_no,
        place,
        list(distinct rival_place) as places,
    from differences
    group by board_no, place
),

rivals_placed as (
    select
        ranked.board_no,
        ranked.place,
        ranked.n_ranked,
        coalesce(rivals_differing.places, []) as differing,
    from ranked
    left join rivals_differing
        on
            ranked.board_no = rivals_differing.board_no
            and ranked.place = rivals_differing.place
),

-- whom each entry ties with, by places of the board
ties as (
    select
        board_no,
        place,
        list_filter(
            range(1, n_ranked + 1),
            lambda other: other != place and not list_contains(differing, other)
        ) as tied,
    from rivals_placed
),

{{ maximal_groups('ties', 'board_no') }},

tied_groups as (
    select
        board_no,
        unnest(members) as place,
        row_number() over (partition by board_no order by members) as group_no,
    from maximal_groups
),

memberships as (
    select
        ranked.entry_no,
        list(tied_groups.group_no order by tied_groups.group_no) as tied_groups,
    from ranked
    inner join tied_groups
        on
            ranked.board_no = tied_groups.board_no
            and ranked.place = tied_groups.place
    group by ranked.entry_no
),

published as (
    select
        {{ listed(entry_columns(), 'measured') }}
        measured.task,
        measured.prompt_kind,
        measured.temperature,
        ranked.rank,
        -- ranks are of all problems of an entry, tests of those of both: a band holds its rank
        if(
            ranked.rank is null, null, least(ranked.rank, 1 + coalesce(bands.n_ahead_of_it, 0))
        ) as rank_best,
        if(
            ranked.rank is null,
            null,
            greatest(ranked.rank, measured.n_ranked - coalesce(bands.n_behind_it, 0))
        ) as rank_worst,
        array_to_string(memberships.tied_groups, ', ') as tied_groups,
        measured.n_ranked,
        measured.unranked_reason,
        {% for k in var('pass_ks') %}
        {% for end in ends %}
        measured.pass_at_{{ k }}{{ end }},
        {% endfor %}
        {% endfor %}
        measured.interval_null_reason,
        measured.interval_null_reasons,
        {% for measure in diversity %}
        {% for end in ends %}
        measured.{{ measure }}_at_10{{ end }},
        {% endfor %}
        {% endfor %}
        measured.n_used,
        measured.n_usable,
        measured.coverage,
        ranked.rank_common,
        measured.pass_at_1_common,
        measured.n_common,
        measured.common_null_reason,
        measured.n_samples,
        measured.n_samples_scored,
        {% for what in spent %}
        measured.{{ what }}_per_answer,
        measured.{{ what }}_per_answer / nullif(measured.pass_at_1, 0) as {{ what }}_per_solved,
        case
            when measured.n_samples_scored = 0 then 'no_value'
            when measured.{{ what }}_per_answer is null then 'not_recorded'
            when measured.pass_at_1 is null then 'not_applicable'
            when measured.pass_at_1 = 0 then 'none_solved'
        end as {{ what }}_null_reason,
        {% endfor %}
        'leaderboard_v2' as view_version,
    from measured
    left join ranked on measured.entry_no = ranked.entry_no
    left join bands on measured.entry_no = bands.entry_no
    left join memberships on measured.entry_no = memberships.entry_no
)

select * from published
