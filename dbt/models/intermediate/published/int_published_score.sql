with results as (
    select
        result_id,
        paper,
        table_no,
        lm,
        dataset,
        -- Table 8 states neither: those of Table 5
        coalesce(notion, if(dataset = 'manysstubs4j', 'exact_match', 'all_pass')) as notion,
        coalesce(rescaler, 'none') as rescaler,
        measure,
        statistic,
        printed as printed_text,
        value as printed,
        {{ half_unit('decimals') }} as tolerance,
        note as cell_note,
    from {{ ref('published_results') }}
    where
        paper = 'calibration'
        and table_no in ('5', '6', '7', '8')
),

counts as (
    select *
    from {{ ref('published_counts') }}
    where
        paper = 'calibration'
        and variant = 'original'
),

scores as (
    select
        results.*,
        counts.n_correct,
        counts.n_total,
        {{ reference_brier('counts.n_correct', 'counts.n_total') }} as reference_brier,
    from results
    left join counts
        on
            results.lm = counts.lm
            and results.dataset = counts.dataset
            and results.notion = counts.notion
)

select * from scores
