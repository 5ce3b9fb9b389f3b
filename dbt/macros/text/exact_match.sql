{#- White space as Python's str.strip() takes it, as the inside of a character class. -#}
{% macro white_space() -%}
    \t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}
{%- endmacro %}

{#- A text without white space at its ends. -#}
{% macro stripped(text) -%}
    regexp_replace({{ text }}, '^[{{ white_space() }}]+|[{{ white_space() }}]+$', '', 'g')
{%- endmacro %}

{#- The tokens of Java source, comments left out (Java Language Specification, chapter 3): text
    blocks, strings and characters whole, numbers, names, operators by the longest match. A closing
    angle bracket is a token alone, so that nested type arguments may be written with spaces. What fits
    no rule is a token of one character; a comment that does not end on the line is no comment. -#}
{% macro java_tokens(text) -%}
    list_filter(
        regexp_extract_all(
            {{ stripped(text) }},
            '(?s)'
            || '/\*.*?\*/|//[^\n\r]*'
            || '|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n\r])*"|''(?:\\.|[^''\\\n\r])*'''
            || '|0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][+-]?[\d_]+)?[lLfFdD]?'
            || '|0[bB][01_]+[lL]?'
            || '|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?[\d_]+)?[lLfFdD]?'
            || '|[\p{L}\p{Nl}\p{Sc}\p{Pc}][\p{L}\p{Nl}\p{Nd}\p{Sc}\p{Pc}\p{Mn}\p{Mc}\p{Cf}]*'
            || '|<<=|<<|\.\.\.|->|::|\+\+|--|&&|\|\||[-+*/%&|^!=<>]=|/\*|\S'
        ),
        lambda token: not (
            starts_with(token, '//') or (starts_with(token, '/*') and length(token) > 2)
        )
    )
{%- endmacro %}

{#- The tokens of a line of Python, comments left out (The Python Language Reference, chapter 2):
    strings whole, a formatted string too; numbers, names, operators by the longest match. What fits
    no rule is a token of one character. A line may be part of a statement: a string that begins or
    ends on another line gives the tokens of what it holds. -#}
{% macro python_tokens(text) -%}
    list_filter(
        regexp_extract_all(
            {{ stripped(text) }},
            '(?s)'
            || '#[^\n\r]*'
            || '|(?:[bB][rR]?|[rR][bBfFtT]?|[fFtT][rR]?|[uU])?(?:'
            || '"""(?:\\.|[^\\])*?"""|''''''(?:\\.|[^\\])*?'''''''
            || '|"(?:\\.|[^"\\\n\r])*"|''(?:\\.|[^''\\\n\r])*'')'
            || '|0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+'
            || '|(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?[jJ]?'
            || '|[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Pc}\p{Mn}\p{Mc}]*'
            || '|\*\*=|//=|<<=|>>=|\.\.\.|\*\*|//|<<|>>|->|:=|[-+*/%&|^!=<>@]=|\S'
        ),
        lambda token: not starts_with(token, '#')
    )
{%- endmacro %}

{#- Whether an answer is its reference but for white space at the ends (Spiess et al. 2024, arXiv
    2402.02047, section 3.4: exact string match). An empty answer never is. -#}
{% macro exact_match_v1(answer, reference) -%}
    {{ stripped(answer) }} <> '' and {{ stripped(answer) }} = {{ stripped(reference) }}
{%- endmacro %}

{#- Whether an answer is its reference but for how white space is written (the evaluator of
    CodeReviewer compares so). An empty answer never is. -#}
{% macro exact_match_spaced(answer, reference) -%}
    {{ stripped(answer) }} <> '' and {{ words_spaced(answer) }} = {{ words_spaced(reference) }}
{%- endmacro %}

{#- Whether an answer has the tokens of its reference, as Java. An empty answer never has. -#}
{% macro exact_match_v2(answer, reference) -%}
    {{ stripped(answer) }} <> '' and {{ java_tokens(answer) }} = {{ java_tokens(reference) }}
{%- endmacro %}

{#- Whether an answer has the tokens of its reference, as Python. An empty answer never has. -#}
{% macro exact_match_python(answer, reference) -%}
    {{ stripped(answer) }} <> '' and {{ python_tokens(answer) }} = {{ python_tokens(reference) }}
{%- endmacro %}
