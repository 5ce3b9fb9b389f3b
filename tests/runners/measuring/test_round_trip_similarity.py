"""Programs of round trips against the code of their holes: what is due, measured and stored."""

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from models.words import TEXT_MEASURES
from runners.measuring.similarity import MEASURES
from runners.measuring.similarity.answers import at_margin
from runners.steps import similarity as step
from tests.support.sql import n_rows, rows
from tests.support.steps import execute, generate, ingest_dataset, similarity_pairs
from tests.support.worlds.world import World

ADD = "    total = a + b\n    return total\n"
TEXTS = {
    "same": ADD,
    "other": "    return a + b\n",
    "twin": "    return a + b\n",
    "deeper": "        return a + b\n",
    "empty": "",
}
STORED = "select generation_id, measure, component, value from raw.text_similarity"


def planted(code: str = ADD) -> World:
    """Return a world with one problem, a description of its code, five programs and a sample."""
    world = World()
    world.run("r0", 0)
    (problem,) = world.release("toy", "toy", 1, "r0")
    hole = {"variant_id": "hole", "problem_id": problem}
    world.add("variant", "hole", **hole, kind="hole", prompt="def f(a, b):\n")
    world.add("region", "hole", **hole, rule="body_v1", code=code, suffix="")
    lm = world.lm("lm")
    for task in ("description", "resynthesis", "synthesis"):
        world.setting(task, task=task)
    given = {"told": ("description", "Add both."), "sample": ("synthesis", ADD)}
    given |= {name: ("resynthesis", text) for name, text in TEXTS.items()}
    for index, (name, (task, text)) in enumerate(given.items()):
        variant = None if task == "synthesis" else "hole"
        world.generation(lm, task, problem, index, variant, generation_id=name)
        world.add(
            "generation_text", name, generation_id=name, raw_text=text, kept_text=text,
            kept_rule="whole",
        )  # fmt: skip
    return world


def found() -> dict[str, dict[tuple[str, str], float | None]]:
    values: dict[str, dict[tuple[str, str], float | None]] = {}
    for name, measure, component, value in rows(STORED):
        values.setdefault(name, {})[measure, component] = value
    return values


def test_programs_of_round_trips_are_compared_once(home: Path) -> None:
    planted().write(home / "warehouse.duckdb")
    report = similarity_pairs()
    assert report.round_trips == dict.fromkeys(TEXT_MEASURES, len(TEXTS))
    assert report.pairs == {}
    values = found()
    assert values.keys() == TEXTS.keys(), "neither descriptions nor samples of other tasks"
    reference = "total = a + b\nreturn total\n"
    dedented = {"same": reference, "other": "return a + b\n", "empty": ""}
    for name, text in dedented.items():
        for measure in MEASURES:
            expected = MEASURES.load(measure)(text, reference)
            assert expected == {
                component: values[name][measure, component] for component in TEXT_MEASURES[measure]
            }, (name, measure)
    assert set(values["same"].values()) == {1.0}
    assert values["other"] == values["twin"] == values["deeper"]
    assert values["other"]["bleu_intl_v1", "bleu"] not in (0.0, 1.0)
    assert set(values["empty"].values()) == {0.0}

    stored = n_rows("text_similarity"), n_rows("run")
    assert similarity_pairs().round_trips == {}
    assert (n_rows("text_similarity"), n_rows("run")) == stored


def test_descriptions_of_edits_are_compared_with_what_people_said(home: Path) -> None:
    """The first example of the paper's appendix: what its three descriptions score."""
    world = planted()
    problem = world.release("edits", "edits", 1, "r0")[0]
    (silent,) = world.release("bare", "edits", 1, "r0")
    said = "Is `strings.Fields(ctx.Config.Build.Flags)` better?"
    world.add("variant", "said", variant_id="said", problem_id=problem, kind="comment", prompt=said)
    world.setting("tell", task="edit_description")
    told = {
        "first": "Please switch to strings.Fields() and keep the code consistent with above.",
        "second": "Please use correct strings.Fields call.",
        "third": "This should use a Go-style append of "
        "`strings.Fields(ctx.Config.Build.Flags)` to cmd.",
        "none": "",
    }
    for index, (name, text) in enumerate([*told.items(), ("bare", said)]):
        about = silent if name == "bare" else problem
        world.generation("lm", "tell", about, index, generation_id=name)
        world.add(
            "generation_text", name, generation_id=name, raw_text=text, kept_text=text,
            kept_rule="stop",
        )  # fmt: skip
    world.write(home / "warehouse.duckdb")
    report = similarity_pairs()
    assert report.round_trips["bleu_intl_v1"] == len(TEXTS) + len(told)
    assert report.round_trips["chrf_v1"] == len(TEXTS), "words have BLEU only"
    values = found()
    assert "bare" not in values, "nobody said anything of that edit"
    shown = {name: round(100 * (values[name]["bleu_intl_v1", "bleu"] or 0), 3) for name in told}
    assert shown == {"first": 15.917, "second": 7.171, "third": 50.868, "none": 0.0}
    assert similarity_pairs().round_trips == {}


def test_no_data_flow_in_the_code_is_no_number(home: Path) -> None:
    planted(code="    pass\n").write(home / "warehouse.duckdb")
    similarity_pairs(text_measures=["codebleu_v1"])
    assert {each["codebleu_v1", "dataflow_match"] for each in found().values()} == {None}
    assert found()["same"]["codebleu_v1", "syntax_match"] is not None


def test_a_measure_that_is_missing_is_added(home: Path) -> None:
    planted().write(home / "warehouse.duckdb")
    assert similarity_pairs(text_measures=["chrf_v1"]).round_trips == {"chrf_v1": len(TEXTS)}
    rest = similarity_pairs().round_trips
    assert rest == {"bleu_intl_v1": len(TEXTS), "codebleu_v1": len(TEXTS)}
    told = [row for (row,) in rows("select summary from raw.run_finish")]
    assert any('"round_trips": {"bleu_intl_v1": 5, "codebleu_v1": 5}' in text for text in told)


def test_cut_off_it_continues_where_it_stopped(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted().write(home / "warehouse.duckdb")
    whole = step.measured

    def cut(texts: Any, run_id: str) -> Any:
        yield from islice(whole(texts, run_id), 2)
        raise OSError("cut off")

    monkeypatch.setattr(step, "TEXTS_PER_APPEND", 1)
    monkeypatch.setattr(step, "measured", cut)
    with pytest.raises(OSError, match="cut off"):
        similarity_pairs()
    before = found()
    assert 0 < len(before) < len(TEXTS)
    monkeypatch.setattr(step, "measured", whole)
    again = similarity_pairs()
    assert again.round_trips == dict.fromkeys(TEXT_MEASURES, len(TEXTS) - len(before))
    assert before.items() <= found().items()
    assert found().keys() == TEXTS.keys()


@pytest.mark.parametrize(
    ("code", "moved"),
    [
        (ADD, "total = a + b\nreturn total\n"),
        ("    # first\n  # second\n    x = 1\n\n    y\n", "# first\n  # second\nx = 1\n\ny\n"),
        ('    x = """\nleft\n    """\n    y\n', 'x = """\nleft\n"""\ny\n'),
        ("\tif a:\n\t\tb\n", "if a:\n\tb\n"),
        ("a\n  b\n", "a\n  b\n"),
        ("", ""),
        ("  # alone\n", "  # alone\n"),
    ],
)
def test_code_moves_to_the_margin(code: str, moved: str) -> None:
    assert at_margin(code) == moved


@pytest.mark.long
def test_right_code_that_came_back_is_alike(home: Path) -> None:
    ingest_dataset("starter")
    given: dict[str, Any] = {"backend": "planted", "lm": "coin", "dataset": "starter", "n": 1}
    given |= {"options": {"pass_rate": 1.0}, "progress": False}
    generate(**given, task="description")
    generate(**given, task="resynthesis")
    execute(progress=False)
    assert similarity_pairs(progress=False).round_trips == dict.fromkeys(TEXT_MEASURES, 96)
    told = """
        select parent_generation_id is not null, value = 1 from raw.text_similarity
        inner join raw.generation using (generation_id) where measure = 'bleu_intl_v1'
    """
    counts = Counter(rows(told))
    assert counts[True, True] == 48
    assert counts[False, False] > 40, "the baseline is wrong code"
