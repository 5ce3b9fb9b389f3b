"""Counterfactual pairs: both sides are asked, and their answers are judged."""

from collections import Counter
from typing import Any

import pytest

from runners.steps.generate import GenerateReport
from tests.support.sql import rows
from tests.support.steps import execute, generate
from tests.support.worlds.mutants import PAPER
from warehouse.errors import BadInput

pytestmark = [pytest.mark.long(seconds=20), pytest.mark.usefixtures("at_mutated")]
PLANTED: dict[str, Any] = {"backend": "planted", "dataset": "starter", "progress": False}
ONE: dict[str, Any] = {**PLANTED, "lm": "a", "n": 1}


def answer_both_sides(
    lm: str, n: int = 1, temperature: float = 0.0, **fields: Any
) -> GenerateReport:
    """Let a planted language model answer the pairs of the starter set."""
    asked = {**PLANTED, "lm": lm, "n": n, "temperature": temperature}
    return generate(**asked, task="counterfactual", **fields)


def test_both_sides_are_asked_and_the_original_twice_as_often() -> None:
    drawn = answer_both_sides(
        "planted-sensitive",
        n=5,
        temperature=0.8,
        mutations=PAPER,
        options={"pass_rate": 0.8, "sensitivity": {"names_random": 0.5}, "seed": 3},
    )
    counts = dict(
        rows(
            """
            select kind, list(distinct n order by n) from (
                select variant.kind, variant.variant_id, count(*) as n
                from raw.generation as generation
                inner join raw.variant as variant using (variant_id)
                inner join raw.setting as setting using (setting_id)
                where setting.task = 'counterfactual' and setting.temperature = 0.8
                group by all
            ) group by kind
            """
        )
    )
    assert counts == {"cut": [10], **{name: [5] for name in PAPER}}
    sides = rows(
        """
        select count(distinct original_variant_id), count(distinct mutated_variant_id)
        from raw.mutation_pair where decline_code is null
        """
    )
    assert drawn.n_drawn == 10 * sides[0][0] + 5 * sides[0][1]
    execute(progress=False)
    rates = dict(
        rows(
            """
            select variant.kind, avg(cast(outcome.verdict = 'passed' as integer))
            from raw.generation as generation
            inner join raw.variant as variant using (variant_id)
            inner join raw.setting as setting using (setting_id)
            inner join raw.evaluation as evaluation using (generation_id)
            inner join raw.outcome as outcome using (program_id)
            where setting.temperature = 0.8
            group by all
            """
        )
    )
    n_random = 5 * 48
    assert abs(rates["names_random"] - 0.3) < 4 * (0.21 / n_random) ** 0.5
    assert abs(rates["names_shuffle"] - 0.8) < 4 * (0.16 / n_random) ** 0.5
    assert abs(rates["cut"] - 0.8) < 4 * (0.16 / (10 * sides[0][0])) ** 0.5


def test_greedy_sides_are_asked_once_each_and_the_right_answer_is_the_authors() -> None:
    answer_both_sides(
        "planted-always",
        mutations=["if_else_flip", "def_use_break"],
        editions=[2],
        options={"pass_rate": 1.0},
    )
    execute(progress=False)
    found = rows(
        """
        select variant.kind, outcome.verdict, candidate.source,
            candidate.candidate_id in (select candidate_id from raw.mutant),
            variant.prompt || generation_text.kept_text || problem.suffix
        from raw.generation as generation
        inner join raw.setting as setting using (setting_id)
        inner join raw.generation_text as generation_text using (generation_id)
        inner join raw.variant as variant using (variant_id)
        inner join raw.problem as problem on generation.problem_id = problem.problem_id
        inner join raw.evaluation as evaluation using (generation_id)
        inner join raw.candidate as candidate on evaluation.candidate_id = candidate.candidate_id
        inner join raw.outcome as outcome using (program_id)
        where setting.temperature = 0
        """
    )
    kinds = Counter(kind for kind, *_ in found)
    assert set(kinds) == {"cut", "if_else_flip", "def_use_break"}
    assert kinds["if_else_flip"] == 21
    for kind, verdict, source, is_mutant, shown in found:
        assert (verdict, is_mutant) == ("passed", kind != "cut")
        assert source == shown


def test_fewer_pairs_are_the_same_ones_under_the_same_seed() -> None:
    from runners.tasks.base import Pairs
    from runners.tasks.counterfactual import sides

    some = sides("starter", Pairs(["independent_swap"], [2], most=9, seed=1))
    more = sides("starter", Pairs(["independent_swap"], [2], most=20, seed=1))
    other = sides("starter", Pairs(["independent_swap"], [2], most=9, seed=2))
    chosen = [{side.variant_id for side in each if side.mutation} for each in (some, more, other)]
    assert len(chosen[0]) <= 9 < len(chosen[1])
    assert chosen[0] < chosen[1]
    assert chosen[2] != chosen[0]


def test_a_planted_wrong_answer_is_wrong_wherever_the_program_was_cut() -> None:
    answer_both_sides("planted-never", mutations=PAPER, options={"pass_rate": 0.0})
    execute(progress=False)
    found = rows(
        """
        select distinct outcome.verdict, candidate.parses
        from raw.generation as generation
        inner join raw.language_model as lm using (lm_id)
        inner join raw.evaluation as evaluation using (generation_id)
        inner join raw.candidate as candidate using (candidate_id)
        inner join raw.outcome as outcome using (program_id)
        where lm.lm = 'planted-never'
        """
    )
    assert found == [("error", False)]


def test_a_chat_answers_with_the_whole_program_and_means_the_same() -> None:
    answer_both_sides(
        "planted-chat", mutations=["names_random"], options={"pass_rate": 1.0, "chat": True}
    )
    execute(progress=False)
    found = rows(
        """
        select outcome.verdict, generation_text.kept_rule, generation_request.template,
            candidate.candidate_id = any(
                select case when variant.kind = 'cut' then original_candidate_id
                    else candidate_id end
                from raw.mutant where mutant.problem_id = generation.problem_id
            ), count(*)
        from raw.generation as generation
        inner join raw.language_model as lm using (lm_id)
        inner join raw.generation_text as generation_text using (generation_id)
        inner join raw.generation_request as generation_request using (generation_id)
        inner join raw.variant as variant using (variant_id)
        inner join raw.evaluation as evaluation using (generation_id)
        inner join raw.candidate as candidate on evaluation.candidate_id = candidate.candidate_id
        inner join raw.outcome as outcome using (program_id)
        where lm.lm = 'planted-chat'
        group by all
        """
    )
    assert [row[:4] for row in found] == [
        ("passed", "fenced_cut_v1", "counterfactual_chat_v1", True)
    ]
    assert found[0][4] >= 2 * 48


def test_a_template_or_task_that_does_not_fit_is_refused() -> None:
    for given, message in (
        ({"prompt": "synthesis_chat_v1"}, "is not made for counterfactual"),
        ({"prompt": "counterfactual_chat_v1"}, "is for a chat, and this backend continues a text"),
        ({"prompt": "original", "options": {"chat": True}}, "does not ask a chat"),
    ):
        with pytest.raises(BadInput, match=message):
            generate(**ONE, task="counterfactual", **given)
    with pytest.raises(BadInput, match="repair does not apply to starter"):
        generate(**ONE, task="repair")


def test_choices_of_pairs_need_the_task() -> None:
    for given in (
        {"mutations": ["names_random"]},
        {"editions": [1]},
        {"max_pairs": 5},
        {"pair_seed": 1},
    ):
        with pytest.raises(BadInput, match="need the task counterfactual"):
            generate(**ONE, **given)


def test_a_language_model_has_a_name() -> None:
    for name in ("", " ", "a\nb"):
        with pytest.raises(BadInput, match="is not a name for a language model"):
            generate(**{**ONE, "lm": name})


def test_a_sensitivity_must_be_of_a_mutation_and_a_share() -> None:
    for options, message in (
        ({"sensitivity": {"typo": 0.1}}, "no mutation 'typo'"),
        ({"sensitivity": {"names_random": 2}}, r"sensitivity.names_random must lie in \[-1, 1\]"),
        ({"sensitivity": 0.3}, "sensitivity is an object of rates"),
        ({"sensitivity": "{names_random=0.3}"}, "sensitivity is an object of rates"),
    ):
        with pytest.raises(BadInput, match=message):
            generate(**ONE, options=options)
