{#- What names an entry of a mart: who, on what, asked how. -#}
{% macro entry_columns() -%}
    {{ return([
        'lm_id', 'lm', 'revision', 'simulated', 'dataset', 'dataset_version', 'release_id',
        'setting_id', 'setting',
    ]) }}
{%- endmacro %}

{#- What names a source of claims: who claims, of which language model, on what. -#}
{% macro claim_source_columns() -%}
    {{ return([
        'claim_source_id', 'format', 'claimant', 'claimant_version', 'label', 'lm_id', 'lm',
        'revision', 'simulated', 'dataset',
    ]) }}
{%- endmacro %}

{#- Who described the code of a round trip, asked how. -#}
{% macro forward_columns() -%}
    {{ return([
        'forward_lm_id', 'forward_lm', 'forward_revision', 'forward_setting_id', 'forward_setting',
    ]) }}
{%- endmacro %}

{#- Where a row of one generation takes such a column from: the CTE of that name. -#}
{% macro entry_cte(column) -%}
    {%- if column.startswith('setting') -%}
        settings
    {%- elif column in ['lm_id', 'lm', 'revision', 'simulated'] -%}
        language_models
    {%- else -%}
        problems
    {%- endif -%}
{%- endmacro %}

{#- CTEs that end in `numbered`. It has the rows of the CTE `entries`, with a number and their
    names. There is one per language model, setting, release and what columns of `beside` say; of
    several releases of one dataset, the newest. -#}
{% macro numbered_entries(of_language_model=[], of_setting=[], beside=[]) -%}
language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

releases as (
    select distinct
        release_no,
        release_id,
        dataset,
        dataset_version,
        n_dataset,
    from {{ ref('int_problem_numbered') }}
),

entries_newest as (
    select
        entries.*,
        releases.release_id,
        releases.dataset,
        releases.dataset_version,
        releases.n_dataset,
    from entries
    inner join releases on entries.release_no = releases.release_no
    qualify row_number() over (
        partition by
            entries.lm_no, entries.setting_no, {{ listed(beside, 'entries') }} releases.dataset
        order by entries.release_no desc
    ) = 1
),

numbered as (
    select
        cast(
            row_number() over (
                order by
                    entries_newest.lm_no,
                    entries_newest.dataset,
                    {{ listed(beside, 'entries_newest') }}
                    entries_newest.setting_no
            ) as integer
        ) as entry_no,
        entries_newest.*,
        language_models.lm_id,
        language_models.lm,
        language_models.revision,
        language_models.simulated,
        {{ listed(of_language_model, 'language_models') }}
        settings.setting_id,
        settings.setting,
        {{ listed(of_setting, 'settings') }}
    from entries_newest
    inner join language_models on entries_newest.lm_no = language_models.lm_no
    inner join settings on entries_newest.setting_no = settings.setting_no
)
{%- endmacro %}
