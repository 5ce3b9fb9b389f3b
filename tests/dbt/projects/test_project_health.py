"""project_health, project_tests and project_functions against plain oracles; golden files."""

import math
import random
import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean
from typing import Any

import duckdb
import pytest

from models.words import QUARANTINE_REASONS, SUITE_OUTCOMES
from tests.data import ROOT
from tests.support.goldens import check_golden
from tests.support.sql import rows_in
from tests.support.steps import build
from tests.support.worlds.world import World
from warehouse.facts.projects import covered_lines

pytestmark = pytest.mark.long(seconds=20)

Raw = dict[str, list[dict[str, Any]]]
DIED = ("ended", "timeout")
NOT_COUNTED = ("harness_fault", "not_prepared")


def made_up(seed: int) -> World:
    """Releases whose suites ran under up to two conditions, with faults, gaps and flaky tests."""
    rng = random.Random(seed)
    world = World()
    for day in range(6):
        world.run(f"r{day}", day, "ingest_projects")
    world.add("project_environment", "env", environment_id="env", python="CPython 3.11", lock="",
              n_packages=5)  # fmt: skip
    for n in range(24):
        release = f"p{n}"
        world.add(
            "project_release", release, project_release_id=release, project=f"project{n % 20}",
            version=str(n // 20), license="MIT", sha256=release, source="checkout",
            is_curated=n % 2 == 0, sources="[]", tests="[]",
        )  # fmt: skip
        days = rng.sample(range(6), 2)
        for number in range(0 if n == 0 else rng.choice([1, 1, 2])):
            _conditions(world, rng, release, f"{release}.c{number}", f"r{days[number]}")
    _lines(world, random.Random(seed + 1))
    _functions(world, random.Random(seed + 2))
    for rows in world.raw.values():
        rng.shuffle(rows)
    return world


def _lines(world: World, rng: random.Random) -> None:
    """Executable lines of two files per release, and what runs see of them; two releases lack."""
    executable = {}
    for release in [row["project_release_id"] for row in world.raw["project_release"]]:
        for path in ("a.py", "b.py") if release != "p2" else ():
            executable[release, path] = sorted(rng.sample(range(1, 40), rng.randrange(30)))
            world.add(
                "project_file", f"{release}.{path}", project_file_id=f"{release}.{path}",
                project_release_id=release, path=path, lines=as_text(executable[release, path]),
            )  # fmt: skip
    n_tests = Counter(row["suite_run_id"] for row in world.raw["suite_test"])
    for row in world.raw["suite_run"]:
        run, release = row["suite_run_id"], row["project_release_id"]
        if row["attempt"] == 1 or release in ("p2", "p3"):
            continue
        for path in ("a.py", "b.py"):
            lines = executable[release, path]
            for index in [None, *range(n_tests[run])]:
                seen = sorted(rng.sample(lines, rng.randrange(1 + len(lines) // 2)))
                if seen:
                    world.add(
                        "test_coverage", f"{run}.{index}.{path}", suite_run_id=run, path=path,
                        test_coverage_id=f"{run}.{index}.{path}", test_index=index,
                        lines=as_text(seen),
                    )  # fmt: skip


def _functions(world: World, rng: random.Random) -> None:
    """Functions of two files per release: nested, with docstrings, on one line, without a body."""
    for release in [row["project_release_id"] for row in world.raw["project_release"]]:
        for path in ("a.py", "b.py"):
            for n, (above, last) in enumerate(((1, 30), (5, 20), (12, 16), (31, 39))):
                first, def_line = above, above + rng.choice([0, 1])
                docstring = def_line + 1 if rng.random() < 0.5 else None
                shape = rng.choice(["apart", "apart", "apart", "shared", "no body"])
                body = {"apart": (docstring or def_line) + 1, "shared": docstring or def_line}
                world.add(
                    "project_function", f"{release}.{path}.{n}", path=path, qualname=f"f{n}",
                    project_function_id=f"{release}.{path}.{n}", project_release_id=release,
                    first_line=first, def_line=def_line, colon_line=def_line, last_line=last,
                    docstring_first_line=docstring, docstring_last_line=docstring,
                    body_first_line=body.get(shape), body_is_apart=shape == "apart",
                    is_nested=n in (1, 2), is_async=n == 3,
                )  # fmt: skip


def as_text(lines: list[int]) -> str:
    """Write lines as ranges, by hand: a line begins a range if the one before it is not there."""
    firsts = [line for line in lines if line - 1 not in lines]
    lasts = [line for line in lines if line + 1 not in lines]
    pairs = zip(firsts, lasts, strict=True)
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in pairs)


def from_text(text: str) -> set[int]:
    found: set[int] = set()
    for part in text.split(",") if text else ():
        bounds = [int(each) for each in part.split("-")]
        found |= set(range(bounds[0], bounds[-1] + 1))
    return found


def _conditions(world: World, rng: random.Random, release: str, conditions: str, run: str) -> None:
    always_lost = release == "p1"
    if rng.random() < 0.2 and not always_lost:
        _attempt(world, rng, release, conditions, run, 1, "not_prepared", {})
        return
    usual = {f"t.py::{n}": "passed" for n in range(rng.choice([0, 1, 12]))}
    for test in usual:
        if rng.random() < 0.4:
            usual[test] = rng.choice(SUITE_OUTCOMES[1:7])
    for attempt in range(1, rng.choice([2, 3, 3, 3, 4])):
        verdict = rng.choice(["passed", "failed", "failed", "harness_fault", *DIED])
        verdict = "harness_fault" if always_lost else verdict
        found = {
            test: rng.choice(SUITE_OUTCOMES[:6]) if rng.random() < 0.1 else outcome
            for test, outcome in usual.items()
            if rng.random() < 0.97 and verdict != "harness_fault"
        }
        if verdict in DIED:
            for test in list(found)[len(found) // 2 :]:
                found[test] = "not_run"
        _attempt(world, rng, release, conditions, run, attempt, verdict, found)


def _attempt(
    world: World, rng: random.Random, release: str, conditions: str, run: str, attempt: int,
    verdict: str, found: dict[str, str],
) -> None:  # fmt: skip
    key = f"{conditions}.{attempt}"
    ran = verdict not in NOT_COUNTED
    world.add(
        "suite_run", key, suite_run_id=key, project_release_id=release, attempt=attempt,
        environment_id="env" if verdict != "not_prepared" else None, run_id=run,
        suite_conditions_id=conditions, verdict=verdict, options="[]", harness_version="1",
        reason=None if verdict == "passed" else f"why {attempt}", cpu_limit_s=300.0,
        wall_limit_s=900.0, memory_limit_mb=2048, isolation="ns+seccomp" if ran else None,
        integrity="same_interpreter" if ran else None, cpu_s=rng.random() if ran else None,
        wall_s=rng.random() if ran else None, max_rss_kb=rng.randrange(9999) if ran else None,
    )  # fmt: skip
    for index, (test, outcome) in enumerate(found.items()):
        ended = outcome in SUITE_OUTCOMES[:6]
        world.add(
            "suite_test", f"{key}.{test}", suite_test_id=f"{key}.{test}", suite_run_id=key,
            test=test, test_index=index, outcome=outcome,
            message=None if outcome in ("passed", "not_run") else f"message {attempt}",
            cpu_s=rng.random() if ended else None, wall_s=rng.random() if ended else None,
        )  # fmt: skip


def counted_attempts(raw: Raw, release: str) -> list[dict[str, Any]]:
    """Return the attempts that count, by the rules in words."""
    day = {row["run_id"]: row["started_at"] for row in raw["run"]}
    by_conditions = defaultdict(list)
    for row in raw["suite_run"]:
        if row["project_release_id"] == release:
            by_conditions[row["suite_conditions_id"]].append(row)
    if not by_conditions:
        return []
    newest_last = sorted(by_conditions.values(), key=lambda rows: day[rows[0]["run_id"]])
    for rows in reversed(newest_last):
        good = [row for row in rows if row["verdict"] not in NOT_COUNTED]
        if good:
            return sorted(good, key=lambda row: row["attempt"])
    return sorted(newest_last[-1], key=lambda row: row["attempt"])


def oracle_tests(raw: Raw, release: str) -> dict[str, dict[str, Any]]:
    """Compare the attempts at each test by hand."""
    attempts = counted_attempts(raw, release)
    of_run = defaultdict(dict)
    for row in raw["suite_test"]:
        of_run[row["suite_run_id"]][row["test"]] = row
    found = {}
    for test in {test for run in attempts for test in of_run[run["suite_run_id"]]}:
        rows = [of_run[run["suite_run_id"]].get(test) for run in attempts]
        here = [row for row in rows if row]
        outcomes = {row["outcome"] for row in here} - {"not_run"}
        wrong = [row for row in here if row["outcome"] != "passed"]
        times = [row["cpu_s"] for row in here if row["cpu_s"] is not None]
        if len(outcomes) > 1:
            reason = "flaky"
        elif any(row is None or row["outcome"] == "not_run" for row in rows):
            reason = "not_run"
        elif outcomes != {"passed"}:
            (reason,) = outcomes
        else:
            reason = None if len(attempts) > 1 else "one_attempt"
        said = [row["message"] for row in wrong if row["message"]]
        found[test] = {
            "is_usable": reason is None,
            "quarantine_reason": reason,
            "message": said[0] if said else None,
            "n_attempts": len(attempts),
            "n_passed": len(here) - len(wrong),
            "test_index": min(row["test_index"] for row in here),
            "cpu_s": mean(times) if times else None,
        }
    return found


def oracle_lines(raw: Raw, release: str) -> dict[str, dict[int, list[str]]]:
    """Return by path and line that ran the usable tests that ran it, by hand."""
    attempts = {row["suite_run_id"] for row in counted_attempts(raw, release)}
    tests = oracle_tests(raw, release)
    order = sorted(tests, key=lambda test: (tests[test]["test_index"], test))
    named = {(row["suite_run_id"], row["test_index"]): row["test"] for row in raw["suite_test"]}
    found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in raw["test_coverage"]:
        test = named.get((row["suite_run_id"], row["test_index"]))
        if row["suite_run_id"] in attempts and (test is None or tests[test]["is_usable"]):
            for line in from_text(row["lines"]):
                found[row["path"]][line] |= {test} - {None}
    return {
        path: {line: sorted(lines[line], key=order.index) for line in lines}
        for path, lines in found.items()
    }


def oracle_function(raw: Raw, function: dict[str, Any]) -> dict[str, Any]:
    """Count the lines of one function and the tests that run them, line by line."""
    release, path, body = (
        function[name] for name in ("project_release_id", "path", "body_first_line")
    )
    lines = oracle_lines(raw, release)
    found: dict[str, Any] = dict.fromkeys(["n_lines", "n_lines_tested", "n_tests", "tested_share"])
    files = {(row["project_release_id"], row["path"]): row for row in raw["project_file"]}
    found["tests_null_reason"] = (
        "not_measured" if not lines or (release, path) not in files else None
    )
    if body and not function["body_is_apart"]:
        return found | {"tests_null_reason": "shared_line"}
    if (release, path) in files:
        executable = from_text(files[release, path]["lines"])
        mine = [line for line in range(body or 99, function["last_line"] + 1) if line in executable]
        found["n_lines"] = len(mine)
        if lines:
            tests = [lines[path][line] for line in mine if lines.get(path, {}).get(line)]
            found["n_lines_tested"] = len(tests)
            found["n_tests"] = len({test for each in tests for test in each})
            found["tested_share"] = len(tests) / len(mine) if mine else None
    return found


def oracle_health(raw: Raw, release: str) -> dict[str, Any]:
    attempts = counted_attempts(raw, release)
    tests = oracle_tests(raw, release).values()
    reasons = Counter(test["quarantine_reason"] for test in tests)
    wrong = [row for row in attempts if row["verdict"] != "passed"]
    times = [row["cpu_s"] for row in attempts if row["cpu_s"] is not None]
    files = [row for row in raw["project_file"] if row["project_release_id"] == release]
    n_lines = sum(len(from_text(row["lines"])) for row in files)
    ran = [tests for lines in oracle_lines(raw, release).values() for tests in lines.values()]
    return {
        "n_lines": n_lines or None,
        "n_covered": len(ran) or None,
        "n_covered_outside_tests": ran.count([]) if ran else None,
        "coverage": len(ran) / n_lines if ran else None,
        "suite_verdict": wrong[0]["verdict"] if wrong else "passed",
        "suite_reason": wrong[0]["reason"] if wrong else None,
        "n_attempts": len(attempts),
        "n_attempts_passed": len(attempts) - len(wrong),
        "n_tests": len(tests),
        "n_usable": reasons.pop(None, 0),
        "n_quarantined": sum(reasons.values()),
        **{f"n_{reason}": reasons[reason] for reason in QUARANTINE_REASONS},
        "cpu_s": mean(times) if times else None,
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Raw, Path]:
    folder = tmp_path_factory.mktemp("health")
    world = made_up(3)
    path = world.write(folder / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder))
        build(path, select="+project_functions_v1 +project_health_v1 +project_tests_v1")
    return world.raw, path


def agree(row: dict[str, Any], expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        if isinstance(value, float):
            assert math.isclose(row[name], value, abs_tol=1e-9), (row, name)
        else:
            assert row[name] == value, (row, name, value)


def test_health_is_what_the_oracle_counts(built: tuple[Raw, Path]) -> None:
    raw, path = built
    rows = rows_in(path, "select * from project_health_v1 order by project_release_id")
    assert {row["project_release_id"] for row in rows} == {f"p{n}" for n in range(1, 24)}
    for row in rows:
        agree(row, oracle_health(raw, row["project_release_id"]))
    for reason in QUARANTINE_REASONS:
        assert any(row[f"n_{reason}"] for row in rows), reason
    assert {"not_prepared", "harness_fault", "passed"} <= {row["suite_verdict"] for row in rows}
    measured = [row for row in rows if row["n_covered"]]
    assert 5 < len(measured) < len(rows)
    assert any(0 < row["n_covered_outside_tests"] < row["n_covered"] for row in measured)
    check_golden("project_health_v1", rows)


def test_each_line_has_the_usable_tests_that_ran_it(built: tuple[Raw, Path]) -> None:
    raw, path = built
    n_pairs = 0
    with duckdb.connect(str(path), read_only=True) as con:
        for n in range(24):
            found = covered_lines(con, f"p{n}")
            expected = oracle_lines(raw, f"p{n}")
            assert {
                place: {line: list(tests) for line, tests in lines.items()}
                for place, lines in found.items()
            } == expected
            assert all(list(lines) == sorted(lines) for lines in found.values())
            n_pairs += sum(len(tests) for lines in found.values() for tests in lines.values())
    assert n_pairs > 80


def test_tests_are_what_the_oracle_compares(built: tuple[Raw, Path]) -> None:
    raw, path = built
    rows = rows_in(path, "select * from project_tests_v1 order by project_release_id, test")
    n_expected = 0
    for n in range(24):
        expected = oracle_tests(raw, f"p{n}")
        n_expected += len(expected)
        found = {row["test"]: row for row in rows if row["project_release_id"] == f"p{n}"}
        assert found.keys() == expected.keys()
        for test, row in found.items():
            agree(row, expected[test])
    assert len(rows) == n_expected > 50
    check_golden("project_tests_v1", rows)


def test_functions_are_what_the_oracle_counts(built: tuple[Raw, Path]) -> None:
    raw, path = built
    order = "project_release_id, path, def_line, qualname"
    rows = rows_in(path, f"select * from project_functions_v1 order by {order}")
    functions = {
        (row["project_release_id"], row["path"], row["qualname"]): row
        for row in raw["project_function"]
    }
    assert len(rows) == len(functions) == 24 * 2 * 4
    for row in rows:
        function = functions[row["project_release_id"], row["path"], row["qualname"]]
        agree(row, oracle_function(raw, function))
        assert row["has_docstring"] == (function["docstring_last_line"] is not None)
    assert {row["tests_null_reason"] for row in rows} == {None, "shared_line", "not_measured"}
    assert sum(row["n_tests"] or 0 for row in rows) > 20
    assert any(row["n_lines"] == 0 for row in rows)
    assert any(row["n_lines"] and row["n_tests"] is None for row in rows)
    assert any(0 < row["n_lines_tested"] < row["n_lines"] for row in rows if row["n_tests"])
    check_golden("project_functions_v1", rows)


def test_dbt_repeats_our_words() -> None:
    text = (ROOT / "dbt" / "macros" / "words" / "quarantine_reasons.sql").read_text()
    assert re.findall(r"'(\w+)'", text) == list(QUARANTINE_REASONS)
