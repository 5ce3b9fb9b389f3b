-- One row per number that the paper prints and setting of ours; percentages and BLEU in percent.
with found as (
    select
        results.*,
        coalesce(printed.unit, 'percent') as unit,
        -- they are stored as fractions; a share of right samples is one of them
        if(coalesce(printed.unit, 'percent') in ('percent', 'points'), 100, 1) as factor
    from reproduction_v2 as results
    left join published_results as printed on results.result_id = printed.result_id
    where results.paper = {{ literal(paper) }}
)

select
    * exclude (published, ours, difference, tolerance, unit, factor),
    unit,
    published * factor as published,
    ours * factor as ours,
    difference * factor as difference,
    tolerance * factor as tolerance
from found
order by {{ order_beside() }}
