"""Ours beside the printed numbers of any paper: units, what is empty, and what is refused."""

import csv
from pathlib import Path
from typing import Any

import pytest

from runners.cli.main import run
from tests.support.steps import export_paper
from tests.support.worlds.views import mark_built
from warehouse.errors import BadInput
from warehouse.store.connection import writing

# result, paper, table, statistic, unit, printed, published, ours, tolerance
NUMBERS = [
    ("m.a", "mutations", "2", "ame", "percent", "16.86", 0.1686, 0.25, 0.00005),
    ("r.b", "round_trip", "3", "bleu", "points", "12.5", 0.125, 0.125, 0.0005),
    ("r.l", "round_trip", "text", "mean_lift_pass", "percent", "7.0", 0.07, None, 0.0005),
    ("c.s", "calibration", "5", "skill_score", "score", "-0.03", -0.03, -0.5, 0.005),
    ("c.n", "calibration", "2", "base_rate", None, None, 0.5, 0.75, 0.5 / 164),
]
MADE = """
create table published_results as
select
    result_id, unit, [] as other
from (values {values}) as rows (
    result_id, paper, table_no, statistic, unit, printed, published, ours, tolerance
)
where unit is not null;
create table headline_setting_v1 as select 1 as one;
create table reproduction_v2 as
select
    result_id as reproduction_id, result_id, paper, table_no, 'Codex' as printed_lm, 'a' as lm_id,
    'alpha' as lm, '' as revision, false as simulated, 'humaneval' as printed_dataset,
    'humaneval' as dataset, '1' as dataset_version, 's' as setting_id, 'T=0' as setting,
    null::varchar as forward_setting_id, if(paper = 'round_trip', 'T=1', null) as forward_setting,
    null::varchar as notion, if(statistic = 'skill_score', 'ask_tf', null) as measure,
    null::varchar as scorer, null::varchar as rescaler,
    if(statistic = 'ame', 'if_else_flip', null) as mutation, null::varchar as operator, statistic,
    if(statistic = 'skill_score', 'temperature, top_5', null) as paper_departures,
    8::bigint as n_used, printed, published::double as published, ours::double as ours,
    (ours - published)::double as difference, tolerance::double as tolerance,
    abs(ours - published) <= tolerance as agrees
from (values {values}) as rows (
    result_id, paper, table_no, statistic, unit, printed, published, ours, tolerance
);
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    values = ", ".join(
        "(" + ", ".join("null" if v is None else repr(v) for v in row) + ")" for row in NUMBERS
    )
    with writing() as con:
        con.execute(MADE.format(values=values))
    mark_built()
    return tmp_path / "out"


def written(place: Path, paper: str) -> dict[str, dict[str, str]]:
    export_paper(paper, beside=True, format="csv", out=place, warehouse=True)
    with (place / f"{paper}_beside_v1.csv").open(encoding="utf-8", newline="") as file:
        return {row["result_id"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize(
    ("paper", "name", "published", "ours"),
    [
        ("mutations", "m.a", 16.86, 25.0),
        ("round_trip", "r.b", 12.5, 12.5),
        ("round_trip", "r.l", 7.0, None),
        ("calibration", "c.s", -0.03, -0.5),
        ("calibration", "c.n", 50.0, 75.0),
    ],
)
def test_each_number_in_the_unit_it_is_printed_in(
    place: Path, paper: str, name: str, published: float, ours: float | None
) -> None:
    rows = written(place, paper)
    assert rows.keys() == {number[0] for number in NUMBERS if number[1] == paper}
    row = rows[name]
    factor = published / next(number[6] for number in NUMBERS if number[0] == name)
    assert float(row["published"]) == pytest.approx(published)
    tolerance = next(number[8] for number in NUMBERS if number[0] == name)
    assert float(row["tolerance"]) == pytest.approx(factor * tolerance)
    if ours is None:
        assert (row["ours"], row["difference"], row["agrees"]) == ("", "", "")
    else:
        assert float(row["ours"]) == pytest.approx(ours)
        assert float(row["difference"]) == pytest.approx(ours - published)


def test_laid_out(place: Path) -> None:
    export_paper("round_trip", beside=True, format="md", out=place, warehouse=True)
    export_paper("calibration", beside=True, format="md", out=place, warehouse=True)
    assert (place / "round_trip_beside_v1.md").read_text().splitlines()[2:] == [
        "| *alpha, Codex of the paper* |  |  |  |  |  |  |  |  |",
        "| 3 | humaneval | bleu | T=0 after T=1 | 8 | 12.5 | 12.50 | 0.00 | yes |",
        "| text | humaneval | mean\\_lift\\_pass | T=0 after T=1 | 8 | 7.0 | -- | -- | -- |",
    ]
    lines = (place / "calibration_beside_v1.md").read_text().splitlines()
    assert lines[0].startswith("| table | dataset | of | number | setting | departs in | samples |")
    assert lines[3:] == [
        "| 2 | humaneval | -- | base\\_rate | T=0 | -- | 8 | 50.0 | 75.00 | +25.00 | no |",
        "| 5 | humaneval | ask\\_tf | skill\\_score | T=0 | temperature, top\\_5 | 8 | -0.03 "
        "| -0.50 | -0.47 | no |",
    ]


def test_counts_of_pairs_come_last_and_language_models_of_one_name_are_told_apart(
    place: Path,
) -> None:
    with writing() as con:
        con.execute(
            "insert into reproduction_v2 select * replace ('b' as lm_id, 'x' as revision, "
            "'one' as scorer, 'scc with human' as measure, 'humaneval+mbpp' as printed_dataset, "
            "'mbpp+humaneval' as dataset) from reproduction_v2 where paper = 'mutations'"
        )
        con.execute(
            "insert into reproduction_v2 select * replace (null as lm_id, null as lm, "
            "null as printed_lm, null as simulated, null as setting, 'mbpp' as dataset, "
            "null as revision) from reproduction_v2 where lm_id = 'b'"
        )
    mark_built()
    export_paper("mutations", beside=True, format="md", out=place, warehouse=True)
    lines = (place / "mutations_beside_v1.md").read_text().splitlines()[2:]
    assert [line.split(" | ")[0].strip("| *") for line in lines] == [
        "alpha, Codex of the paper", "2", "alpha x, Codex of the paper", "2",
        "counts of pairs", "2",
    ]  # fmt: skip
    assert lines[3].startswith("| 2 | humaneval+mbpp | -- | scc with human (one) if")
    assert lines[5].startswith("| 2 | humaneval+mbpp | mbpp | scc")


def test_what_is_refused(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out: dict[str, Any] = {"out": place, "warehouse": True}
    with pytest.raises(BadInput, match=r"there is no diversity result.*published_lm"):
        export_paper("diversity", beside=True, **out)
    with pytest.raises(BadInput, match="version 1, which is faithful"):
        export_paper("calibration", beside=True, version=2, **out)
    assert run(["export", "leaderboard", "--beside"]) != 0
    assert "--beside goes with --paper" in capsys.readouterr().err
