"""Round-trip correctness by project: a random world beside an oracle, and a golden file."""

from collections import Counter, defaultdict
from typing import Any

import pytest

from tests.support.goldens import check_golden
from tests.support.oracles import execution as oracles
from tests.support.oracles import round_trips as trip_oracles
from tests.support.oracles.statistics.intervals import of_mean, of_ratio
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.round_trips import regions_of_projects
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=60)

MEASURES = ("rtc", "baseline", "lift")
KINDS = {"rtc": "share", "baseline": "share", "lift": "difference"}
REASON_COLUMNS = {"rtc": "interval_null_reason", "lift": "lift_interval_null_reason"}
REASONS = ("errata", "reference_fails", *trip_oracles.REASONS)
Values = dict[str, list[float | None]]


Built = dict[int, tuple[Any, list[dict[str, Any]]]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    world = regions_of_projects(20240813)
    path = world.write(tmp_path_factory.mktemp("projects") / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path, select="+rtc_by_project +rtc_project_correlation")
    with reading(path) as con:
        return {
            version: (world, rows_of(con, f"select * from rtc_by_project_v{version} order by all"))
            for version in (1, 2)
        }


def values_of(
    world: Any, similarity: str, version: int
) -> dict[tuple[str, ...], dict[str, tuple[Values, Counter[str]]]]:
    """Return by settings and project the values of each measure, and why regions have none."""
    places = {row["problem_id"]: row["position"] for row in world.raw["problem"]}
    sizes: dict[str, int] = defaultdict(int)
    for row in world.raw["problem"]:
        sizes[row["dataset"]] += 1
    found: dict[tuple[str, ...], dict[str, tuple[Values, Counter[str]]]] = defaultdict(dict)
    for (*who, dataset), trips in trip_oracles.trips(world.raw, version, similarity).items():
        values: Values = {name: [None] * sizes[dataset] for name in MEASURES}
        reasons: Counter[str] = Counter()
        for problem, trip in trips.items():
            measured, reason = trip_oracles.measures(world.raw, problem, trip, version, similarity)
            for name in MEASURES:
                values[name][places[problem]] = measured[name]
            reasons.update([reason] if reason else [])
        found[tuple(who)][f"the {dataset}"] = values, reasons
    return found


def reasons_in(row: dict[str, Any]) -> dict[str, int]:
    """Return why regions have no value, as a row of the view has it."""
    found = {reason: row[f"n_null_{reason}"] for reason in REASONS}
    return {reason: n for reason, n in found.items() if n}


def known(values: list[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def over_projects(projects: list[list[float]], mean_over: str) -> float | None:
    """Return the mean of all regions, or of the means of projects."""
    if mean_over == "regions":
        return trip_oracles.mean([value for each in projects for value in each])
    return trip_oracles.mean([sum(each) / len(each) for each in projects if each])


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("similarity", ["pass", "exact_match", "bleu", "codebleu", "chrf"])
def test_the_view_agrees_with_the_oracle(built: Built, similarity: str, version: int) -> None:
    world, rows = built[version]
    if (similarity, version) == ("chrf", 1):
        assert {row["similarity"] for row in rows} == {"pass", "exact_match", "bleu", "codebleu"}
        return
    keys = ("lm_id", "setting_id", "forward_lm_id", "forward_setting_id", "project", "mean_over")
    ours = {tuple(r[k] for k in keys): r for r in rows if r["similarity"] == similarity}
    expected = values_of(world, similarity, version)
    n_rows = n_bounded = 0
    assert any(len(projects) == 2 for projects in expected.values())
    for who, projects in expected.items():
        for project, (values, reasons) in projects.items():
            row = ours[*who, project, "regions"]
            n_rows += 1
            assert reasons_in(row) == reasons
            assert (row["license"], row["n_projects"]) == ("MIT", 1)
            for name in MEASURES:
                (low, high), why = of_mean(values[name], KINDS[name])
                assert same(row[name], oracles.mean(values[name])), (who, project, name)
                assert same(row[f"{name}_lo"], low)
                assert same(row[f"{name}_hi"], high)
                assert name == "baseline" or row[REASON_COLUMNS[name]] == why
                n_bounded += low is not None
        in_order = [projects[project][0] for project in sorted(projects)]
        told = sum((reasons for _, reasons in projects.values()), Counter())
        for mean_over in ("regions", "projects"):
            row = ours[*who, "(all)", mean_over]
            n_rows += 1
            assert row["n_projects"] == len(projects)
            assert reasons_in(row) == told
            assert row["n_used"] == sum(len(known(each["rtc"])) for each in in_order)
            assert row["n_lift"] == sum(len(known(each["lift"])) for each in in_order)
            for name in MEASURES:
                by_project = [known(each[name]) for each in in_order]
                assert same(row[name], over_projects(by_project, mean_over)), (who, name)
                (low, high), why = of_ratio(parts_of(by_project, mean_over), KINDS[name])
                assert same(row[f"{name}_lo"], low), (who, name)
                assert same(row[f"{name}_hi"], high), (who, name)
                assert name == "baseline" or row[REASON_COLUMNS[name]] == why
    assert len(ours) == n_rows
    assert similarity == "pass" or n_bounded > 2


def parts_of(projects: list[list[float]], mean_over: str) -> list[tuple[float, float]]:
    """Return the sum and the number of each project's regions, or its mean and 1."""
    sums = [(sum(each), float(len(each))) for each in projects if each]
    return sums if mean_over == "regions" else [(top / n, 1.0) for top, n in sums]


@pytest.mark.parametrize("version", [1, 2])
def test_golden(built: Built, version: int) -> None:
    check_golden(f"rtc_by_project_v{version}", built[version][1][:80])


def test_the_versions_differ(built: Built) -> None:
    keys = ("lm_id", "setting_id", "forward_lm_id", "forward_setting_id", "project", "mean_over")
    ours = [
        {tuple(r[k] for k in keys): r["rtc"] for r in built[v][1] if r["similarity"] == "pass"}
        for v in (1, 2)
    ]
    assert ours[0].keys() == ours[1].keys()
    assert sum(value != ours[1][key] for key, value in ours[0].items()) > len(ours[0]) / 4
