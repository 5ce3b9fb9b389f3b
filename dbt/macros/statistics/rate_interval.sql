{#- CTEs that end in `rate_intervals`: per key, the 95 % interval <measure>_lo to <measure>_hi of the
    mean over problems of values between 0 and 1, such as pass@k, and why there is none.

    Wilson's interval (E. B. Wilson, 1927) of as many trials as the problems are worth, with Student's
    t for the normal quantile. A problem's mean of several samples varies less than a coin of the same
    rate: `ratio` is its variance over that of the coin, two coins added for caution. Where all
    are 0 or 1, a problem is one trial; it is never worth more than ten. Coverage: decision 7.

    values_cte has the keys, problem_index and a nullable column per measure. -#}
{% macro rate_interval(values_cte, keys, measures) -%}
{%- set least_ratio = 0.1 -%}
rate_spreads as (
    select
        {{ listed(keys) }}
        {% for measure in measures %}
        count({{ measure }}) as {{ measure }}_n,
        avg({{ measure }} order by problem_index) as {{ measure }}_rate,
        var_samp({{ measure }} order by problem_index) as {{ measure }}_variance,
        {% endfor %}
    from {{ values_cte }}
    group by {{ keys | join(', ') }}
),

rate_trials as (
    select
        *,
        {% for measure in measures %}
        {% set coin = measure ~ '_rate * (1 - ' ~ measure ~ '_rate)' %}
        {{ measure }}_n * ({{ measure }}_n + 1) / (
            ({{ measure }}_n - 1) * if(
                {{ coin }} < 1e-12,
                1,
                greatest(least({{ measure }}_variance / ({{ coin }}), 1), {{ least_ratio }})
            )
            + 2
        ) as {{ measure }}_trials,
        {{ t_quantile(measure ~ '_n - 1') }} as {{ measure }}_quantile,
        {% endfor %}
    from rate_spreads
),

rate_intervals as (
    select
        {{ listed(keys) }}
        {% for measure in measures %}
        {% for end, sign in [('lo', '-'), ('hi', '+')] %}
        if(
            {{ measure }}_n >= {{ var('least_clusters') }},
            {{ wilson_bound(
                measure ~ '_rate * ' ~ measure ~ '_trials',
                measure ~ '_trials',
                sign,
                measure ~ '_quantile'
            ) }},
            null
        ) as {{ measure }}_{{ end }},
        {% endfor %}
        if(
            {{ measure }}_n between 1 and {{ var('least_clusters') }} - 1, 'problems_lt_min', null
        ) as {{ measure }}_interval_null_reason,
        {% endfor %}
    from rate_trials
)
{%- endmacro %}
