"""``assay why``: a NULL is explained, a snapshot says the same, what does not fit is refused."""

import json

import pytest

from tests.support.builds.explained import VIEWS, WorldHomes, some_rows, told, why
from tests.support.commands import assay, refused
from tests.support.sql import rows
from tests.support.steps import publish
from tests.support.worlds.views import mark_built
from tests.support.worlds.world import World
from warehouse.reports.query import query
from warehouse.reports.specs import WhySpec
from warehouse.reports.why.explain import _rows_of, explain
from warehouse.reports.why.links import LINKS
from warehouse.reports.why.printed import _source
from warehouse.snapshot.query import opened

pytestmark = pytest.mark.long(seconds=60)


@pytest.mark.parametrize("world", ["samples"], indirect=True)
def test_a_number_that_is_null_is_explained(world: World) -> None:
    rows_without = some_rows("pass_at_k_v1", 3, "pass_at_k is null")
    assert rows_without
    for row in rows_without:
        (value,) = why("pass_at_k_v1", row, column="pass_at_k").values
        assert value.null_reason
        assert value.null_reason.startswith("n_null_")
    for row in some_rows("pass_at_k_v1", 3, "pass_at_k is not null and pass_at_k_lo is null"):
        (value,) = why("pass_at_k_v1", row, column="pass_at_k_lo").values
        assert value.null_reason
        assert value.null_reason.startswith(
            f"interval_null_reason is {row['interval_null_reason']}"
        )
    for view in ("calibration_raw_v2", "comparison_v1", "sim_at_k_v2", "leaderboard_v2"):
        for row in some_rows(view, 5):
            for value in why(view, row).values:
                if value.null_reason is not None:
                    assert value.value is None
                    assert ": " in value.null_reason


@pytest.fixture
def snapshot(homes: WorldHomes, monkeypatch: pytest.MonkeyPatch) -> None:
    homes.enter("samples", monkeypatch)
    mark_built()
    publish()


def test_links_of_marts_without_rows_bind(snapshot: None) -> None:
    """Every query of rows runs, with whatever values, on a snapshot."""
    with opened() as reader:
        for view, links in LINKS.items():
            for link in links:
                row = dict.fromkeys([column.name for column in VIEWS[view].columns])
                asked = query("why/rows", links=[_rows_of(link, row)])
                assert "role" in reader.one(asked, max_rows=1).columns, view


def test_a_snapshot_says_what_the_warehouse_says(snapshot: None) -> None:
    for view in ("pass_at_k_v1", "calibration_raw_v2", "execution_runs_v1", "comparison_v1"):
        row = some_rows(view, 1)[0]
        here = why(view, row).as_dict()
        words = [f"{name}={told(row[name])}" for name in VIEWS[view].key]
        there = explain(WhySpec(view=view, row=words, generations=True)).as_dict()
        assert there.pop("source")["snapshot_id"]
        assert here.pop("source") == {"warehouse": True}
        for part in here.keys() - {"row"}:  # a snapshot's times have no zone
            assert json.dumps(there[part], default=str) == json.dumps(here[part], default=str)
        assert [value["name"] for value in there["row"]] == [v["name"] for v in here["row"]]


def test_what_is_printed(snapshot: None) -> None:
    ((lm, dataset, setting),) = rows(
        "select lm_id, dataset, setting_id from pass_at_k_v1 where k = 1 order by all limit 1"
    )
    words = (f"lm_id={lm}", f"dataset={dataset}", f"setting_id={setting}")
    done = assay("why", "pass_at_k", *words, "k=1")
    assert done.returncode == 0, done.stderr
    for part in ("pass_at_k_v1: One row per", "estimand", "Chen et al. 2021, section 2.1", "run 20",
                 "known bias", "dbt/models/marts/pass_at_k/pass_at_k_v1.sql", "raw.generation",
                 "SHA-256", "by judge 1: calibrated, none, split", "snapshot 20"):  # fmt: skip
        assert part in done.stdout, part
    assert "with entries as (" not in done.stdout
    sql = f"lm_id = '{lm}' and dataset = '{dataset}' and setting_id = '{setting}' and k = 1"
    other = assay("why", "pass_at_k_v1", sql, "--sql", "--column", "pass_at_k")
    assert other.returncode == 0, other.stderr
    assert "with entries as (" in other.stdout
    assert "n_null_errata" not in other.stdout
    found = json.loads(assay("why", "pass_at_k", *words, "k=1", "--json").stdout)
    assert {value["name"]: value["value"] for value in found["row"]}["k"] == 1
    assert found["inputs"]["n_generations"] == len(found["inputs"]["generations"])
    query = [line for line in done.stdout.splitlines() if "assay sql --warehouse" in line]
    assert found["inputs"]["generations"][0]["generation_id"] in query[0]


@pytest.mark.parametrize(
    ("commit", "dirty", "said"),
    [("abc", False, "abc"), ("abc", True, "abc with changes"), (None, False, "no commit")],
)
def test_a_snapshot_of_changed_code_says_so(commit: str | None, dirty: bool, said: str) -> None:
    facts = {"snapshot_id": "s", "code_version": "0.1.0", "git_commit": commit}
    assert _source({**facts, "git_dirty": dirty}) == f"snapshot s, Assay 0.1.0 ({said})"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nope"], "no view named 'nope'"),
        (["errata"], "'errata' is no mart"),
        (["raw.generation", "lm_id=a"], "'raw.generation' is no mart"),
        (["pass_at_k", "k=1", "--column", "pas"], "no column 'pas'"),
        (["pass_at_k", "kk=1"], "pass_at_k_v1 has no column 'kk': did you mean k?"),
        (["pass_at_k", "lm=nobody", "k=1"], "no row of pass_at_k_v1 has lm=nobody; available: "),
        (["pass_at_k", "k = -1"], "no row of pass_at_k_v1 fits; it has rows with "),
        (["pass_at_k", "k=1"], "rows of pass_at_k_v1 fit, and one is explained"),
        (["pass_at_k"], "rows of pass_at_k_v1 fit, and one is explained"),
        (["pass_at_k", "k=1", "text"], "'text' is not NAME=VALUE"),
        (["pass_at_k", "k = 1; drop table pass_at_k_v1"], "not DROP"),
        (["pass_at_k", "k = 1) ; delete from raw.run; --"], "not DELETE"),
        (["pass_at_k", "k = (select count(*) from read_csv('/etc/passwd'))"], "disabled"),
        (["pass_at_k", "nope = 1"], "nope"),
        (["pass_at_k", "k ="], "syntax error"),
        (["rtc_editing", "lm=a"], "rtc_editing_v2 has no rows"),
    ],
)
def test_what_does_not_fit(snapshot: None, words: list[str], reason: str) -> None:
    assert reason in refused("why", *words, code=3)
    assert rows("select count(*) > 0 from pass_at_k_v1") == [(True,)]
    assert rows("select count(*) > 0 from raw.run") == [(True,)]
