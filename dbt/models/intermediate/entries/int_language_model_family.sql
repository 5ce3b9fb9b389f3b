{#- Words of a name that say how a language model was tuned, or that it was not. -#}
{% set tuned = "'instruct', 'chat', 'it'" %}
{% set base = "'base', 'hf', 'pt'" %}

with language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

listed as (
    select *
    from {{ ref('lm_families') }}
),

split as (
    select
        lm_id,
        lower(lm) as lm,
        regexp_split_to_array(lower(lm), '[-_ ]+') as words,
    from language_models
),

marked as (
    select
        lm_id,
        lm,
        words,
        list_has_any(words, [{{ tuned }}]) as is_tuned,
    from split
),

-- a tuned language model may count its own versions: starcoder2-15b-instruct-v0.1
by_words as (
    select
        lm_id,
        lm,
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
),

-- what words do not tell: the base of CodeLlama's P and I, as a paper names them
families as (
    select
        by_words.lm_id,
        coalesce(listed.is_tuned, by_words.is_tuned) as is_tuned,
        coalesce(
            regexp_replace(by_words.lm, '^' || listed.pattern || '$', listed.family),
            by_words.family
        ) as family,
    from by_words
    left join listed on regexp_full_match(by_words.lm, listed.pattern)
)

select * from families
