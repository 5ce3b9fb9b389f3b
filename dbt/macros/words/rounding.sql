{#- A number rounded to twelve significant digits. Equal scores of texts of different length differ in
    their last bits, and ranks would tell them apart. -#}
{% macro twelve_digits(number) -%}
    if({{ number }} > 0, round({{ number }}, 11 - cast(floor(log10({{ number }})) as integer)), {{ number }})
{%- endmacro %}
