{#- Why a sample of line completion has no label by the tests, the first that holds. -#}
{% macro line_null_reasons() -%}
    {{ return([
        'not_applicable', 'errata', 'reference_fails', 'not_executed', 'harness_fault',
        'canary_failed',
    ]) }}
{%- endmacro %}

{#- The releases whose problems the suite of a project judges. -#}
{% macro releases_of_projects() -%}
releases_of_projects as (
    select distinct numbered.release_no
    from {{ ref('int_problem_numbered') }} as numbered
    inner join {{ ref('stg_problem') }} as contents on numbered.problem_id = contents.problem_id
    where contents.compare = 'project'
)
{%- endmacro %}

{#- Line completion by both notions of correctness, and by their table (Spiess et al. 2024, arXiv
    2402.02047, section 3.2.2, Tables 3 and 4). Version 1 counts samples, version 2 gives each line
    the same weight and compares the tokens of Python. A row over all projects follows those of each
    dataset; its clusters are the projects. -#}
{% macro line_completion(version) %}
{% set shares = ['all_pass', 'exact_match', 'pass_and_match', 'pass_only', 'match_only', 'neither'] %}
{% set notions = ['all_pass', 'exact_match'] %}
{% set effects = ['all_pass_docstring_effect', 'exact_match_docstring_effect'] %}
{% set measures = shares + effects %}
{% set kinds = {} %}
{% for measure in measures %}
{% do kinds.update({measure: 'difference' if measure in effects else 'share'}) %}
{% endfor %}
{% set counts = ['n_lines', 'n_lines_used', 'n_total', 'n_all_pass', 'n_exact_match', 'n_both_labels'] %}
{% set reasons = line_null_reasons() %}
{% set sums = [] %}
{% for measure in measures %}
{% do sums.extend([measure ~ '_top', measure ~ '_bottom']) %}
{% endfor %}
{% set tallies = counts + ['n_dataset'] %}
{% for reason in reasons %}
{% do tallies.append('n_null_' ~ reason) %}
{% endfor %}
with settings as (
    select *
    from {{ ref('stg_setting') }}
    where task in {{ tasks_of('line_completion') }}
),

{{ entries_of('line_completion') }},

labels as (
    select
        labelled.generation_id,
        labelled.problem_no,
        labelled.lm_no,
        labelled.setting_no,
        any_value(labelled.y_v{{ version }}) filter (labelled.notion = 'all_pass') as all_pass,
        any_value(labelled.y_v{{ version }}) filter (labelled.notion = 'exact_match')
            as exact_match,
        any_value(labelled.null_reason) filter (labelled.notion = 'all_pass') as null_reason,
    from {{ ref('int_generation_labelled') }} as labelled
    semi join entries
        on
            labelled.lm_no = entries.lm_no
            and labelled.setting_no = entries.setting_no
    group by all
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

{{ releases_of_projects() }},

generations as (
    select *
    from {{ ref('stg_generation') }}
),

variants as (
    select *
    from {{ ref('stg_variant') }}
),

-- where the maker replaced failed samples, the labels say nothing of the language model
samples as (
    select
        entries.entry_no,
        entries.lm_no,
        entries.setting_no,
        entries.release_no,
        problems.problem_index,
        variants.kind,
        if(entries.resampled, null, labels.all_pass) as all_pass,
        if(entries.resampled, null, labels.exact_match) as exact_match,
        if(entries.resampled, 'not_applicable', labels.null_reason) as null_reason,
    from entries
    inner join labels
        on
            entries.lm_no = labels.lm_no
            and entries.setting_no = labels.setting_no
    inner join problems
        on
            labels.problem_no = problems.problem_no
            and entries.release_no = problems.release_no
    inner join generations on labels.generation_id = generations.generation_id
    left join variants on generations.variant_id = variants.variant_id
),

labelled as (
    select
        *,
        all_pass is not null and exact_match is not null as has_both_labels,
    from samples
),

compared as (
    select
        *,
        if(has_both_labels, all_pass and exact_match, null) as pass_and_match,
        if(has_both_labels, all_pass and not exact_match, null) as pass_only,
        if(has_both_labels, exact_match and not all_pass, null) as match_only,
        if(has_both_labels, not all_pass and not exact_match, null) as neither,
    from labelled
),

lines as (
    select
        entry_no,
        lm_no,
        setting_no,
        release_no,
        problem_index,
        count(*) as n_samples,
        count(*) filter (has_both_labels) as n_both_labels,
        {% for share in shares %}
        count(*) filter ({{ share }}) as {{ share }}_right,
        count({{ share }}) as {{ share }}_known,
        {% endfor %}
        {% for reason in reasons %}
        count(*) filter (null_reason = '{{ reason }}') as n_null_{{ reason }},
        {% endfor %}
    from compared
    group by all
),

-- what is seen before the line: one word for a setting, or none where its variants differ
shown as (
    select
        lm_no,
        setting_no,
        if(count(distinct kind) = 1, any_value(kind), null) as shown,
    from samples
    group by all
),

settings_shown as (
    select distinct
        entries.lm_no,
        entries.setting_no,
        shown.shown,
        settings.*,
    from entries
    inner join shown
        on
            entries.lm_no = shown.lm_no
            and entries.setting_no = shown.setting_no
    inner join settings on entries.setting_id = settings.setting_id
),

-- the setting that asks the same, but for the docstring
partners as (
    select
        wholes.lm_no,
        wholes.setting_no,
        bares.setting_no as partner_no,
        bares.setting_id as setting_id_without_docstring,
    from settings_shown as wholes
    inner join settings_shown as bares
        on
            wholes.lm_no = bares.lm_no
            and wholes.style = bares.style
            {% for column in ['temperature', 'top_p', 'max_tokens', 'stop', 'seed', 'resampled', 'label'] %}
            and wholes.{{ column }} is not distinct from bares.{{ column }}
            {% endfor %}
    where
        wholes.shown = 'function'
        and bares.shown = 'function_without_docstring'
    qualify row_number() over (
        partition by wholes.lm_no, wholes.setting_no
        order by bares.setting_id
    ) = 1
),

line_values as (
    select
        lines.*,
        {% for notion in notions %}
        lines.{{ notion }}_right / nullif(lines.{{ notion }}_known, 0)
        - bares.{{ notion }}_right / nullif(bares.{{ notion }}_known, 0)
            as {{ notion }}_docstring_effect,
        {% endfor %}
    from lines
    left join partners
        on
            lines.lm_no = partners.lm_no
            and lines.setting_no = partners.setting_no
    left join lines as bares
        on
            lines.lm_no = bares.lm_no
            and partners.partner_no = bares.setting_no
            and lines.release_no = bares.release_no
            and lines.problem_index = bares.problem_index
),

scored as (
    select
        entry_no,
        problem_index,
        {% for share in shares %}
        {% if version == 1 %}
        cast({{ share }}_right as double) as {{ share }}_top,
        cast({{ share }}_known as double) as {{ share }}_bottom,
        {% else %}
        coalesce({{ share }}_right / nullif({{ share }}_known, 0), 0.0) as {{ share }}_top,
        if({{ share }}_known > 0, 1.0, 0.0) as {{ share }}_bottom,
        {% endif %}
        {% endfor %}
        {% for effect in effects %}
        coalesce({{ effect }}, 0.0) as {{ effect }}_top,
        if({{ effect }} is null, 0.0, 1.0) as {{ effect }}_bottom,
        {% endfor %}
    from line_values
),

added as (
    select
        entry_no,
        {% for sum in sums %}
        sum({{ sum }} order by problem_index) as {{ sum }},
        {% endfor %}
    from scored
    group by entry_no
),

counted as (
    select
        entry_no,
        count(*) as n_lines,
        count(*) filter (all_pass_known > 0) as n_lines_used,
        cast(sum(n_samples) as bigint) as n_total,
        cast(sum(all_pass_known) as bigint) as n_all_pass,
        cast(sum(exact_match_known) as bigint) as n_exact_match,
        cast(sum(n_both_labels) as bigint) as n_both_labels,
        {% for reason in reasons %}
        cast(sum(n_null_{{ reason }}) as bigint) as n_null_{{ reason }},
        {% endfor %}
    from lines
    group by entry_no
),

{{ ratio_interval('scored', ['entry_no'], kinds) }},

by_dataset as (
    select
        {{ listed(entry_columns(), 'entries') }}
        entries.lm_no,
        entries.setting_no,
        releases_of_projects.release_no is not null as over_projects,
        cast(1 as bigint) as n_datasets,
        entries.n_dataset,
        {{ listed(tallies | reject('eq', 'n_dataset'), 'counted') }}
        {{ listed(sums, 'added') }}
        {% for measure in measures %}
        interval_found.{{ measure }}_lo,
        interval_found.{{ measure }}_hi,
        interval_found.{{ measure }}_interval_null_reason,
        {% endfor %}
        counted.n_lines_used as n_clusters,
    from entries
    inner join counted on entries.entry_no = counted.entry_no
    inner join added on entries.entry_no = added.entry_no
    inner join interval_found on entries.entry_no = interval_found.entry_no
    left join releases_of_projects on entries.release_no = releases_of_projects.release_no
),

-- lines of functions are no project
projects as (
    select *
    from by_dataset
    where over_projects
),

project_intervals as (
    with
    {{ ratio_interval('projects', ['lm_no', 'setting_no'], kinds, 'dataset') }}

    select * from interval_found
),

datasets_added as (
    select
        lm_id,
        lm,
        revision,
        simulated,
        setting_id,
        setting,
        lm_no,
        setting_no,
        true as over_projects,
        count(*) as n_datasets,
        {% for tally in tallies %}
        cast(sum({{ tally }}) as bigint) as {{ tally }},
        {% endfor %}
        {% for sum in sums %}
        sum({{ sum }} order by dataset) as {{ sum }},
        {% endfor %}
        count(*) filter (n_lines_used > 0) as n_clusters,
    from by_dataset
    where over_projects
    group by all
    having count(*) > 1
),

over_datasets as (
    select
        datasets_added.*,
        '*-lines' as dataset,
        {% for measure in measures %}
        project_intervals.{{ measure }}_lo,
        project_intervals.{{ measure }}_hi,
        project_intervals.{{ measure }}_interval_null_reason,
        {% endfor %}
    from datasets_added
    inner join project_intervals
        on
            datasets_added.lm_no = project_intervals.lm_no
            and datasets_added.setting_no = project_intervals.setting_no
),

stacked as (
    select * from by_dataset
    union all by name
    select * from over_datasets
),

rated as (
    select
        *,
        {% for measure in measures %}
        {{ measure }}_top / nullif({{ measure }}_bottom, 0) as {{ measure }},
        {% endfor %}
    from stacked
),

published as (
    select
        {{ listed(entry_columns(), 'rated') }}
        shown.shown,
        rated.over_projects,
        rated.n_datasets,
        {{ listed_with_intervals(shares, 'rated', 'rated') }}
        partners.setting_id_without_docstring,
        bares.all_pass as all_pass_without_docstring,
        bares.exact_match as exact_match_without_docstring,
        {{ listed_with_intervals(effects, 'rated', 'rated') }}
        if(
            rated.n_all_pass > 0,
            null,
            case
                {% for reason in reasons %}
                when rated.n_null_{{ reason }} > 0 then '{{ reason }}'
                {% endfor %}
            end
        ) as null_reason,
        rated.n_dataset,
        {{ listed(counts, 'rated') }}
        {% for reason in reasons %}
        rated.n_null_{{ reason }},
        {% endfor %}
        rated.n_clusters < {{ var('few_clusters') }} as few_clusters,
        if(coalesce(rated.exact_match_lo, rated.all_pass_lo) is null, null, 'wilson_clustered')
            as interval_method,
        rated.all_pass_interval_null_reason as interval_null_reason,
        rated.exact_match_interval_null_reason,
        {% for effect in effects %}
        rated.{{ effect }}_interval_null_reason,
        {% endfor %}
        'line_completion_v{{ version }}' as view_version,
    from rated
    inner join shown
        on
            rated.lm_no = shown.lm_no
            and rated.setting_no = shown.setting_no
    left join partners
        on
            rated.lm_no = partners.lm_no
            and rated.setting_no = partners.setting_no
    left join rated as bares
        on
            partners.lm_no = bares.lm_no
            and partners.partner_no = bares.setting_no
            and rated.dataset = bares.dataset
)

select * from published
{% endmacro %}
