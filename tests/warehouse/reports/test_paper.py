"""The tables of a paper: their layout, what is apart, and the record beside each file."""

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from runners.cli.main import run
from tests.support.steps import export_paper, publish
from tests.support.worlds.calibration.views import make_calibration_views
from tests.support.worlds.views import mark_built
from warehouse.checksums import file_sha256
from warehouse.errors import BadInput
from warehouse.reports.display import ShownColumn, number
from warehouse.reports.papers.calibration import TABLES
from warehouse.snapshot.query import query
from warehouse.store.connection import writing

TABLE_7_WITH_EMPTY = r"""% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}
\begin{tabular}{lrrrrrr}
\toprule
\multicolumn{1}{c}{} & \multicolumn{3}{c}{defects4j, exact match} & \multicolumn{3}{c}{manysstubs4j, exact match} \\
\cmidrule(lr){2-4} \cmidrule(lr){5-7}
measure & B & SS & ECE & B & SS & ECE \\
\midrule
\multicolumn{7}{l}{\textit{alpha\_1 \& co}} \\
Total Prob & 0.15 & \underline{$-$0.67} & -- & 0.15 & \textbf{+0.20} & 0.14 \\
Verbalize & 0.25 & $-$1.78 & -- & 0.25 & $-$0.33 & -- \\
Unskilled & 0.09 & \textbf{0.00} & -- & 0.19 & \underline{0.00} & -- \\
\midrule
\multicolumn{7}{l}{\textit{planted, simulated}} \\
Total Prob & 0.15 & \underline{$-$0.67} & -- & 0.15 & \textbf{+0.20} & 0.14 \\
Verbalize & 0.25 & $-$1.78 & -- & 0.25 & $-$0.33 & -- \\
Unskilled & 0.09 & \textbf{0.00} & -- & 0.19 & \underline{0.00} & -- \\
\bottomrule
\end{tabular}
"""  # noqa: E501

TABLE_7 = r"""% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}
\begin{tabular}{lrrrrr}
\toprule
\multicolumn{1}{c}{} & \multicolumn{2}{c}{defects4j, exact match} & \multicolumn{3}{c}{manysstubs4j, exact match} \\
\cmidrule(lr){2-3} \cmidrule(lr){4-6}
measure & B & SS & B & SS & ECE \\
\midrule
\multicolumn{6}{l}{\textit{alpha\_1 \& co}} \\
Total Prob & 0.15 & \underline{$-$0.67} & 0.15 & \textbf{+0.20} & 0.14 \\
Verbalize & 0.25 & $-$1.78 & 0.25 & $-$0.33 & -- \\
Unskilled & 0.09 & \textbf{0.00} & 0.19 & \underline{0.00} & -- \\
\midrule
\multicolumn{6}{l}{\textit{planted, simulated}} \\
Total Prob & 0.15 & \underline{$-$0.67} & 0.15 & \textbf{+0.20} & 0.14 \\
Verbalize & 0.25 & $-$1.78 & 0.25 & $-$0.33 & -- \\
Unskilled & 0.09 & \textbf{0.00} & 0.19 & \underline{0.00} & -- \\
\bottomrule
\end{tabular}
"""  # noqa: E501

TABLE_2 = r"""| language model | humaneval (%) | defects4j (%) | defects4j, exact match (%) | manysstubs4j, exact match (%) |
| --- | ---: | ---: | ---: | ---: |
| *language models* |  |  |  |  |
| alpha\_1 & co | **50.00** | 20.00 | 10.00 | 25.00 |
| beta | **50.00** | -- | -- | -- |
| *simulated language models* |  |  |  |  |
| planted | 50.00 | 20.00 | 10.00 | 25.00 |
"""  # noqa: E501

TABLE_3 = r"""| language model | setting | samples | all-pass (%) | exact match (%) |
| --- | --- | ---: | ---: | ---: |
| *defects4j* |  |  |  |  |
| alpha\_1 & co | completion, T=0 | 120 | 20.00 | 10.00 |
| *defects4j, simulated language models* |  |  |  |  |
| planted | completion, T=0 | 120 | 20.00 | 10.00 |
"""


TABLE_3_OF_LINES = r"""| language model | setting | lines | all-pass docstring (%) | all-pass none (%) | all-pass effect (%) | exact match docstring (%) | exact match none (%) | exact match effect (%) |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| *all projects* |  |  |  |  |  |  |  |  |
| alpha\_1 & co | T=0 | 16 | 50.00 | 37.50 | +12.50 [+6.25, +18.75] | 25.00 | 12.50 | +12.50 [-6.25, +31.25] |
| *all projects, simulated language models* |  |  |  |  |  |  |  |  |
| planted | T=0 | 16 | 50.00 | 37.50 | +12.50 [+6.25, +18.75] | 25.00 | 12.50 | +12.50 [-6.25, +31.25] |
| *toolz-lines* |  |  |  |  |  |  |  |  |
| alpha\_1 & co | T=0 | 8 | 50.00 | 37.50 | +12.50 [+6.25, +18.75] | 25.00 | 12.50 | +12.50 [-6.25, +31.25] |
| *toolz-lines, simulated language models* |  |  |  |  |  |  |  |  |
| planted | T=0 | 8 | 50.00 | 37.50 | +12.50 [+6.25, +18.75] | 25.00 | 12.50 | +12.50 [-6.25, +31.25] |
| *dypybench, as the paper prints* |  |  |  |  |  |  |  |  |
| Codex | -- | -- | 32.96 | 21.69 | -- | 23.60 | 17.77 | -- |
"""  # noqa: E501

TABLE_4_OF_LINES = r"""| language model | shown | samples | both (%) | all-pass only (%) | match only (%) | neither (%) |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| *all projects* |  |  |  |  |  |  |
| alpha\_1 & co | without | 16 | 18.75 | 31.25 | 6.25 | 43.75 |
| alpha\_1 & co | with docstring | 16 | 18.75 | 31.25 | 6.25 | 43.75 |
| *all projects, simulated language models* |  |  |  |  |  |  |
| planted | without | 16 | 18.75 | 31.25 | 6.25 | 43.75 |
| planted | with docstring | 16 | 18.75 | 31.25 | 6.25 | 43.75 |
| *toolz-lines* |  |  |  |  |  |  |
| alpha\_1 & co | without | 8 | 18.75 | 31.25 | 6.25 | 43.75 |
| alpha\_1 & co | with docstring | 8 | 18.75 | 31.25 | 6.25 | 43.75 |
| *toolz-lines, simulated language models* |  |  |  |  |  |  |
| planted | without | 8 | 18.75 | 31.25 | 6.25 | 43.75 |
| planted | with docstring | 8 | 18.75 | 31.25 | 6.25 | 43.75 |
| *dypybench, as the paper prints* |  |  |  |  |  |  |
| GPT-3.5 | with docstring | -- | 17.06 | 16.16 | 6.89 | 59.89 |
"""  # noqa: E501


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("paper")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(place / "home"))
        make_calibration_views()
        mark_built()
        publish()
        export_paper("calibration", out=place / "tables")
        yield place / "tables"


def test_every_table_in_every_format(tables: Path) -> None:
    names = {f"{table.number}_{table.name}" for table in TABLES} | {"3_lines", "4_lines"}
    assert {path.name for path in tables.iterdir() if "provenance" not in path.name} == {
        f"calibration_table_{name}_v1.{suffix}" for name in names for suffix in ("tex", "csv", "md")
    }
    assert [table.number for table in TABLES] == [2, 3, 5, 6, 7, 8]


def test_layout(tables: Path) -> None:
    text = (tables / "calibration_table_7_scaled_exact_v1.tex").read_text()
    title, _, rest = text.partition("\n")
    assert title.endswith(
        r"table 7: Platt-scaled calibration, exact match (calibration\_scaled\_v1)"
    )
    assert rest == TABLE_7
    assert (tables / "calibration_table_2_correctness_v1.md").read_text() == TABLE_2
    assert (tables / "calibration_table_3_notions_v1.md").read_text() == TABLE_3


def test_completed_lines_stand_beside_those_of_the_paper(tables: Path) -> None:
    assert (tables / "calibration_table_3_lines_v1.md").read_text() == TABLE_3_OF_LINES
    assert (tables / "calibration_table_4_lines_v1.md").read_text() == TABLE_4_OF_LINES
    rows = (tables / "calibration_table_3_lines_v1.csv").read_text().splitlines()
    assert len(rows) == 1 + 4, "what is printed elsewhere is no row of ours"


def test_columns_without_any_value_are_left_out_and_named(tables: Path, tmp_path: Path) -> None:
    name = "calibration_table_7_scaled_exact_v1"
    record = json.loads((tables / f"{name}.tex.provenance.json").read_text())
    assert record["dropped"] == ["defects4j, exact match ECE"]
    assert json.loads((tables / f"{name}.csv.provenance.json").read_text())["dropped"] == []
    reports = export_paper("calibration", out=tmp_path / "all", drop_empty=False)
    assert not any(report.dropped for report in reports)
    assert (tmp_path / f"all/{name}.tex").read_text().partition("\n")[2] == TABLE_7_WITH_EMPTY
    whole = (tmp_path / f"all/{name}.csv").read_text().splitlines()[0].split(",")
    (report,) = [
        report
        for report in export_paper("calibration", format="csv", out=tmp_path, drop_empty=True)
        if name in report.path
    ]
    kept = Path(report.path).read_text().splitlines()[0].split(",")
    assert kept == [column for column in whole if column not in report.dropped]


def test_the_least_random_setting_is_the_one_shown(tables: Path) -> None:
    with (tables / "calibration_table_5_raw_v1.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["setting_id"] for row in rows} == {"greedy"}
    assert len(rows) == 9 + 3 + 9
    first = rows[0]
    assert (first["measure"], first["brier"], first["skill_score"]) == (
        "total_prob",
        "0.15",
        "0.4",
    )
    assert [row["simulated"] for row in rows] == ["false"] * 12 + ["true"] * 9


def test_exact_match_stands_in_where_nothing_was_run(tables: Path) -> None:
    heading = (tables / "calibration_table_8_auroc_v1.md").read_text().splitlines()[0]
    assert heading == "| measure | humaneval | defects4j | manysstubs4j, exact match |"


def test_an_ece_without_skill_is_left_out_of_the_scaled_tables_only(tables: Path) -> None:
    raw = (tables / "calibration_table_5_raw_v1.md").read_text()
    scaled = (tables / "calibration_table_6_scaled_v1.md").read_text()
    assert "| Verbalize | 0.25 | 0.00 | 0.30 |" in raw
    assert "| Verbalize | 0.25 | 0.00 | -- |" in scaled


def test_the_record_can_be_run_again(tables: Path) -> None:
    for path in tables.glob("*.md"):
        record = json.loads((tables / f"{path.name}.provenance.json").read_text())
        assert record["sha256"] == file_sha256(path)
        assert record["paper"] == "calibration"
        assert record["view_version"] in record["reads"]
        assert record["view_version"].endswith("_v1")
        assert len(query(record["query"]).rows) == record["rows"]


def test_the_same_rows_give_the_same_bytes(tables: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    export_paper("calibration", out=again)
    for path in again.iterdir():
        if "provenance" not in path.name:
            assert path.read_bytes() == (tables / path.name).read_bytes()


def test_language_models_of_one_name_keep_apart(home: Path, tmp_path: Path) -> None:
    make_calibration_views()
    with writing() as con:
        for view in ("calibration_raw_v1", "calibration_scaled_v1"):
            con.execute(f"update {view} set lm = 'beta', revision = 'r2' where lm_id = 'a'")
    export_paper("calibration", out=tmp_path, format="md", warehouse=True)
    text = (tmp_path / "calibration_table_2_correctness_v1.md").read_text()
    assert [line.split(" | ")[0] for line in text.splitlines()[3:5]] == ["| beta", "| beta r2"]


def test_version_2_prints_every_ece_and_no_table_of_curves_unfitted(
    home: Path, tmp_path: Path
) -> None:
    make_calibration_views()
    with writing() as con:
        con.execute("create table calibration_raw_v2 as from calibration_raw_v1")
        con.execute(
            "create table calibration_scaled_v2 as select * exclude (ece_reported) "
            "replace (if(notion = 'all_pass', brier, null) as brier) from calibration_scaled_v1"
        )
        con.execute("create table line_completion_v2 as from line_completion_v1 where false")
    reports = export_paper("calibration", version=2, format="md", out=tmp_path, warehouse=True)
    assert [Path(report.path).name[18:19] for report in reports] == ["2", "3", "5", "6", "8"]
    scaled = (tmp_path / "calibration_table_6_scaled_v2.md").read_text()
    assert "| Verbalize | 0.25 | 0.00 | 0.30 |" in scaled


def test_what_is_not_there(home: Path, tmp_path: Path) -> None:
    make_calibration_views()
    with pytest.raises(BadInput, match="there is no view line_completion_v9"):
        export_paper("calibration", version=9, warehouse=True)
    with pytest.raises(BadInput, match="paper: there is no 'other'"):
        export_paper("other", warehouse=True)
    with pytest.raises(BadInput, match="format: there is no 'pdf'"):
        export_paper("calibration", format="pdf", warehouse=True)
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="go to a folder"):
        export_paper("calibration", out=tmp_path / "file", warehouse=True)
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    os.mkfifo(blocked / "calibration_table_5_raw_v1.csv")
    with pytest.raises(BadInput, match="is a named pipe: only a regular file is replaced"):
        export_paper("calibration", out=blocked, warehouse=True)
    assert len(list(blocked.iterdir())) == 1, "not even the tables before it"
    with writing() as con:
        for view in ("calibration_raw_v1", "calibration_scaled_v1", "line_completion_v1"):
            con.execute(f"delete from {view}")
    with pytest.raises(BadInput, match=r"no calibration result.*`assay reflect`"):
        export_paper("calibration", out=tmp_path / "none", warehouse=True)
    assert not (tmp_path / "none").exists()


def test_command(tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "by_command")
    assert run(["export", "--paper", "calibration", "--format", "latex", "--out", out]) == 0
    lines = capsys.readouterr().out.splitlines()
    said = "columns left out, because they hold no value: defects4j, exact match ECE"
    assert lines.pop(lines.index(said) - 1).endswith("table_7_scaled_exact_v1.tex: 6 rows")
    assert len(lines) == 8
    for wrong in (
        ["leaderboard", "--paper", "calibration"],
        ["--paper", "calibration", "--columns", "lm"],
    ):
        assert run(["export", *wrong]) == 2
    assert run(["export", "leaderboard", "--version", "1"]) == 2


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        *((0.125, "+0.13"), (-0.125, "-0.13"), (0.135, "+0.14"), (1, "+1.00")),
        *((-0.004, "0.00"), (0.0, "0.00"), (None, "--")),
    ],
)
def test_halves_round_away_from_zero(value: float | None, shown: str) -> None:
    assert number(value, ShownColumn("x", "x", 0, True, decimals=2, signed=True)) == shown
