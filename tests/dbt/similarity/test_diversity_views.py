"""Diversity by difficulty, by temperature, tuned beside base, and distinct solutions, by hand.

The values of single problems come from the warehouse: they are what `sim_at_k` is made of, which
has a separate oracle. What is said of them here is computed again in plain Python.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import duckdb
import pytest

from tests.support.goldens import check_golden
from tests.support.oracles import execution as oracles
from tests.support.oracles.similarity import baselines
from tests.support.oracles.statistics.intervals import of_mean
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.world import World, random_world
from warehouse.store.connection import reading

VIEWS_READ = (
    "+distinct_solutions +diversity_by_difficulty +diversity_by_temperature "
    "+instruct_vs_base +pass_at_k +sim_at_k"
)

pytestmark = pytest.mark.long(seconds=30)

VIEWS = ("diversity_by_difficulty", "diversity_by_temperature", "instruct_vs_base")
MEASURES = ("pass_at_1", "sim", "csim", "dpass")
FAMILIES = {
    "lm0": ("Some/Coder-7b-hf", "some/coder-7b", False),
    "lm1": ("Some/Coder-7b-Instruct-hf", "some/coder-7b", True),
    "lm2": ("some/coder-7b-instruct-v0.2", "some/coder-7b", True),
    "lm3": ("Chatty 7B", "chatty-7b", False),
    "lm4": ("Chatty 7B it", "chatty-7b", True),
}
Values = dict[tuple[Any, ...], dict[int, dict[str, Any]]]
"""By version, entry, scope and similarity, then by problem."""


def told_apart() -> World:
    """Return a random world of two difficulties and many right answers, with names of families."""
    world = random_world(11, n_lms=5, sizes=(34, 3))
    for row in world.raw["problem"]:
        row["difficulty"] = ("easy", "hard", None)[row["position"] % 3]
    for row in world.raw["language_model"]:
        row["simulated"] = False
        row["lm"] = FAMILIES.get(row["lm_id"], (row["lm"],))[0]
    for row in world.raw["outcome"]:
        if row["verdict"] in ("failed", "error"):
            row |= {"verdict": "passed", "n_passed": row["n_tests"]}
    return world


@pytest.fixture(scope="module")
def world() -> World:
    return told_apart()


@pytest.fixture(scope="module")
def con(
    world: World, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[duckdb.DuckDBPyConnection]:
    home = tmp_path_factory.mktemp("diversity_views")
    world.write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        build(select=VIEWS_READ)
        with reading() as con:
            yield con


@pytest.fixture(scope="module")
def entries(con: duckdb.DuckDBPyConnection) -> dict[int, dict[str, Any]]:
    found = rows_of(con, "select * from intermediate.int_entry_numbered")
    return {row["entry_no"]: row for row in found}


@pytest.fixture(scope="module")
def values(con: duckdb.DuckDBPyConnection) -> Values:
    rows = rows_of(
        con,
        "select * from intermediate.int_problem_similarity inner join "
        "intermediate.int_similarity_numbered using (similarity_no)",
    )
    found: Values = defaultdict(dict)
    for row in rows:
        key = (row["version"], row["entry_no"], row["scope"], row["similarity"], row["scorer_id"])
        found[key][row["problem_index"]] = row
    return found


@pytest.mark.parametrize("view", [*(f"{name}_v{v}" for name in VIEWS for v in (1, 2))])
def test_golden(con: duckdb.DuckDBPyConnection, view: str) -> None:
    some = "scope = 'first_k' and similarity in ('scc_clone_80', 'clone_80', 'tfidf_v1')"
    check_golden(view, rows_of(con, f"select * from {view} where {some} order by all"))


@pytest.mark.parametrize("version", [1, 2])
def test_difficulties_are_means_over_their_problems(
    con: Any, world: World, entries: Any, values: Values, version: int
) -> None:
    rows = rows_of(con, f"select * from diversity_by_difficulty_v{version}")
    numbers = {(e["lm_id"], e["setting_id"], e["release_id"]): no for no, e in entries.items()}
    seen = set()
    for row in rows:
        number = numbers[row["lm_id"], row["setting_id"], row["release_id"]]
        key = (version, number, row["scope"], row["similarity"], row["scorer_id"])
        wanted = {"easy": 0, "hard": 1}[row["difficulty"]]
        here = {at: one for at, one in values[key].items() if (at - 1) % 3 == wanted}
        assert row["n_total"] == len(here) > 0
        for name in (*MEASURES, "pass_at_k", *(["dpair"] if version == 2 else [])):
            mine = {at: one[name] for at, one in here.items()}
            assert same(row[name], oracles.mean(list(mine.values()))), name
            (low, high), why = of_mean(list(mine.values()), "share")
            reason = "interval_null_reason" if name == "sim" else f"{name}_interval_null_reason"
            assert row.get(reason, why) == why
            assert same(row[f"{name}_lo"], low), name
            assert same(row[f"{name}_hi"], high), name
        seen.add((key, wanted))
    places = {key: {(at - 1) % 3 for at in here} - {2} for key, here in values.items()}
    assert seen == {(key, place) for key in places if key[0] == version for place in places[key]}


def check_compared(row: dict[str, Any], mine: Any, others: Any) -> None:
    """Check a row that compares two entries, from the values of their problems."""
    for name in MEASURES:
        both = {
            at: (mine[at][name], others[at][name])
            for at in mine.keys() & others.keys()
            if mine[at][name] is not None and others[at][name] is not None
        }
        assert row[f"n_{name}"] == len(both), name
        assert same(row[name], oracles.mean([a for a, _ in both.values()])), name
        assert same(row[f"other_{name}"], oracles.mean([b for _, b in both.values()])), name
        differences: dict[int, float | None] = {at: a - b for at, (a, b) in both.items()}
        found = oracles.mean(list(differences.values()))
        assert same(row[f"{name}_difference"], found), name
        (low, high), why = of_mean(list(differences.values()), "difference")
        assert row[f"{name}_difference_interval_null_reason"] == why
        assert same(row[f"{name}_difference_lo"], low), name
        assert same(row[f"{name}_difference_hi"], high), name


def check_pairs(rows: Any, pairs: Any, version: int, entries: Any, values: Values) -> int:
    """Check the rows of every pair of entries; return their number."""
    numbers = {(e["lm_id"], e["setting_id"], e["release_id"]): no for no, e in entries.items()}
    found = set()
    for row in rows:
        other_lm = row.get("other_lm_id", row["lm_id"])
        one = numbers[row["lm_id"], row["setting_id"], row["release_id"]]
        other = numbers[other_lm, row["other_setting_id"], row["release_id"]]
        about = (row["scope"], row["similarity"], row["scorer_id"])
        check_compared(row, values[version, one, *about], values[version, other, *about])
        found.add((one, other, *about))
    assert found == {
        (one, other, *about)
        for one, other in pairs
        for about in (key[2:] for key in values if key[:2] == (version, one))
        if (version, other, *about) in values
    }
    return len(found)


@pytest.mark.parametrize("version", [1, 2])
def test_temperatures_are_compared_on_common_problems(
    con: Any, entries: Any, values: Values, version: int
) -> None:
    rows = rows_of(con, f"select * from diversity_by_temperature_v{version}")
    assert {(row["temperature"], row["other_temperature"]) for row in rows} == {(0.8, 0.2)}
    pairs = {
        (one, other)
        for one, a in entries.items()
        for other, b in entries.items()
        if (a["lm_id"], a["release_id"]) == (b["lm_id"], b["release_id"])
        and (a["setting_id"], b["setting_id"]) == ("s1", "s2")
    }
    assert check_pairs(rows, pairs, version, entries, values) > 5


@pytest.mark.parametrize("version", [1, 2])
def test_tuned_models_are_beside_their_base_models(
    con: Any, entries: Any, values: Values, version: int
) -> None:
    rows = rows_of(con, f"select * from instruct_vs_base_v{version}")
    temperature = {"s1": 0.8, "s2": 0.2, "s4": 0.8}
    pairs = {
        (one, other)
        for one, a in entries.items()
        for other, b in entries.items()
        if a["lm_id"] in FAMILIES and b["lm_id"] in FAMILIES
        if FAMILIES[a["lm_id"]][1:] == (FAMILIES[b["lm_id"]][1], True)
        if not FAMILIES[b["lm_id"]][2]
        if a["release_id"] == b["release_id"]
        if temperature.get(a["setting_id"], -1) == temperature.get(b["setting_id"], -2)
    }
    assert check_pairs(rows, pairs, version, entries, values) > 5


def n_parts(programs: set[str], alike: set[tuple[str, str]]) -> int:
    """Count the connected parts of a graph, by joining sets."""
    part = {program: {program} for program in programs}
    for a, b in alike:
        joined = part[a] | part[b]
        for program in joined:
            part[program] = joined
    return len({id(each) for each in part.values()})


def score(pairs: oracles.SharedTokens, row: dict[str, Any], a: str, b: str) -> Any:
    """Return the similarity that a row speaks of; None where nothing measured it."""
    if row["scorer_id"]:
        return pairs.scored(row["scorer_id"], -1.0, a, b)
    is_unscored = row["similarity"] not in oracles.ANNOUNCED
    return pairs.unscored(row["similarity"], a, b) if is_unscored else None


def test_distinct_solutions_are_connected_parts(con: Any, world: World, entries: Any) -> None:
    rows = rows_of(con, "select * from distinct_solutions_v1")
    pairs = oracles.SharedTokens(world.raw)
    cells_of = oracles.samples(world.raw)
    places = {row["problem_id"]: row["position"] for row in world.raw["problem"]}
    sizes, chained, n_bounded = set(), False, 0
    for row in rows:
        key = (row["lm_id"], row["dataset"], row["setting_id"])
        parts: dict[int, tuple[int, int]] = {}
        nothing_scored = not row["scorer_id"] and row["similarity"] in oracles.ANNOUNCED
        for problem, samples in () if nothing_scored else cells_of[key].items():
            scored = [one for one in samples if one["verdict"]]
            if row["scope"] == "first_k":
                scored = scored[: oracles.SIM_K] if len(scored) >= oracles.SIM_K else []
            if oracles.set_aside(world.raw, problem) or not scored:
                continue
            right = [one["candidate"] for one in scored if one["verdict"] == "passed"]
            scores = {
                (a, b): score(pairs, row, a, b) for a, b in combinations(sorted(set(right)), 2)
            }
            if {None, oracles.NO_SCORE, oracles.NO_MEAN} & set(scores.values()):
                continue
            alike = {pair for pair, value in scores.items() if value >= row["threshold"]}
            parts[places[problem]] = (n_parts(set(right), alike), len(right))
            sizes.add(parts[places[problem]][0])
            chained |= parts[places[problem]][0] == 1 and len(alike) < len(scores)
        shares = {
            "n_solutions": {at: (n, 1) for at, (n, _) in parts.items()},
            "solutions_when_right": {at: (n, 1) for at, (n, _) in parts.items() if n},
            "solutions_per_right": parts,
        }
        for name, of_problems in shares.items():
            kind = "share" if name == "solutions_per_right" else "skewed"
            found = baselines.ratio(of_problems, kind)
            n_bounded += found.low is not None
            assert same(row[name], found.value), name
            assert same(row[f"{name}_lo"], found.low), name
            assert same(row[f"{name}_hi"], found.high), name
        assert (row["n_used"], row["n_right"]) == (
            len(parts),
            sum(right > 0 for _, right in parts.values()),
        )
    assert len(rows) > 20
    assert n_bounded > 10
    assert {0, 1, 2, 3} <= sizes
    assert chained, "two programs that are unlike are one solution through a third"
