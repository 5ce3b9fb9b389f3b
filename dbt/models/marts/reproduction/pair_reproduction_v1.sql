{% set edition = 1 %}

with cells as (
    select
        result_id,
        paper,
        table_no,
        dataset as printed_dataset,
        mutation,
        statistic,
        printed,
        value as published,
        {{ half_unit('decimals') }} as tolerance,
    from {{ ref('published_results') }}
    where
        paper = 'mutations'
        and table_no = '1'
),

releases as (
    select distinct
        release_id,
        release_no,
    from {{ ref('int_problem_numbered') }}
),

-- of several releases of a dataset, the newest
yields as (
    select found.*
    from {{ ref('mutation_yield', v=1) }} as found
    inner join releases on found.release_id = releases.release_id
    where found.edition = {{ edition }}
    qualify row_number() over (
        partition by found.dataset, found.mutation
        order by releases.release_no desc
    ) = 1
),

matched as (
    select
        cells.result_id,
        cells.paper,
        cells.table_no,
        cells.printed_dataset,
        string_agg(yields.dataset, '+' order by yields.dataset) as dataset,
        cells.mutation,
        cells.statistic,
        cast(sum(yields.n_problems_searched) as bigint) as n_used,
        cells.printed,
        cells.published,
        cast(sum(yields.n_kept) as double) as ours,
        cells.tolerance,
    from cells
    inner join yields
        on
            cells.mutation = yields.mutation
            and list_contains(string_split(cells.printed_dataset, '+'), yields.dataset)
    group by all
),

side_by_side as (
    select
        *,
        ours - published as difference,
        abs(ours - published) <= tolerance as agrees,
    from matched
)

select * from side_by_side
