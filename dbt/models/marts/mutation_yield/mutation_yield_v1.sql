{% set failures = verdicts()[1:] %}
{% set missing = program_null_reasons() %}

with scans as (
    select
        scan_id,
        problem_id,
        mutation,
        mutation_version,
        in_paper,
        n_sites,
        n_declined,
        unreadable_code,
    from {{ ref('int_mutation_scan_newest') }}
),

sites as (
    select *
    from {{ ref('stg_mutation_site') }}
    where decline_code is not null
),

pairs as (
    select
        problem_no,
        release_no,
        edition,
        mutation,
        mutation_version,
        validity,
        mutant_verdict,
        decline_code,
    from {{ ref('int_mutation_pair_judged') }}
),

problems as (
    select
        problem_id,
        dataset,
        dataset_version,
        release_id,
        release_no,
        n_dataset,
    from {{ ref('int_problem_numbered') }}
),

versions as (
    select
        mutation,
        min(mutation_version) as first_version,
        max(mutation_version) as newest_version,
    from scans
    group by mutation
),

editions as (
    select unnest([1, 2]) as edition
),

-- edition 1 takes the paper's mutations in their first version, edition 2 all in their newest
scans_in_editions as (
    select
        scans.scan_id,
        scans.mutation,
        scans.mutation_version,
        scans.in_paper,
        scans.n_sites,
        scans.n_declined,
        scans.unreadable_code,
        editions.edition,
        problems.release_no,
    from scans
    inner join versions on scans.mutation = versions.mutation
    inner join problems on scans.problem_id = problems.problem_id
    inner join editions
        on
            (
                editions.edition = 1
                and scans.in_paper
                and scans.mutation_version = versions.first_version
            )
            or (editions.edition = 2 and scans.mutation_version = versions.newest_version)
),

searched as (
    select
        release_no,
        edition,
        mutation,
        mutation_version,
        bool_and(in_paper) as in_paper,
        count(*) as n_problems_searched,
        count(unreadable_code) as n_unreadable,
        cast(sum(n_sites + n_declined) as bigint) as n_found,
        cast(sum(n_declined) as bigint) as n_declined,
        cast(sum(n_sites) as bigint) as n_mutated,
    from scans_in_editions
    group by all
),

proved as (
    select
        release_no,
        edition,
        mutation,
        mutation_version,
        count(*) filter (validity = 'reference_fails') as n_reference_fails,
        {% for verdict in failures %}
        count(*) filter (validity = 'mutant_fails' and mutant_verdict = '{{ verdict }}')
            as n_mutant_{{ verdict }},
        {% endfor %}
        {% for reason in missing %}
        count(*) filter (validity = '{{ reason }}') as n_{{ reason }},
        {% endfor %}
        count(*) filter (validity = 'no_cut') as n_no_cut,
        count(*) filter (validity = 'valid') as n_kept,
        count(distinct problem_no) filter (validity = 'valid') as n_problems_kept,
    from pairs
    group by all
),

codes as (
    select
        scans_in_editions.release_no,
        scans_in_editions.edition,
        scans_in_editions.mutation,
        scans_in_editions.mutation_version,
        'declined' as what,
        sites.decline_code as code,
    from scans_in_editions
    inner join sites on scans_in_editions.scan_id = sites.scan_id
    union all
    select
        release_no,
        edition,
        mutation,
        mutation_version,
        'unreadable' as what,
        unreadable_code as code,
    from scans_in_editions
    where unreadable_code is not null
    union all
    select
        release_no,
        edition,
        mutation,
        mutation_version,
        'no_cut' as what,
        decline_code as code,
    from pairs
    where validity = 'no_cut'
),

codes_counted as (
    select
        release_no,
        edition,
        mutation,
        mutation_version,
        what,
        code,
        '"' || code || '": ' || count(*) as entry,
    from codes
    group by release_no, edition, mutation, mutation_version, what, code
),

codes_listed as (
    select
        release_no,
        edition,
        mutation,
        mutation_version,
        {% for what in ['unreadable', 'declined', 'no_cut'] %}
        string_agg(entry, ', ' order by code) filter (what = '{{ what }}') as {{ what }},
        {% endfor %}
    from codes_counted
    group by all
),

releases as (
    select distinct
        dataset,
        dataset_version,
        release_id,
        release_no,
        n_dataset,
    from problems
),

published as (
    select
        releases.dataset,
        releases.dataset_version,
        releases.release_id,
        searched.edition,
        searched.mutation,
        searched.mutation_version,
        searched.in_paper,
        releases.n_dataset,
        searched.n_problems_searched,
        searched.n_unreadable,
        searched.n_found,
        searched.n_declined,
        searched.n_mutated,
        coalesce(proved.n_reference_fails, 0) as n_reference_fails,
        {% for verdict in failures %}
        coalesce(proved.n_mutant_{{ verdict }}, 0) as n_mutant_{{ verdict }},
        {% endfor %}
        {% for reason in missing %}
        coalesce(proved.n_{{ reason }}, 0) as n_{{ reason }},
        {% endfor %}
        coalesce(proved.n_no_cut, 0) as n_no_cut,
        coalesce(proved.n_kept, 0) as n_kept,
        coalesce(proved.n_problems_kept, 0) as n_problems_kept,
        {% for what in ['unreadable', 'declined', 'no_cut'] %}
        '{' || coalesce(codes_listed.{{ what }}, '') || '}' as {{ what }}_by_code,
        {% endfor %}
        'mutation_yield_v1' as view_version,
    from searched
    inner join releases on searched.release_no = releases.release_no
    left join proved
        on
            searched.release_no = proved.release_no
            and searched.edition = proved.edition
            and searched.mutation = proved.mutation
            and searched.mutation_version = proved.mutation_version
    left join codes_listed
        on
            searched.release_no = codes_listed.release_no
            and searched.edition = codes_listed.edition
            and searched.mutation = codes_listed.mutation
            and searched.mutation_version = codes_listed.mutation_version
)

select * from published
