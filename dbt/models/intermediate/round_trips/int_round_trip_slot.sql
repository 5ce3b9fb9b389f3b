with entries as (
    select *
    from {{ ref('int_round_trip_entry_numbered') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

descriptions as (
    select *
    from {{ ref('int_description_marked') }}
),

programs as (
    select *
    from {{ ref('int_round_trip_judged') }}
),

descriptions_entered as (
    select
        entries.entry_no,
        entries.lm_no,
        entries.setting_no,
        problems.problem_index,
        problems.set_aside,
        descriptions.generation_id as description_id,
        descriptions.problem_no,
        descriptions.variant_id,
        descriptions.description_index,
        descriptions.is_empty,
        descriptions.quotes_code,
    from entries
    inner join descriptions
        on
            entries.forward_lm_no = descriptions.lm_no
            and entries.forward_setting_no = descriptions.setting_no
            and entries.release_no = descriptions.release_no
    inner join problems on descriptions.problem_no = problems.problem_no
),

-- an empty description is never asked about: it failed in every one of its places
tried as (
    select
        described.entry_no,
        described.problem_index,
        described.set_aside,
        described.problem_no,
        described.description_id,
        described.description_index,
        described.is_empty,
        described.quotes_code,
        programs.generation_id,
        programs.program_index,
        programs.verdict,
        if(described.is_empty, false, programs.passed) as passed,
        if(described.is_empty, false, programs.exact_match_v1) as exact_match_v1,
        if(described.is_empty, false, programs.exact_match_v2) as exact_match_v2,
        {% for column in ['bleu', 'chrf', 'codebleu_v1', 'codebleu_v2'] %}
        if(described.is_empty, 0, programs.{{ column }}) as {{ column }},
        {% endfor %}
        {% for similarity in ['bleu', 'chrf', 'codebleu'] %}
        case
            when described.is_empty then null
            when programs.generation_id is null then 'not_generated'
            else programs.{{ similarity }}_null_reason
        end as {{ similarity }}_null_reason,
        {% endfor %}
        case
            when described.is_empty then null
            when programs.generation_id is null then 'not_generated'
            else programs.null_reason
        end as null_reason,
        'round_trip' as kind,
    from descriptions_entered as described
    left join programs
        on
            described.description_id = programs.parent_generation_id
            and described.lm_no = programs.lm_no
            and described.setting_no = programs.setting_no
),

described_problems as (
    select distinct
        entry_no,
        lm_no,
        setting_no,
        variant_id,
        problem_index,
        set_aside,
        problem_no,
    from descriptions_entered
),

baseline as (
    select
        described.entry_no,
        described.problem_index,
        described.set_aside,
        described.problem_no,
        programs.generation_id,
        programs.program_index,
        programs.verdict,
        programs.passed,
        programs.exact_match_v1,
        programs.exact_match_v2,
        programs.bleu,
        programs.chrf,
        programs.codebleu_v1,
        programs.codebleu_v2,
        programs.bleu_null_reason,
        programs.chrf_null_reason,
        programs.codebleu_null_reason,
        programs.null_reason,
        'baseline' as kind,
    from described_problems as described
    inner join programs
        on
            described.variant_id = programs.variant_id
            and described.lm_no = programs.lm_no
            and described.setting_no = programs.setting_no
            and programs.parent_generation_id is null
),

slots as (
    select *
    from tried
    union all by name
    select *
    from baseline
)

select * from slots
