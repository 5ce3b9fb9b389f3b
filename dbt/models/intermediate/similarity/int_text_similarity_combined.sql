with measured as (
    select *
    from {{ ref('stg_text_similarity') }}
),

components as (
    select
        generation_id,
        max(value) filter (measure = 'bleu_intl_v1') as bleu,
        max(value) filter (measure = 'chrf_v1') as chrf,
        {% for component in codebleu_components() %}
        max(value) filter (measure = 'codebleu_v1' and component = '{{ component }}')
            as {{ component }},
        {% endfor %}
        list(distinct measure) as measures,
    from measured
    group by generation_id
),

combined as (
    select
        generation_id,
        bleu,
        chrf,
        {{ codebleu(1) }} as codebleu_v1,
        {{ codebleu(2) }} as codebleu_v2,
        {{ listed(codebleu_components()) }}
        measures,
    from components
)

select * from combined
