{#- An integer in [0, n) that depends on the parts alone. It is the first 32 bits,
    little-endian, of bytes 12 to 15 of the MD5 of the parts joined by colons, scaled by n / 2^32.
    DuckDB's own hash() may change between releases; MD5 may not. The bias is below n / 2^32. -#}
{% macro uniform_integer(n, parts) -%}
    cast(((md5_number_lower(concat_ws(':', {{ parts | join(', ') }})) >> 32) * {{ n }}) >> 32 as bigint)
{%- endmacro %}
