"""Random worlds with the papers' names: ours beside Tables 1 to 4 of mutations and of diversity."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.goldens import check_golden
from tests.support.oracles.published import reproduction as oracle
from tests.support.published import seed
from tests.support.sql import rows_in, same
from tests.support.steps import build, export_paper
from tests.support.worlds.papers.named import diversity_world, mutation_world
from tests.support.worlds.world import World

pytestmark = pytest.mark.long(seconds=120)

RESULTS = seed("published_results")
DIVERSITY = [row for row in RESULTS if row["paper"] == "diversity"]
MUTATIONS = [row for row in RESULTS if row["paper"] == "mutations"]
NAMES = {paper: oracle.names(seed("published_lm"), paper) for paper in ("diversity", "mutations")}
MADE = ("similarity", "agreement", "operator", "pair", "effect", "strategy")
Row = dict[str, Any]


def built(world: World, home: Path) -> Iterator[Path]:
    path = world.write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        build(path)
        yield path


@pytest.fixture(scope="module")
def diversity(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield from built(diversity_world(7), tmp_path_factory.mktemp("diversity"))


@pytest.fixture(scope="module")
def mutations(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield from built(mutation_world(7), tmp_path_factory.mktemp("mutations"))


def rows_of(path: Path, view: str) -> list[Row]:
    return rows_in(path, f"select * from {view} order by all")


def holds(rows: list[Row], results: list[dict[str, str]]) -> None:
    """What is printed is the seed's, and the difference and the verdict are those of the row."""
    printed = {row["result_id"]: row for row in results}
    assert rows
    for row in rows:
        cell = printed[row["result_id"]]
        factor = 100 if cell["unit"] == "percent" else 1
        assert row["printed"] == cell["printed"]
        assert row["published"] == pytest.approx(float(cell["value"]) / factor)
        half = 0.5 * 10 ** -int(cell["decimals"]) + 1e-9
        assert row["tolerance"] == pytest.approx(half / factor, rel=1e-9)
        if row["ours"] is None:
            assert row["difference"] is row["agrees"] is None
        else:
            assert row["difference"] == pytest.approx(row["ours"] - row["published"])
            assert row["agrees"] is (abs(row["ours"] - row["published"]) <= row["tolerance"])


def test_similarities_of_table_2(diversity: Path) -> None:
    found = rows_of(diversity, "similarity_reproduction_v1")
    holds(found, DIVERSITY)
    ours = {
        (row["result_id"], row["lm_id"], row["setting_id"], row["scorer_id"]): row["ours"]
        for row in found
    }
    expected = oracle.similarities(
        rows_of(diversity, "strategies_v1"), DIVERSITY, NAMES["diversity"]
    )
    assert ours == expected
    assert len(ours) == len(found)
    assert {row["measure"] for row in found} == {"scc", "embedding", "llm_judge"}
    assert {row["difficulty"] for row in found} >= {"all", "introductory", "interview"}
    assert {row["temperature"] for row in found} == {0.2, 0.8}
    assert not any(row["lm"].startswith("somebody") for row in found)
    check_golden("similarity_reproduction_v1", found)


def test_correlations_of_table_4(diversity: Path) -> None:
    found = rows_of(diversity, "agreement_reproduction_v1")
    holds(found, DIVERSITY)
    ours = {
        (
            *(row["result_id"], row["lm_id"], row["release_id"], row["setting_id"]),
            *(row["scorer_id"], row["other_scorer_id"]),
        ): (row["ours"], row["n_used"])
        for row in found
    }
    expected = oracle.agreements(
        rows_of(diversity, "measure_agreement_v1"), DIVERSITY, NAMES["diversity"]
    )
    assert ours == expected
    assert len(ours) == len(found)
    assert {row["result_id"] for row in found} == {
        row["result_id"] for row in DIVERSITY if row["table_no"] == "4" and row["value"]
    }
    assert any(row["ours"] is not None for row in found)
    check_golden("agreement_reproduction_v1", found)


def test_table_3_has_pass_at_1_once_and_sim_at_10_by_judge(diversity: Path) -> None:
    """A number without a judge has a key too: the build of these rows failed before."""
    found = rows_of(diversity, "strategy_reproduction_v1")
    holds(found, DIVERSITY)
    assert {row["statistic"]: (row["scorer_id"] == "") for row in found} == {
        "pass_at_1": True,
        "sim_at_10": False,
    }


def test_drops_of_table_3(mutations: Path) -> None:
    found = rows_of(mutations, "operator_reproduction_v1")
    holds(found, MUTATIONS)
    ours = {(row["result_id"], row["lm_id"], row["setting_id"]): row["ours"] for row in found}
    expected = oracle.operators(
        rows_of(mutations, "operator_effect_v1"), MUTATIONS, NAMES["mutations"]
    )
    assert ours.keys() == expected.keys()
    assert all(same(ours[key], expected[key]) for key in ours)
    assert {row["statistic"] for row in found} == {"accuracy_drop"}
    assert {row["operator"] for row in found} == {"==", "!=", "<", ">="}
    check_golden("operator_reproduction_v1", found)


def test_counts_of_table_1(mutations: Path) -> None:
    found = rows_of(mutations, "pair_reproduction_v1")
    holds(found, MUTATIONS)
    newest = {
        row["dataset"]: row["release_id"]
        for row in rows_in(mutations, "select * from raw.dataset_release order by release_id")
    }
    assert newest["humaneval"] == "toy0b"
    expected = oracle.pairs(rows_of(mutations, "mutation_yield_v1"), newest, MUTATIONS)
    assert {row["result_id"]: row["ours"] for row in found} == expected
    assert len(found) == 3 * 3
    check_golden("pair_reproduction_v1", found)


def test_version_2_and_the_export_have_every_row(
    diversity: Path, mutations: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for paper, path, tables in (
        ("diversity", diversity, {"2", "3", "4"}),
        ("mutations", mutations, {"1", "2", "3"}),
    ):
        parts = [
            row
            for name in MADE
            for row in rows_of(path, f"{name}_reproduction_v1")
            if row["paper"] == paper
        ]
        both = rows_of(path, "reproduction_v2")
        assert len(both) == len(parts)
        assert len({row["reproduction_id"] for row in both}) == len(both)
        assert {row["table_no"] for row in both} == tables
        monkeypatch.setenv("ASSAY_HOME", str(path.parent))
        export_paper(paper, beside=True, out=tmp_path, warehouse=True)
        with (tmp_path / f"{paper}_beside_v1.csv").open(encoding="utf-8", newline="") as file:
            written = list(csv.DictReader(file))
        assert {row["reproduction_id"] for row in written} == {r["reproduction_id"] for r in both}
        printed = {row["result_id"]: row for row in RESULTS}
        for row in written:
            cell = printed[row["result_id"]]
            assert float(row["published"]) == pytest.approx(float(cell["value"]))
