{#- A number rounded to twelve significant digits. Equal scores of texts of different length differ in
    their last bits, and ranks would tell them apart. Below 1e-250 the power of ten that rounding
    needs is no number, so the number is made larger first. -#}
{% macro twelve_digits(number) -%}
    case
        when {{ number }} = 0 then 0.0
        when abs({{ number }}) > 1e-250
            then round({{ number }}, 11 - cast(floor(log10(abs({{ number }}))) as integer))
        else
            round({{ number }} * 1e200, -189 - cast(floor(log10(abs({{ number }}))) as integer)) / 1e200
    end
{%- endmacro %}
