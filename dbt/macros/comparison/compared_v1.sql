{#- The table macro `compared_v1`: any two entries of one release, by language model and setting, on every
    metric that is a mean over problems. Pairs grow with the square of entries, so the view has those of
    a family alone; of any other pair this computes the same. The pair was named before its numbers were
    seen: it is its own family. -#}
{% macro make_compared_v1() %}
    {% if execute %}
        {% set found = [] %}
        {% for name in ['compared_entries_v1', 'problem_values_v1'] %}
            {% do found.append(load_relation(api.Relation.create(
                database=target.database, schema='main', identifier=name))) %}
        {% endfor %}
        {% if found | select | list | length == 2 %}
            create or replace macro main.compared_v1(
                first_lm_id, first_setting_id, second_lm_id, second_setting_id
            ) as table (
                with entries as (
                    select *
                    from main.compared_entries_v1
                ),

                problem_values as (
                    select *
                    from main.problem_values_v1
                ),

                pairs as (
                    select
                        row_number() over (order by a.entry_no, b.entry_no) as pair_no,
                        a.entry_no as entry_a,
                        b.entry_no as entry_b,
                    from entries as a
                    inner join entries as b on a.release_id = b.release_id
                    where
                        a.lm_id = first_lm_id
                        and a.setting_id = first_setting_id
                        and b.lm_id = second_lm_id
                        and b.setting_id = second_setting_id
                        and a.entry_no != b.entry_no
                ),

                sizes_compared as (
                    select distinct entries.n_dataset
                    from entries
                    inner join pairs on entries.entry_no = pairs.entry_a
                ),

                {{ signs_drawn('sizes_compared') }},

                {{ pairs_measured('signs_drawn') }},

                corrected as (
                    select
                        *,
                        'asked' as pairing,
                        p_value as holm_p,
                        p_value as bh_p,
                        cast(p_value is not null as bigint) as n_family,
                    from measured_pairs
                ),

                {{ comparisons_published() }}

                select * from published
            );
        {% endif %}
    {% endif %}
{% endmacro %}
