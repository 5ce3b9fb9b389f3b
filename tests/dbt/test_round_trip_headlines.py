"""Which round trips are shown of a language model, and what is beside them, from views by hand.

The views below are made of random rows; the ones above them are compared with plain Python.
"""

import random
from collections import defaultdict
from typing import Any

import pytest

from models.tables import TABLES
from tests.support.goldens import check_golden
from tests.support.oracles.statistics.correlations import correlate
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.world import World
from warehouse.frames import name_of
from warehouse.store.connection import reading, writing

pytestmark = pytest.mark.long(seconds=30)

Row = dict[str, Any]
LMS = ("a", "b", "c", "p", "q")
SIMULATED = ("p", "q")
TEMPERATURES = {"s0": 0.0, "s1": 0.1, "s2": 0.2, "s8": 0.8, "s10": 1.0, "none": None}
PAPER = {
    "synthesis_v1": (0.8, 0.1),
    "synthesis_v2": (0.8, 0.2),
    "editing_v1": (1.0, 0.0),
    "editing_v2": (1.0, 0.0),
    "projects_v1": (0.8, 0.1),
    "nl_to_edit_v1": (None, 0.0),
    "edit_to_nl_v1": (None, 0.0),
}
SOURCES = {
    "synthesis_v1": "rtc_synthesis_v1",
    "synthesis_v2": "rtc_synthesis_v2",
    "editing_v1": "rtc_editing_v1",
    "editing_v2": "rtc_editing_v2",
    "projects_v1": "rtc_by_project_v1",
}
VIEWS = (
    *("headline_round_trip_v1", "rtc_beside_pass_at_1_v1", "rtc_beside_pass_at_1_v2"),
    "rtc_project_correlation_v1",
)


def named(rng: random.Random, lm: str, forward: str) -> Row:
    backward, there = rng.sample(sorted(TEMPERATURES), 2)
    return {
        "lm_id": lm, "lm": lm.upper(), "revision": "", "simulated": lm in SIMULATED,
        "setting_id": backward, "setting": backward, "forward_lm_id": forward,
        "forward_setting_id": there, "forward_setting": there,
    }  # fmt: skip


def measured(rng: random.Random) -> Row:
    n_used = rng.choice([0, 1, 8, 8, 8])
    rtc = rng.choice([0.0, 0.25, 0.5, 1.0]) if n_used else None
    numbers = {"rtc": rtc, "rtc_lo": rtc, "rtc_hi": rtc, "baseline": 0.125}
    lift = None if rtc is None else rtc - 0.125
    return numbers | {
        "lift": lift, "lift_lo": lift, "lift_hi": lift, "n_used": n_used, "n_lift": n_used,
    }  # fmt: skip


def once(rows: list[Row], *names: str) -> list[Row]:
    """Return the first of the rows with the same values of some columns."""
    found: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), row)
    return list(found.values())


PAIR = ("lm_id", "forward_lm_id", "setting_id", "forward_setting_id", "similarity", "dataset")


def draw(seed: int) -> dict[str, list[Row]]:
    """Return rows of the views below."""
    rng = random.Random(seed)
    return draw_round_trips(rng) | draw_projects(rng) | draw_rates(rng)


def draw_round_trips(rng: random.Random) -> dict[str, list[Row]]:
    """Return rows of round trips over functions and edits, under several settings each."""
    views: dict[str, list[Row]] = {}
    for name in ("rtc_synthesis_v1", "rtc_synthesis_v2", "rtc_editing_v1", "rtc_editing_v2"):
        is_edit = "editing" in name
        datasets = ("edits",) if is_edit else ("toy", "other", "one-regions")
        views[name] = once(
            [
                {
                    **named(rng, lm, rng.choice([lm, lm, lm, "a"])), **measured(rng),
                    "similarity": rng.choice(["exact_match"] if is_edit else ["pass", "bleu"]),
                    "dataset": dataset, "dataset_version": "1", "release_id": f"{dataset}1",
                }
                for lm in LMS for dataset in datasets for _ in range(6)
            ],
            *PAIR,
        )  # fmt: skip
    return views


def draw_projects(rng: random.Random) -> dict[str, list[Row]]:
    """Return rows by project, some missing, and over all."""
    projects: list[Row] = []
    for lm in LMS:
        for _ in range(5):
            who = named(rng, lm, rng.choice([lm, lm, "a"]))
            for project in ("(all)", "(all) by project", "one", "two", "three", "four", "five"):
                if project[:5] == "(all)" or rng.random() < 0.9:
                    row = {**who, **measured(rng), "similarity": "pass", "license": "MIT"}
                    row["mean_over"] = "projects" if project.endswith("project") else "regions"
                    row["project"] = project.removesuffix(" by project")
                    row["dataset"] = None if project[:5] == "(all)" else f"{project}-regions"
                    row["dataset_version"] = "1"
                    projects.append(row)
    return {"rtc_by_project_v1": once(projects, *PAIR[:-2], "project", "mean_over")}


def draw_rates(rng: random.Random) -> dict[str, list[Row]]:
    """Return what is beside round trips: edits from words, pass@1, and its headlines."""
    views: dict[str, list[Row]] = {}
    views["edit_companions_v1"] = once(
        [
            {
                **named(rng, lm, lm), "companion": companion, "similarity": similarity,
                "dataset": "edits", "n_used": rng.choice([0, 1, 8, 8]), "value": 0.5,
            }
            for lm in LMS
            for companion, similarity in (
                ("nl_to_edit", "exact_match"), ("nl_to_edit", "exact_match_spaced"),
                ("edit_to_nl", "bleu"),
            )
            for _ in range(3)
        ],
        "lm_id", "companion", "similarity", "setting_id",
    )  # fmt: skip
    views["pass_at_k_v1"] = once(
        [
            {
                **named(rng, lm, lm), "dataset": dataset, "k": k, "pass_at_k": rng.random(),
                "pass_at_k_lo": 0.0, "pass_at_k_hi": 1.0, "n_used": 8,
            }
            for lm in LMS[:4] for dataset in ("toy", "other") for k in (1, 10) for _ in range(2)
        ],
        "lm_id", "dataset", "k", "setting_id",
    )  # fmt: skip
    views["headline_setting_v1"] = [
        {
            "family": family, "lm_id": lm, "dataset": dataset, "setting_id": setting, "rank": rank,
        }
        for family in ("leaderboard", "calibration")
        for lm in LMS for dataset in ("toy", "other")
        for rank, setting in enumerate(rng.sample(sorted(TEMPERATURES), len(TEMPERATURES)), 1)
    ]  # fmt: skip
    return views


STAGING = [f"stg_{name_of(table)}" for table in TABLES]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    import pyarrow as pa

    views = draw(20240213)
    world = World()
    world.run("r0", 0)
    for name, temperature in TEMPERATURES.items():
        world.setting(name, task="resynthesis")
        world.raw["setting"][-1]["temperature"] = temperature
    path = world.write(tmp_path_factory.mktemp("headlines") / "warehouse.duckdb")
    with writing(path) as con:
        for name, rows in views.items():
            con.register("drawn", pa.Table.from_pylist(random.Random(1).sample(rows, len(rows))))
            con.execute(f"create table {name} as select * from drawn")
            con.unregister("drawn")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        plain = sorted({name.rpartition("_")[0] for name in VIEWS})
        build(path, select=" ".join([*STAGING, *plain]))
    with reading(path) as con:
        return views, {name: rows_of(con, f"select * from {name} order by all") for name in VIEWS}


def candidates(views: dict[str, list[Row]]) -> dict[tuple[str, str, str], list[Row]]:
    """Return what could be shown of each family, language model and dataset."""
    found: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    regions = {row["dataset"] for row in views["rtc_by_project_v1"]}
    for family, name in SOURCES.items():
        similarity = "exact_match" if "editing" in family else "pass"
        for row in views[name]:
            if not row["n_used"] or row["similarity"] != similarity:
                continue
            if row["forward_lm_id"] != row["lm_id"]:
                continue
            dataset = row["dataset"]
            if family == "projects_v1":
                if (row["project"], row["mean_over"]) != ("(all)", "regions"):
                    continue
                dataset = "(all)"
            elif dataset in regions:
                continue
            found[family, row["lm_id"], dataset].append(row)
    for row in views["edit_companions_v1"]:
        if row["n_used"] and row["similarity"] != "exact_match_spaced":
            key = (f"{row['companion']}_v1", row["lm_id"], row["dataset"])
            found[key].append(row | {"forward_setting_id": None})
    return found


def in_order(family: str, rows: list[Row]) -> list[tuple[Row, bool]]:
    """Return the rows, the one to be shown first, each with whether it is as in the paper."""
    there, back = PAPER[family]

    def is_papers(row: Row) -> bool:
        forward = row["forward_setting_id"]
        return TEMPERATURES[row["setting_id"]] == back and (
            forward is None or TEMPERATURES[forward] == there
        )

    placed = sorted(
        rows,
        key=lambda row: (
            -row["n_used"], not is_papers(row), row["setting_id"], row["forward_setting_id"] or "",
        ),
    )  # fmt: skip
    return [(row, is_papers(row)) for row in placed]


def test_the_headlines_agree_with_the_oracle(built: Any) -> None:
    views, found = built
    ours = defaultdict(list)
    for row in sorted(found["headline_round_trip_v1"], key=lambda row: row["rank"]):
        ours[row["family"], row["lm_id"], row["dataset"]].append(row)
    expected = candidates(views)
    assert ours.keys() == expected.keys()
    assert {family for family, *_ in ours} == PAPER.keys()
    decided = 0
    for key, rows in expected.items():
        placed = in_order(key[0], rows)
        names = ("setting_id", "forward_setting_id", "n_used")
        assert [tuple(row[name] for name in names) for row in ours[key]] == [
            tuple(row[name] for name in names) for row, _ in placed
        ], key
        assert [row["is_as_in_the_paper"] for row in ours[key]] == [papers for _, papers in placed]
        assert [row["rank"] for row in ours[key]] == list(range(1, len(rows) + 1))
        assert {row["n_settings"] for row in ours[key]} == {len(rows)}
        decided += len(placed) > 1 and placed[0][1] and not placed[1][1]
    assert decided > 1, "temperatures decide somewhere"


@pytest.mark.parametrize("version", [1, 2])
def test_pass_at_1_beside_round_trips(built: Any, version: int) -> None:
    views, found = built
    ours = {(r["lm_id"], r["dataset"]): r for r in found[f"rtc_beside_pass_at_1_v{version}"]}
    family = f"synthesis_v{version}"
    expected = {
        (lm, dataset): in_order(family, rows)[0][0]
        for (which, lm, dataset), rows in candidates(views).items()
        if which == family
    }
    assert ours.keys() == expected.keys()
    shown = {
        (row["lm_id"], row["dataset"]): row["setting_id"]
        for row in views["headline_setting_v1"]
        if row["family"] == "leaderboard" and row["rank"] == 1
    }
    rates = {
        (row["lm_id"], row["dataset"], row["setting_id"]): row["pass_at_k"]
        for row in views["pass_at_k_v1"]
        if row["k"] == 1
    }
    for key, row in expected.items():
        for name in ("rtc", "rtc_lo", "baseline", "lift", "lift_hi", "n_used"):
            assert same(ours[key][name], row[name]), (key, name)
        assert same(ours[key]["pass_at_1"], rates.get((*key, shown[key]))), key
    known = [row["pass_at_1"] is not None for row in ours.values()]
    assert any(known)
    assert not all(known)


def test_language_models_over_projects(built: Any) -> None:
    views, found = built
    placed = {
        lm: in_order(family, rows)[0][0]
        for (family, lm, _), rows in candidates(views).items()
        if family == "projects_v1"
    }
    settings = ("setting_id", "forward_setting_id", "forward_lm_id")
    values = {
        lm: {
            row["project"]: row["rtc"]
            for row in views["rtc_by_project_v1"]
            if row["lm_id"] == lm and row["project"] != "(all)"
            and all(row[name] == shown[name] for name in settings)
        }
        for lm, shown in placed.items()
    }  # fmt: skip
    ours = {(r["lm_id"], r["other_lm_id"]): r for r in found["rtc_project_correlation_v1"]}
    expected = {
        (one, other)
        for one in values for other in values
        if one < other and (one in SIMULATED) == (other in SIMULATED)
        and values[one].keys() & values[other].keys()
    }  # fmt: skip
    assert ours.keys() == expected
    for (one, other), row in ours.items():
        shared = sorted(values[one].keys() & values[other].keys())
        pairs = [(values[one][p], values[other][p]) for p in shared]
        pairs = [(x, y) for x, y in pairs if x is not None and y is not None]
        theirs = correlate([x for x, _ in pairs], [y for _, y in pairs])
        assert row["n_projects"] == len(pairs)
        assert row["simulated"] == (one in SIMULATED)
        for name in ("pearson", "pearson_lo", "pearson_hi", "spearman"):
            assert same(row[name], getattr(theirs, name)), (one, other, name)
    assert {row["pearson"] is None for row in ours.values()} == {True, False}


@pytest.mark.parametrize("view", VIEWS)
def test_golden(built: Any, view: str) -> None:
    check_golden(view, built[1][view])
