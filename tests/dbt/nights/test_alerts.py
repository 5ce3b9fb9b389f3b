"""Nightly alarms beside an oracle in plain Python, on nights with and without a change."""

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.goldens import check_golden
from tests.support.oracles.statistics import nights as oracle
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.comparison.nights import N_NIGHTS, NightWorld, night_world
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=60)


@pytest.fixture(scope="module")
def world() -> NightWorld:
    return night_world(3)


@pytest.fixture(scope="module")
def con(world: NightWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    home = tmp_path_factory.mktemp("nights")
    world.write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        build(select="+alerts_v1")
        with reading() as con:
            yield con


@pytest.fixture(scope="module")
def found(con: Any) -> dict[tuple[str, str, int], dict[str, Any]]:
    rows = rows_of(con, "select * from alerts_v1")
    return {(row["subject_id"], row["metric"], row["night_no"]): row for row in rows}


def test_tests_by_betting_agree_with_loops(world: NightWorld, found: dict[Any, Any]) -> None:
    expected = oracle.tested(world.raw)
    assert {key for key, row in found.items() if row["test"] == "betting"} == expected.keys()
    for key, truth in expected.items():
        ours = found[key]
        for name, value in truth.items():
            if name == "e_value" and value is not None:
                assert math.isclose(ours[name], value, rel_tol=1e-9), (key, name)
            elif isinstance(value, float):
                assert same(ours[name], value), (key, name, ours[name], value)
            else:
                assert ours[name] == value, (key, name, ours[name], value)


def test_exact_comparisons_agree_with_loops(world: NightWorld, found: dict[Any, Any]) -> None:
    expected = oracle.checked(world.raw)
    assert {key for key, row in found.items() if row["test"] == "exact"} == expected.keys()
    for key, truth in expected.items():
        ours = found[key]
        assert ours["state"] == truth["state"], (key, truth)
        if key[1] in ("problems", "failing_references"):
            assert same(ours["value"], truth["now"]), key
            assert same(ours["reference_value"], truth["before"]), key
        elif ours["state"] == "alarm":
            assert ours["detail"] == f"{truth['now']}, before: {truth['before']}"


def test_an_alarm_is_new_once_until_it_is_quiet_again(found: dict[Any, Any]) -> None:
    histories: dict[tuple[str, str], dict[int, dict[str, Any]]] = defaultdict(dict)
    for (subject, metric, night), row in found.items():
        histories[subject, metric][night] = row
    for (subject, _), history in histories.items():
        on = False
        for night, row in sorted(history.items()):
            assert row["is_new"] == (row["state"] == "alarm" and not on)
            on = row["state"] == "alarm" or (on and row["state"] != "quiet")
            newest = max(n for s, _, n in found if s == subject)
            assert row["is_newest"] == (night == newest)


def alarms(found: dict[Any, Any], lm: str | None, metric: str) -> list[tuple[int, str | None]]:
    """Return the nights with a new alarm, and its direction."""
    rows = [row for row in found.values() if row["lm"] == lm and row["metric"] == metric]
    return sorted((row["night_no"], row["direction"]) for row in rows if row["is_new"])


def test_a_fall_and_a_rise_are_found_and_nothing_else(found: dict[Any, Any]) -> None:
    ((night, direction),) = alarms(found, "falls", "pass_at_1")
    assert 6 <= night <= 8
    assert direction == "down"
    ((night, direction),) = alarms(found, "rises", "pass_at_1")
    assert 9 <= night <= 11
    assert direction == "up"
    for lm in ("steady", "uneven", "small", "broken"):
        new = {row["metric"] for row in found.values() if row["lm"] == lm and row["is_new"]}
        assert new <= ({"problems"} if lm == "uneven" else set())


def test_an_outage_of_a_night_is_an_alarm_that_ends(found: dict[Any, Any]) -> None:
    assert alarms(found, "dips", "pass_at_1") == [(10, "down")]
    rows = [row for row in found.values() if (row["lm"], row["metric"]) == ("dips", "pass_at_1")]
    states = {row["night_no"]: row["state"] for row in rows}
    assert {states[night] for night in range(12, N_NIGHTS + 1)} == {"quiet"}


def test_a_night_cut_off_and_its_rest_are_one(found: dict[Any, Any]) -> None:
    rows = [row for row in found.values() if (row["lm"], row["metric"]) == ("broken", "problems")]
    assert len(rows) == N_NIGHTS - 1
    assert "n06" not in {row["run_id"] for row in rows}
    assert {row["value"] for row in rows} == {25}


def test_what_changed_between_two_nights_is_named(found: dict[Any, Any]) -> None:
    details = {
        (row["metric"], row["run_id"]): row["detail"]
        for row in found.values()
        if row["lm"] == "moves" and row["is_new"] and row["test"] == "exact"
    }
    assert details.pop(("problems", "n09")).startswith("36 samples, of which not executed: ")
    assert details == {
        ("judge_version", "n08"): "2, before: 1",
        ("isolation", "n15"): "none, ns+seccomp, before: none",
    }
    assert "once" not in {row["lm"] for row in found.values()}


def test_references_that_fail_or_slow_down_are_found(found: dict[Any, Any]) -> None:
    rows = [row for row in found.values() if row["subject_kind"] == "references"]
    toy = {(row["metric"], row["run_id"]): row for row in rows if row["dataset"] == "toy"}
    new = [key for key, row in toy.items() if row["is_new"] and key[0] == "failing_references"]
    assert sorted(new) == [("failing_references", "x05"), ("failing_references", "x09")]
    assert toy["failing_references", "x06"]["state"] == "watch"
    slow = [row for row in toy.values() if row["metric"] == "log_cpu" and row["is_new"]]
    assert [row["run_id"] for row in slow] == ["x11"]
    assert math.isclose(slow[0]["difference"], math.log(1.5), abs_tol=0.05)


def test_every_reason_and_state_is_met(found: dict[Any, Any]) -> None:
    assert {row["null_reason"] for row in found.values()} >= {
        *(None, "no_reference", "problems_lt_min"),
    }
    assert {row["state"] for row in found.values()} == {None, "alarm", "watch", "quiet"}


def test_golden(con: Any) -> None:
    some = "where lm in ('falls', 'moves', 'small') or dataset = 'other'"
    check_golden("alerts_v1", rows_of(con, f"select * from alerts_v1 {some} order by all"))
