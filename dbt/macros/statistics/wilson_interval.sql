{#- One end of the 95 % Wilson score interval of c successes in n (E. B. Wilson, 1927). None right
    begins at 0, all right ends at 1, no trials gives NULL. No rounding takes an end past 0 or 1. -#}
{% macro wilson_bound(c, n, sign, quantile=none) -%}
    {%- set z = quantile or var('normal_quantile') -%}
    case
        when {{ c }} is null or coalesce({{ n }}, 0) = 0 then null
        {% if sign == '-' -%}
        when {{ c }} = 0 then 0.0
        {%- else -%}
        when {{ c }} = {{ n }} then 1.0
        {%- endif %}
        else {{ 'greatest' if sign == '-' else 'least' }}(
            (
                {{ c }} / {{ n }} + {{ z }} * {{ z }} / (2 * {{ n }})
                {{ sign }} {{ z }} * sqrt(greatest(
                    {{ c }} / {{ n }} * (1 - {{ c }} / {{ n }}) / {{ n }}
                    + {{ z }} * {{ z }} / (4 * {{ n }} * {{ n }}),
                    0
                ))
            )
            / (1 + {{ z }} * {{ z }} / {{ n }}),
            {{ '0.0' if sign == '-' else '1.0' }}
        )
    end
{%- endmacro %}

{#- One end of the 95 % interval of a share: Wilson's, of as many trials as the problems are worth at
    that end. It is of the CTE `interval_trials` in mean_interval.

    With at most three failures (near 0: successes) Wilson's near end is too close to the mean. It
    leaves out rates at which that many failures or more have a chance of up to .16. This one leaves
    out none at which they have more than .08; from 3.5 to 4 failures that fades. These are
    Poisson's limits (L. D. Brown, T. T. Cai and A. DasGupta 2001, Statistical Science 16, 101-133,
    section 4.1.2). The far end has five and more. -#}
{% macro share_bound(sign) -%}
    {%- set end = 'lo' if sign == '-' else 'hi' -%}
    {%- set trials = 'trials_' ~ end -%}
    {%- set wilson = wilson_bound('mean * ' ~ trials, trials, sign, 'quantile_' ~ end) -%}
    {%- set seen = 'greatest(' ~ ('mean' if sign == '-' else '1 - mean') ~ ', 0) * ' ~ trials -%}
    {%- set limit = fewest_failures(seen) ~ ' / ' ~ trials -%}
    {%- set counts = 'greatest(least(8 - 2 * ' ~ seen ~ ', 1), 0)' -%}
    {% if sign == '-' -%}
    {{ wilson }} - {{ counts }} * greatest({{ wilson }} - {{ limit }}, 0)
    {%- else -%}
    {{ wilson }} + {{ counts }} * greatest(1 - {{ limit }} - {{ wilson }}, 0)
    {%- endif %}
{%- endmacro %}

{#- The least number of failures to expect, where so many were seen: at it that many or more have a
    chance of 8 %. It is 0.083, 0.465 and 0.998 for 1, 2 and 3, rounded down, with lines between. -#}
{% macro fewest_failures(failures) -%}
    greatest(0.083 * {{ failures }}, 0.382 * {{ failures }} - 0.299, 0.533 * {{ failures }} - 0.601)
{%- endmacro %}

{#- How much of the variance of coins of the same mean the values have, at most 1.

    Near an edge a few problems can hide the spread. So it is at least `least_ratio` where the
    variance is four times the squared distance to the nearer edge, or more; in proportion below.
    Where all values are equal it is `least_ratio`, and 1 at an edge. -#}
{% macro ratio_to_coins(mean, variance) -%}
    {%- set least_ratio = 0.1 -%}
    {%- set coin = mean ~ ' * (1 - ' ~ mean ~ ')' -%}
    {%- set distance = 'least(' ~ mean ~ ', 1 - ' ~ mean ~ ')' -%}
    case
        when {{ coin }} < 1e-12 then 1
        when {{ variance }} < 1e-18 then {{ least_ratio }}
        else
            greatest(
                least({{ variance }} / ({{ coin }}), 1),
                {{ least_ratio }} * least({{ variance }} / pow({{ distance }}, 2) / 4, 1)
            )
    end
{%- endmacro %}

{#- How many independent trials the mean of n values is worth at one end, of the CTE
    `interval_trials` in mean_interval.

    Coins are added for what was not seen: two problems, or a tenth of a failure (near 0: of a
    success) where that is more. They count in full where the variance is the squared distance to
    the nearer edge, or more; in proportion (`hidden`) below. What was not seen moves the far end,
    that towards 1/2. There their `weight` is 1; at the near end it is twice the distance to the edge.

    Where values have a tail towards the near edge, part of it may be unseen (`unseen`, 0 to 1). Then
    the two problems count up to eleven times as much, in full at most. -#}
{% macro effective_trials(weight, end) -%}
    {%- set problems_added, failures_added = 2, 0.1 -%}
    {%- set hidden_problems = 'least(hidden * (1 + 10 * unseen_' ~ end ~ '), 1)' -%}
    case
        when distance < 1e-12 then n
        else
            n / greatest(
                ((n - 1) * ratio + {{ problems_added }} * {{ hidden_problems }} * {{ weight }})
                / (n - 1 + {{ problems_added }} * {{ weight }}),
                (n * distance * ratio + {{ failures_added }} * hidden * {{ weight }})
                / (n * distance + {{ failures_added }} * {{ weight }})
            )
    end
{%- endmacro %}

{#- The quantile of one end of a share's interval, of the CTE `interval_trials` in mean_interval.
    `edge` is the distance of the mean from the edge of that end.

    It is the normal one in the proportion of problems to trials, and Student's t in the rest. The
    far end hardly ever misses where values vary much and their tail goes `away` from the edge. So
    the near end may miss up to 5 %. Its quantile moves, the more the fewer trials there would be
    with weight 1. The move grows from 3.5 failures (near 0: successes) to 7: with fewer Poisson's
    limit decides. -#}
{% macro share_quantile(edge, end) -%}
    {%- set trials = 'trials_' ~ end -%}
    {%- set usual -%}
        (
            n / {{ trials }} * {{ var('normal_quantile') }}
            + (1 - n / {{ trials }}) * quantile
        )
    {%- endset -%}
    {{ usual }} + ({{ var('one_sided_quantile') }} - {{ usual }})
    * hidden * greatest(away_{{ end }}, 0) * (1 - pow(trials_full_{{ end }} / {{ trials }}, 2))
    * greatest(least({{ edge }} * {{ trials }} / 3.5 - 1, 1), 0)
{%- endmacro %}
