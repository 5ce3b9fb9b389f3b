-- One row per language model and setting, a block per dataset; the paper's Table 3 comes last.
with {{ named(rows) }},

printed as (
    select
        lm as name,
        max(value) filter (where notion = 'all_pass' and setting = 'with docstring') / 100
            as all_pass,
        max(value) filter (where notion = 'all_pass' and setting = 'no docstring') / 100
            as all_pass_without_docstring,
        max(value) filter (where notion = 'exact_match' and setting = 'with docstring') / 100
            as exact_match,
        max(value) filter (where notion = 'exact_match' and setting = 'no docstring') / 100
            as exact_match_without_docstring
    from published_results
    where paper = 'calibration' and table_no = '3'
    group by lm
),

stacked as (
    select
        {{ line_block() }} as block,
        row_number() over (order by {{ line_place() }}) as place,
        name,
        setting,
        n_lines,
        all_pass,
        all_pass_without_docstring,
        exact_match,
        exact_match_without_docstring,
        all_pass_docstring_effect,
        all_pass_docstring_effect_lo,
        all_pass_docstring_effect_hi,
        exact_match_docstring_effect,
        exact_match_docstring_effect_lo,
        exact_match_docstring_effect_hi
    from named
    union all by name
    select
        'dypybench, as the paper prints' as block,
        1e9 as place,
        *
    from printed
)

select
    block,
    name,
    setting,
    n_lines,
    all_pass,
    all_pass_without_docstring,
    all_pass_docstring_effect,
    all_pass_docstring_effect_lo,
    all_pass_docstring_effect_hi,
    exact_match,
    exact_match_without_docstring,
    exact_match_docstring_effect,
    exact_match_docstring_effect_lo,
    exact_match_docstring_effect_hi
from stacked
order by place, name
