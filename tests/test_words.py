"""Codes and tolerances that dbt must repeat are those of models/words.py."""

import re
from collections.abc import Iterable
from typing import Any

import pytest
import yaml

from models import words
from runners.measuring.pairs import PAIR_MEASURES
from runners.steps.doctor import MEANINGS
from runners.tasks import TASKS
from runners.tasks.strategies import STRATEGIES
from runners.tasks.templates import ORIGINAL, names
from tests.data import ROOT
from warehouse.views.staging import NAMED

PROJECT: dict[str, Any] = yaml.safe_load((ROOT / "dbt" / "dbt_project.yml").read_text())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("logprob_tolerance", words.LOGPROB_TOLERANCE),
        ("sentinel_logprob", words.SENTINEL_LOGPROB),
        ("verbalized_calls", words.VERBALIZED_CALLS),
        ("diagram_seed", words.DIAGRAM_SEED),
        ("least_clusters", words.LEAST_CLUSTERS),
        ("least_differing", words.LEAST_DIFFERING),
        ("least_of_a_class", words.LEAST_OF_A_CLASS),
        ("rows_rescaled", words.ROWS_RESCALED),
        ("enough_rows", words.ENOUGH_ROWS),
        ("enough_splits", words.ENOUGH_SPLITS),
        ("most_splits", words.MOST_SPLITS),
        ("unkept_candidate", words.UNKEPT_CANDIDATE),
    ],
)
def test_a_var_of_dbt_has_the_value_of_its_word(name: str, value: float | str) -> None:
    assert PROJECT["vars"][name] == value


def test_dbt_takes_the_tasks_of_each_metric_from_its_var() -> None:
    ours = {metrics: list(tasks) for metrics, tasks in words.TASKS_OF_METRICS.items()}
    assert PROJECT["vars"]["tasks"] == ours
    assert {task for tasks in ours.values() for task in tasks} <= {*TASKS, "reflection"}
    for path in (ROOT / "dbt" / "models").rglob("*.sql"):
        assert not re.findall(r"\btask\s*(?:=|<>|in \()\s*'", path.read_text()), path.name


def test_every_prompt_of_synthesis_has_one_strategy() -> None:
    ours = {name: [*strategy.prompts] for name, strategy in STRATEGIES.load_all(STRATEGIES)}
    assert PROJECT["vars"]["strategies"] == ours
    templates = [ORIGINAL, *(name for name in names() if name.startswith("synthesis"))]
    assert sorted(prompt for prompts in ours.values() for prompt in prompts) == sorted(templates)


def test_a_macro_lists_the_verdicts_on_programs() -> None:
    judged = [verdict for verdict in words.VERDICTS if verdict != words.HARNESS_FAULT]
    text = (ROOT / "dbt" / "macros" / "words" / "verdicts.sql").read_text()
    assert re.findall(r"'(\w+)'", text) == judged


def test_the_published_checks_use_as_many_folds() -> None:
    folder = ROOT / "dbt" / "models" / "intermediate" / "published"
    text = (folder / "int_published_score_checked.sql").read_text()
    assert re.findall(r"set n_folds = (\d+)", text) == [str(words.N_FOLDS)]


def test_macros_announce_measures_of_pairs_and_say_how_judges_are_asked() -> None:
    text = (ROOT / "dbt" / "macros" / "words" / "pair_similarities.sql").read_text()
    announced = set(re.findall(r"\{'name': '(\w+)', 'v1'", text))
    asked = {*words.JUDGE_MEASURES, words.HUMAN_MEASURE}
    assert asked <= announced <= {*PAIR_MEASURES, *asked}
    judges = re.findall(r"'name': '(\w+)', 'orders': (\d), 'votes': (\d)", text)
    assert {name: (int(n), int(m)) for name, n, m in judges} == words.JUDGE_MEASURES
    reasons = re.findall(r"rating_null_reasons\(\) -%\}\n.*return\(\[(.*)\]\)", text)
    assert re.findall(r"'(\w+)'", reasons[0]) == list(words.RATING_NULL_REASONS)
    assert list(words.RATING_LEVELS) == [1, 2, 3, 4, 5]


def in_dbt(path: str, pattern: str) -> list[str]:
    """Return the quoted words of the parts of a file of dbt that match a pattern."""
    found = re.findall(pattern, (ROOT / "dbt" / path).read_text(), re.DOTALL)
    assert found, path
    return [word for part in found for word in re.findall(r"\w+", part)]


CURVES = words.RESCALERS[1:]
RESCALED = "models/intermediate/rescaling"


@pytest.mark.parametrize(
    ("path", "pattern", "ours"),
    [
        ("macros/metrics/calibration.sql", r"\[1, '(\w+)'", words.CONFIDENCES_OF_PAPER),
        ("macros/metrics/calibration.sql", r"\[2, '(\w+)'", [*words.CONFIDENCES][:-1]),
        ("macros/metrics/calibration_scaled.sql", r"unnest.*?\[(.*?)\]", CURVES),
        (
            f"{RESCALED}/int_calibration_fit_tallied.sql",
            r"\['platt', ('platt'.*?)\]",
            words.RESCALERS[1:],
        ),
        (f"{RESCALED}/int_calibration_rescaled_lines.sql", r"rescaler in \((.*?)\)", CURVES[:2]),
        (
            "macros/words/null_reasons.sql",
            r"claim_null_reasons\(\).*?return\(\[(.*?)\]",
            words.CLAIM_NULL_REASONS,
        ),
        ("macros/words/enums.sql", r"ends_of_programs\(\).*?return\(\[(.*?)\]", words.WHY_ENDED),
        ("macros/words/enums.sql", r"integrities\(\).*?return\(\[(.*?)\]", words.INTEGRITIES),
        ("macros/lines/line_completion.sql", r"set notions = \[(.*?)\]", words.NOTIONS),
        ("macros/text/codebleu.sql", r"return\(\[(.*?)\]", words.TEXT_MEASURES["codebleu_v1"]),
        (
            "models/intermediate/similarity/int_text_similarity_combined.sql",
            r"measure = '(\w+)'",
            words.TEXT_MEASURES,
        ),
        (
            "models/intermediate/round_trips/int_round_trip_judged.sql",
            r"text_null_reason\('\w+', '(\w+)'",
            words.TEXT_MEASURES,
        ),
    ],
)
def test_a_list_in_dbt_is_that_of_its_word(path: str, pattern: str, ours: Iterable[str]) -> None:
    assert sorted(in_dbt(path, pattern)) == sorted(ours)


def test_dbt_names_every_isolation_level() -> None:
    text = (ROOT / "dbt" / "macros" / "words" / "enums.sql").read_text()
    levels = re.findall(r"isolation_levels\(\) -%\}\s*\{\{ return\(\[(.*?)\]", text)
    assert re.findall(r"'([^']+)'", levels[0]) == list(words.LEVELS)


def test_dbt_names_no_other_end_of_a_program_and_no_other_mode() -> None:
    """A list in a macro or view that begins with a code of ours holds codes of ours."""
    lists = {"why_ended": words.WHY_ENDED, "mode": (*words.INTEGRITIES, words.REJECTED)}
    seen = set()
    for path in (ROOT / "dbt").rglob("*.sql"):
        for column, values in re.findall(
            r"\b(why_ended|mode) (?:=|<>|!=|in|not in) (\(.*?\)|'\w+')", path.read_text()
        ):
            assert set(re.findall(r"'(\w+)'", values)) <= set(lists[column]), path.name
            seen.add(column)
    assert "why_ended" in seen


def test_each_safe_level_has_a_meaning() -> None:
    assert list(MEANINGS) == list(words.SAFE_LEVELS)


def test_a_data_test_repeats_no_code() -> None:
    text = (ROOT / "dbt" / "staging_tests.yml").read_text()
    known = {*words.VERDICTS, *words.INTEGRITIES, *words.SIMILARITIES, *words.TEXT_MEASURES}
    assert not {word for word in re.findall(r"'(\w+)'", text) if word in known}
    assert {*re.findall(r"\{(\w+)\}", text)} <= NAMED.keys()
