"""Exports: what is printed, what is marked, and the record beside each file."""

import csv
import json
import os
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.steps import export
from tests.support.worlds.views import STRANGE
from warehouse.checksums import file_sha256
from warehouse.errors import AssayError, BadInput
from warehouse.reports import display
from warehouse.reports.layouts import latex, markdown
from warehouse.snapshot.query import QueryResult, query
from warehouse.snapshot.snapshots import current
from warehouse.store.provenance import git_state

LATEX = r"""\begin{tabular}{rlrrr}
\toprule
\# & language model & samples & pass@1 (\%) & CSim@10 (\%) \\
\midrule
\multicolumn{5}{l}{\textit{humaneval}} \\
1 & b\%\#\$ & 7 & \textbf{50.00} {\scriptsize [30.00, 70.00]} & -- \\
1 & gpt\_4 \& co & 120 & \textbf{50.00} {\scriptsize [40.00, 60.00]} & \textbf{10.00} \\
3 & third\{\} & 7 & \underline{25.00} {\scriptsize [20.00, 30.00]} & \underline{30.00} \\
\midrule
\multicolumn{5}{l}{\textit{humaneval, simulated language models}} \\
1 & planted & 3 & 90.00 {\scriptsize [80.00, 95.00]} & 20.00 \\
\bottomrule
\end{tabular}
"""

MARKDOWN = r"""| # | language model | samples | pass@1 (%) | CSim@10 (%) |
| ---: | --- | ---: | ---: | ---: |
| *humaneval* |  |  |  |  |
| 1 | b%#$ | 7 | **50.00** [30.00, 70.00] | -- |
| 1 | gpt\_4 & co | 120 | **50.00** [40.00, 60.00] | **10.00** |
| 3 | third{} | 7 | 25.00 [20.00, 30.00] | 30.00 |
| *humaneval, simulated language models* |  |  |  |  |
| 1 | planted | 3 | 90.00 [80.00, 95.00] | 20.00 |
"""


def record_of(path: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(Path(f"{path}.provenance.json").read_text())
    return found


def test_latex(published: Path, tmp_path: Path) -> None:
    text = Path(export(view="leaderboard", format="latex").path).read_text()
    assert text[text.index(r"\begin") :] == LATEX
    assert all(line.startswith("%") for line in text[: text.index(r"\begin")].splitlines())


def test_markdown(published: Path) -> None:
    assert Path(export(view="leaderboard", format="md").path).read_text() == MARKDOWN


def test_intervals_and_percent_are_a_choice(published: Path) -> None:
    report = export(
        view="leaderboard",
        format="md",
        columns=["lm", "pass_at_1"],
        intervals=False,
        percent=False,
    )
    lines = Path(report.path).read_text().splitlines()
    assert lines[0] == "| language model | pass@1 |"
    assert "| planted | 0.9000 |" in lines


def test_csv_and_parquet_hold_values_as_stored(published: Path, tmp_path: Path) -> None:
    table = export(view="leaderboard", format="csv", out=tmp_path / "t.csv")
    with Path(table.path).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["pass_at_1_lo"] for row in rows if row["lm"] == "planted"] == ["0.8"]
    assert [row["csim_at_10"] for row in rows if row["lm"] == "b%#$"] == [""]
    assert rows[0]["simulated"] == "false"
    report = export(view="leaderboard", format="parquet", out=tmp_path, columns=["lm", "rank"])
    assert Path(report.path) == tmp_path / "leaderboard_v1.parquet"
    assert pq.read_table(report.path).to_pylist()[0] == {"lm": rows[0]["lm"], "rank": 1}


def test_csv_runs_no_formula_unless_raw(published: Path, tmp_path: Path) -> None:
    sql = (
        "select '=1+1' as \"@a\", '+x' as b, '-x' as c, '@x' as d, chr(9) || 'x' as e, "
        "chr(13) || 'x' as f, -1.5 as g, 'a' || chr(155) || chr(27) as h, 'a' || chr(10) as i, "
        "'1-2=3' as j, null as k"
    )
    with Path(export(sql=sql, out=tmp_path / "a.csv").path).open(newline="") as file:
        header, row = csv.reader(file)
    assert header[0] == "'@a"
    assert row == [
        *("'=1+1", "'+x", "'-x", "'@x", "'\tx", r"\rx", "-1.5", r"a\x9b\x1b", "a\n", "1-2=3", "")
    ]
    with Path(export(sql=sql, out=tmp_path / "b.csv", raw=True).path).open(newline="") as file:
        header, row = csv.reader(file)
    assert header[0] == "@a"
    assert row[:4] == ["=1+1", "+x", "-x", "@x"]
    assert row[7] == "a\x9b\x1b"
    assert record_of(str(tmp_path / "a.csv"))["layout"]["raw"] is False  # type: ignore[index]


def test_columns_without_any_value_are_left_out_and_named(published: Path, tmp_path: Path) -> None:
    sql = "select 1 as a, null::double as b, null::double as b_lo, 'x' as c, null as d"
    report = export(sql=sql, format="md", out=tmp_path / "t.md")
    assert Path(report.path).read_text().splitlines()[0] == "| a | c |"
    assert report.dropped == ("b", "b_lo", "d")
    assert record_of(report.path)["dropped"] == ["b", "b_lo", "d"]
    for options in ({"columns": ["a", "d"]}, {"drop_empty": False}):
        report = export(sql=sql, format="md", out=tmp_path / "t.md", **options)  # type: ignore[arg-type]
        assert "| d |" in Path(report.path).read_text()
        assert report.dropped == ()
    report = export(sql=sql, out=tmp_path / "t.csv")
    assert Path(report.path).read_text().startswith("a,b,b_lo,c,d\n")
    report = export(sql=sql, out=tmp_path / "t.csv", drop_empty=True)
    assert Path(report.path).read_text() == "a,c\n1,x\n"
    report = export(sql=f"{sql} where false", format="latex", out=tmp_path / "t.tex")
    assert report.dropped == (), "without a row there is nothing to tell empty columns by"


def test_numbers_keep_their_digits(published: Path, tmp_path: Path) -> None:
    sql = "select 0.3595 as pass_at_1, 35.95 as published, 1235.951 as ours, 0.123456 as ece"
    report = export(sql=sql, format="md", out=tmp_path / "t.md")
    assert Path(report.path).read_text().splitlines()[2] == "| 35.95 | 35.95 | 1235.95 | 0.1235 |"
    report = export(sql=sql, format="md", out=tmp_path / "t.md", decimals=1)
    assert "| 36.0 |" in Path(report.path).read_text(), "half away from zero, not 35.9"
    report = export(sql=sql, format="md", out=tmp_path / "t.md", percent=False)
    assert "| 0.3595 |" in Path(report.path).read_text()


def test_the_record_says_where_every_number_came_from(published: Path) -> None:
    report = export(view="leaderboard", format="csv")
    assert re.fullmatch(r".*/exports/\d{4}-\d\d-\d\d/leaderboard_v1\.csv", report.path)
    record = record_of(report.path)
    assert record["sha256"] == report.sha256 == file_sha256(Path(report.path))
    assert record["rows"] == report.n_rows == 4
    assert (record["view"], record["view_version"]) == ("leaderboard", "leaderboard_v1")
    assert record["reads"] == ["leaderboard_v1"]
    assert (record["git_commit"], record["git_dirty"]) == git_state()
    source = record["source"]
    assert isinstance(source, dict)
    assert source["snapshot_id"] == current().snapshot_id
    assert source["database_sha256"] == file_sha256(current().database)
    again = query(str(record["query"]))
    assert len(again.rows) == 4, "the recorded query can be run again"


def test_an_export_that_fails_leaves_no_folder(home: Path, published: Path) -> None:
    with pytest.raises(BadInput):
        export(view="leaderboard", columns=["nope"])
    with pytest.raises(BadInput):
        export(sql="select nope from leaderboard")
    assert not list((home / "exports").glob("*"))


def test_an_export_without_a_warehouse_makes_no_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "nowhere"))
    with pytest.raises(AssayError, match="no warehouse"):
        export(view="leaderboard")
    assert not list(tmp_path.iterdir())


def test_a_query_is_recorded_with_the_versions_it_read(published: Path, tmp_path: Path) -> None:
    report = export(sql="select lm from leaderboard where rank = 1", out=tmp_path / "q.csv")
    record = record_of(report.path)
    assert record["view"] is None
    assert record["reads"] == ["leaderboard_v1"]
    assert record["rows"] == 3
    assert Path(export(sql="select 1 as a").path).name == "query.csv"


def test_strange_names_stay_names(published: Path, tmp_path: Path) -> None:
    report = export(view=STRANGE, out=tmp_path / "strange.csv")
    assert Path(report.path).read_text() == '"a""b; --"\n1\n'
    for name in ("nope", 'leaderboard"', "leaderboard; select 1", "raw.nope", "", "x\ny"):
        with pytest.raises(BadInput, match="no view named") as refused:
            export(view=name)
        assert "\n" not in str(refused.value)
    with pytest.raises(BadInput, match="no column"):
        export(view="leaderboard", columns=['lm" from leaderboard; --'])
    with pytest.raises(BadInput, match="only reading"):
        export(sql="drop table leaderboard_v1")
    with pytest.raises(BadInput, match="one SQL statement"):
        export(sql="select 1; select 2")
    assert len(query("select * from leaderboard").rows) == 4


def test_an_export_that_fails_leaves_what_was_there(published: Path, tmp_path: Path) -> None:
    target = tmp_path / "t.csv"
    export(view="leaderboard", out=target)
    before = target.read_bytes()
    with pytest.raises(BadInput):
        export(sql="select if(i > 20000, error('late'), i) from range(30000) t(i)", out=target)
    assert target.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir() if path.is_file()} == {
        "t.csv",
        "t.csv.provenance.json",
    }


def test_a_link_to_a_file_stays_and_the_file_is_replaced(published: Path, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target = tmp_path / "far" / "target.csv"
    target.write_text("old")
    link = tmp_path / "link.csv"
    link.symlink_to("far/target.csv")
    report = export(view="leaderboard", out=link)
    assert link.is_symlink()
    assert target.read_text().startswith("rank,dataset,")
    assert (report.path, record_of(report.path)["sha256"]) == (str(link), file_sha256(target))
    assert [path.name for path in target.parent.iterdir()] == ["target.csv"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("pipe", "is a named pipe: only a regular file is replaced"),
        ("link", "is a named pipe: only a regular file is replaced"),
        ("loop", "leads in a circle of symbolic links"),
        ("dangling", "is a symbolic link to nothing"),
        ("record.csv", "record.csv.provenance.json: is a named pipe"),
    ],
)
def test_an_export_replaces_nothing_but_a_file(
    name: str, reason: str, published: Path, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "record.csv.provenance.json")
    (tmp_path / "link").symlink_to("pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nothing")
    before = {path.name: path.lstat().st_mode for path in tmp_path.iterdir()}
    with pytest.raises(BadInput, match=re.escape(reason)):
        export(view="leaderboard", out=tmp_path / name)
    assert {path.name: path.lstat().st_mode for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("text", ["a_b", r"\ & % $ # _ { } ~ ^ < > | " + '"', r"\input{x}", "é𝛼"])
def test_escaped_text_has_no_live_character(text: str) -> None:
    escaped = latex.escape(text)
    bare = re.sub(r"\\[&%$#_{}]|\\text[a-z]+\{\}", "", escaped)
    assert not set(bare) & set('\\&%$#_{}~^<>|"')
    assert re.sub(r"\\([`*_\[\]<>|~\\])", r"\1", markdown.escape(text)) == text


def printed(value: float) -> float:
    return float((Decimal(repr(value)) * 100).quantize(Decimal("0.1"), ROUND_HALF_UP))


values = st.one_of(st.none(), st.floats(0, 1), st.sampled_from([0.1, 0.5, float("nan")]))


@given(
    st.lists(st.tuples(st.sampled_from("ab"), values), max_size=8), st.sampled_from(["up", "down"])
)
def test_best_and_second_by_a_slow_rule(rows: list[tuple[str, float | None]], better: str) -> None:
    name = "pass_at_1" if better == "up" else "sim_at_10"
    result = QueryResult(["dataset", name], ["VARCHAR", "DOUBLE"], list(rows))
    marks = display.marks(result, display.columns(result))
    for index, (dataset, value) in enumerate(rows):
        rivals = [
            printed(other)
            for rival, other in rows
            if rival == dataset and other is not None and other == other
        ]
        expected = None
        if value is not None and value == value and len(rivals) > 1:
            ahead = {
                other
                for other in rivals
                if (other > printed(value)) == (better == "up") and other != printed(value)
            }
            expected = {0: "best", 1: "second"}.get(len(ahead))
        assert marks.get((index, 1)) == expected


def test_of_signed_numbers_the_nearest_to_zero_is_best() -> None:
    drops = (-0.5, 0.1, -0.1, None, 0.2)
    result = QueryResult(["drop"], ["DOUBLE"], [(drop,) for drop in drops])
    drop = display.ShownColumn("drop", "drop", 0, True, fraction=True, better="zero", signed=True)
    assert display.marks(result, [drop]) == {(1, 0): "best", (2, 0): "best", (4, 0): "second"}


def test_directions() -> None:
    better = {
        "up": [
            "pass_at_1",
            "pass_at_k",
            "dpass",
            "dpair_at_10",
            "parse_rate",
            "auroc",
            "skill_score",
        ],
        "down": ["sim", "sim_at_10", "csim_at_10", "timeout_rate", "ece", "ece_10", "brier", "ame"],
        None: ["rank", "n_samples", "lm", "k", "simulated", "cost_usd"],
    }
    for direction, names in better.items():
        result = QueryResult(list(names), ["DOUBLE"] * len(names), [])
        assert {column.better for column in display.columns(result)} == {direction}
