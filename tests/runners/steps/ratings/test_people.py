"""Ratings by people: what is stored of a file, what is refused, and what views make of them."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.support.sql import rows, rows_in
from tests.support.steps import build, import_ratings
from warehouse.errors import BadInput

pytestmark = pytest.mark.long(seconds=40)


def lines(home: Path) -> list[dict[str, Any]]:
    """Return ratings of the first two samples of each problem by two people."""
    samples = rows_in(
        home / "warehouse.duckdb",
        """
        select task_id, candidate.source as code
        from raw.generation as generation
        join raw.problem using (problem_id)
        join raw.evaluation using (generation_id)
        join raw.candidate using (candidate_id)
        where parent_generation_id is null and sample_index < 2
        order by task_id, sample_index
        """,
    )
    pairs = [(a, b) for a, b in pairwise(samples) if a["task_id"] == b["task_id"]]
    return [
        {
            "dataset": "starter",
            "task_id": a["task_id"],
            "code_a": a["code"],
            "code_b": b["code"],
            "rater": rater,
            "level": 1 + (n + shift) % 5,
        }
        for n, (a, b) in enumerate(pairs)
        for rater, shift in (("Ada", 0), ("Ben", n % 2))
    ]


def written(path: Path, some: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in some))
    return path


def test_ratings_are_stored_once_and_become_a_similarity(judged: Path, tmp_path: Path) -> None:
    some = lines(judged)
    path = written(tmp_path / "ratings.jsonl", [*some, some[0]])
    report = import_ratings(path)
    n_pairs = len({(line["code_a"], line["code_b"]) for line in some})
    assert (report.n_ratings, report.n_added) == (len(some) + 1, len(some))
    assert (report.n_repeated, report.n_skipped, report.n_raters) == (1, 0, 2)
    assert report.n_pairs == n_pairs == len(some) // 2
    again = import_ratings(path)
    assert (again.n_added, again.n_repeated) == (0, len(some) + 1)
    with pytest.raises(BadInput, match=r"other.jsonl:2: Ada rated this pair .* with level 1 befor"):
        import_ratings(written(tmp_path / "other.jsonl", [some[1], some[0] | {"level": 3}]))
    build(select="+int_pair_rated +sim_at_k_v2")
    values = {
        (one, other): value
        for one, other, value in rows(
            "select one.source, other.source, value from intermediate.int_pair_rated as rated "
            "join raw.candidate as one on one.candidate_id = candidate_a "
            "join raw.candidate as other on other.candidate_id = candidate_b "
            "join raw.scorer using (scorer_id) where measure = 'human_v1'"
        )
    }
    assert len(values) == n_pairs
    for ada, ben in zip(some[::2], some[1::2], strict=True):
        key = ada["code_a"], ada["code_b"]
        found = values[key] if key in values else values[key[::-1]]
        assert found == pytest.approx(((ada["level"] - 1) / 4 + (ben["level"] - 1) / 4) / 2)
    assert rows(
        "select distinct scorer, similarity_null_reason from sim_at_k_v2 "
        "where similarity = 'human_v1'"
    ) == [("people", None)]


BAD: list[tuple[Callable[[dict[str, Any]], dict[str, Any]], str]] = [
    (lambda line: line | {"level": 6}, "the field 'level' must be a whole number from 1 to 5"),
    (lambda line: line | {"level": True}, "the field 'level' must be a whole number from 1 to 5"),
    (lambda line: line | {"level": 4.0}, "the field 'level' must be a whole number from 1 to 5"),
    (lambda line: line | {"level": -1}, "the field 'level' must be a whole number from 1 to 5"),
    (lambda line: line | {"level": None}, "the field 'level' must be a whole number from 1 to 5"),
    (lambda line: line | {"rater": "  "}, "the field 'rater' is '  ', no name of a person"),
    (lambda line: line | {"task_id": "nope"}, "unknown task 'nope' in dataset starter"),
    (lambda line: line | {"dataset": "mbpp"}, "dataset 'mbpp' is not in the warehouse; available"),
    (lambda line: line | {"code_b": "x = 1\n"}, "the field 'code_b' is no program judged for"),
    (lambda line: {k: v for k, v in line.items() if k != "code_a"}, "'code_a' is missing"),
]


@pytest.mark.parametrize(("spoilt", "reason"), BAD, ids=[reason[:30] for _, reason in BAD])
def test_a_line_that_does_not_fit_refuses_the_file(
    judged: Path, tmp_path: Path, spoilt: Callable[[dict[str, Any]], dict[str, Any]], reason: str
) -> None:
    line = lines(judged)[0] | {"rater": f"nobody {reason}"}
    path = written(tmp_path / "ratings.jsonl", [line, spoilt(line)])
    with pytest.raises(BadInput) as error:
        import_ratings(path)
    assert str(error.value).startswith(f"{path}:2: ")
    assert reason in str(error.value)
    assert rows("select count(*) from raw.pair_rating where rater like 'nobody%'") == [(0,)]


def test_programs_that_were_not_judged_may_be_passed_over(judged: Path, tmp_path: Path) -> None:
    line = lines(judged)[0] | {"rater": "Cyd"}
    other_task = lines(judged)[-1]["task_id"]
    some = [line, line | {"code_a": "pass\n"}, line | {"task_id": other_task}]
    report = import_ratings(written(tmp_path / "ratings.jsonl", some), skip_unknown=True)
    assert (report.n_ratings, report.n_skipped, report.n_added) == (3, 2, 1)
    none = written(tmp_path / "none.jsonl", some[1:])
    assert import_ratings(none, skip_unknown=True).n_added == 0
    blank = tmp_path / "blank.jsonl"
    blank.write_text("\n\n")
    with pytest.raises(BadInput, match=r"blank\.jsonl: the file is empty"):
        import_ratings(blank)
