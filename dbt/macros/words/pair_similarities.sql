{#- Ways to count the similarity of two programs by the tokens they share. Each has a name, a
    measure and, for clones, the share of the larger count that makes one. -#}
{% macro token_similarities() -%}
    {{ return([
        {'name': 'scc_clone_80', 'measure': 'scc_v1', 'threshold': '0.8', 'v1': true},
        {'name': 'overlap_ratio', 'measure': 'tokens_v2', 'threshold': none, 'v1': false},
        {'name': 'clone_70', 'measure': 'tokens_v2', 'threshold': '0.7', 'v1': false},
        {'name': 'clone_80', 'measure': 'tokens_v2', 'threshold': '0.8', 'v1': false},
        {'name': 'clone_90', 'measure': 'tokens_v2', 'threshold': '0.9', 'v1': false},
    ]) }}
{%- endmacro %}

{#- Measures of pairs that Sim@k shows before anything has a score, and whether version 1 does. Any
    other measure is shown, by version 2, once a scorer of it is stored. -#}
{% macro announced_measures() -%}
    {{ return([
        {'name': 'tfidf_v1', 'v1': false},
        {'name': 'tree_edit_v1', 'v1': false},
        {'name': 'structure_v1', 'v1': false},
        {'name': 'embedding_v1', 'v1': true},
        {'name': 'judge_v1', 'v1': true},
        {'name': 'judge_v2', 'v1': false},
        {'name': 'human_v1', 'v1': false},
    ]) }}
{%- endmacro %}

{#- The similarity by stored verdicts: it needs no scorer, and the paper does not have it. -#}
{% macro behaviour_similarity() -%}
    {{ return('behaviour_v1') }}
{%- endmacro %}

{#- Measures that ask a language model, with the orders in which it sees two programs and the votes
    per order; a test compares. -#}
{% macro judge_measures() -%}
    {{ return([
        {'name': 'judge_v1', 'orders': 1, 'votes': 1},
        {'name': 'judge_v2', 'orders': 2, 'votes': 3},
    ]) }}
{%- endmacro %}

{#- Why a reply of a judge has no level. -#}
{% macro rating_null_reasons() -%}
    {{ return(['empty_reply', 'no_level', 'unreadable', 'out_of_range']) }}
{%- endmacro %}
