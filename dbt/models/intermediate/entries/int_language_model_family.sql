{#- Words of a name that say how a language model was tuned, or that it was not. -#}
{% set tuned = "'instruct', 'chat', 'it'" %}
{% set base = "'base', 'hf', 'pt'" %}

with language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

split as (
    select
        lm_id,
        regexp_split_to_array(lower(lm), '[-_ ]+') as words,
    from language_models
),

marked as (
    select
        lm_id,
        words,
        list_has_any(words, [{{ tuned }}]) as is_tuned,
    from split
),

-- a tuned language model may count its own versions: starcoder2-15b-instruct-v0.1
families as (
    select
        lm_id,
        is_tuned,
        array_to_string(
            list_filter(
                words,
                lambda word: word not in ({{ tuned }}, {{ base }})
                and not (is_tuned and regexp_full_match(word, 'v[0-9.]+'))
            ),
            '-'
        ) as family,
    from marked
)

select * from families
