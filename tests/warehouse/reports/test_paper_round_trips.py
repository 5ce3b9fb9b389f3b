"""The tables of the round-trip paper: their layout, what each version shows, and its figures."""

import csv
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.support.figures import MAGIC, words
from tests.support.steps import export_paper, plot, publish
from tests.support.worlds.papers.round_trip_views import make_round_trip_views
from tests.support.worlds.views import mark_built
from warehouse.errors import BadInput
from warehouse.reports.papers.sheet import NotBuilt, versioned
from warehouse.reports.plots import rtc_projects
from warehouse.reports.plots.canvas import settle, styled
from warehouse.reports.plots.spec import NEWEST
from warehouse.reports.site.pages.figures import figures_of
from warehouse.snapshot.query import opened, query
from warehouse.store.connection import writing

TABLE_2 = r"""| language model | problems | pass@1 (%) | RTC (%) | lift (%) |
| --- | ---: | ---: | ---: | ---: |
| *humaneval* |  |  |  |  |
| alpha\_1 & co | 164 | **62.5** [50.0, 75.0] | **50.0** [45.0, 55.0] | **+37.5** [+32.5, +42.5] |
| beta | 164 | 37.5 [25.0, 50.0] | 25.0 [20.0, 30.0] | +12.5 [+7.5, +17.5] |
| *humaneval, simulated language models* |  |  |  |  |
"""
PRINTED_2 = """| *humaneval, as the paper prints* |  |  |  |  |
| Nano | -- | 33.4 | 18.9 | +3.7 |
| *arcade, as the paper prints* |  |  |  |  |
| Nano | -- | -- | 7.7 | -- |
"""
CORRELATIONS = """
| dataset | with pass@1 | language models | Pearson | Spearman | p of Spearman, exact |
| --- | --- | ---: | ---: | ---: | ---: |
| *language models here* |  |  |  |  |  |
| humaneval | RTC | 2 | -- | -- | -- |
| *simulated language models here* |  |  |  |  |  |
| humaneval | RTC | 4 | 1.00 [1.00, 1.00] | 1.00 | 0.083 |
| *as the paper prints* |  |  |  |  |  |
| humaneval | RTC | 5 | 0.95 [0.40, 1.00] | 0.90 | 0.083 |
| humaneval | lift | 5 | 0.88 [0.03, 0.99] | 1.00 | 0.017 |
"""
TABLE_3 = r"""\multicolumn{2}{c}{} & \multicolumn{2}{c}{unsupervised} & \multicolumn{2}{c}{supervised} \\
\cmidrule(lr){3-4} \cmidrule(lr){5-6}
language model & edits & RTC (\%) & lift (\%) & Edit to NL, BLEU (\%) & NL to Edit, exact match (\%) \\
\midrule
\multicolumn{6}{l}{\textit{codereviewer}} \\
alpha\_1 \& co & 996 & \textbf{50.0} {\scriptsize [45.0, 55.0]} & \textbf{+37.5} {\scriptsize [+32.5, +42.5]} & 6.3 {\scriptsize [5.3, 7.3]} & 25.0 {\scriptsize [24.0, 26.0]} \\
beta & 996 & \underline{25.0} {\scriptsize [20.0, 30.0]} & \underline{+12.5} {\scriptsize [+7.5, +17.5]} & -- & -- \\
"""  # noqa: E501
PROJECTS = r"""| *beta* |  |  |  |  |
| funcy | MIT | 80 | 0.0 [-5.0, 5.0] | -12.5 [-17.5, -7.5] |
| tiny\_db | MIT | 90 | 12.5 [7.5, 17.5] | 0.0 [-5.0, +5.0] |
| toolz | MIT | 100 | 25.0 [20.0, 30.0] | +12.5 [+7.5, +17.5] |
| all regions | -- | 370 | 12.5 [7.5, 17.5] | 0.0 [-5.0, +5.0] |
| mean of the projects | -- | 370 | 5.0 [0.0, 10.0] | -7.5 [-12.5, -2.5] |
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("round_trips")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(place / "home"))
        make_round_trip_views()
        mark_built()
        publish()
        for version in (1, 2):
            export_paper("round_trip", version=version, out=place / "tables")
        yield place


def test_every_table_in_every_format(place: Path) -> None:
    stems = {"table_2_synthesis", "table_2_correlation", "table_3_editing", "figure_2_projects"}
    names = {f"{stem}_v1" for stem in stems} | {"table_2_synthesis_v2", "table_3_editing_v2"}
    found = {p.name for p in (place / "tables").iterdir() if "provenance" not in p.name}
    assert found == {
        f"round_trip_{name}.{suffix}" for name in names for suffix in ("tex", "csv", "md")
    }


def test_layout(place: Path) -> None:
    tables = place / "tables"
    text = (tables / "round_trip_table_2_synthesis_v1.md").read_text()
    assert text.startswith(TABLE_2)
    assert text.endswith(PRINTED_2)
    assert (tables / "round_trip_table_2_correlation_v1.md").read_text() == CORRELATIONS.lstrip()
    assert TABLE_3 in (tables / "round_trip_table_3_editing_v1.tex").read_text()
    editing = (tables / "round_trip_table_3_editing_v1.md").read_text()
    assert editing.endswith("| Nano | -- | 5.2 | +4.8 | 0.5 | 11.7 |\n")
    assert PROJECTS in (tables / "round_trip_figure_2_projects_v1.md").read_text()


def test_rows_are_of_the_headlines(place: Path) -> None:
    for name, n_rows in (("table_3_editing", 6), ("figure_2_projects", 6 * 6 - 1)):
        with (place / f"tables/round_trip_{name}_v1.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert {row["setting_id"] for row in rows} == {"cold"}
        assert len(rows) == n_rows


def test_version_2_forgives_white_space_in_edits_from_words(place: Path) -> None:
    shares = {}
    for version in (1, 2):
        path = place / f"tables/round_trip_table_3_editing_v{version}.csv"
        with path.open(newline="") as file:
            shares[version] = next(csv.DictReader(file))["nl_to_edit"]
    assert shares == {1: "0.25", 2: "0.375"}


def test_the_record_can_be_run_again(place: Path) -> None:
    for path in (place / "tables").glob("*.md"):
        record = json.loads((place / f"tables/{path.name}.provenance.json").read_text())
        assert record["paper"] == "round_trip"
        assert ("figure" in record) == ("figure" in path.name)
        assert record["view_version"] in record["reads"]
        assert len(query(record["query"]).rows) == record["rows"]


@pytest.mark.long
def test_figures_of_projects(place: Path) -> None:
    reports = plot("rtc-projects", out=place / "figures")
    assert len(reports) == 6
    for report in reports:
        path = Path(report.path)
        assert path.read_bytes().startswith(MAGIC[path.suffix[1:]])
    real = words(place / "figures/rtc_projects_v1.svg")
    assert {"alpha_1 & co", "beta", "toolz", "tiny_db", "all regions"} <= set(real)
    assert not any("planted" in word for word in real)
    shown = [word for word in real if word in ("toolz", "tiny_db", "funcy", "attrs")]
    assert shown == ["toolz", "tiny_db", "attrs", "funcy"], "from the easiest to the hardest"
    assert {"planted", "planted-4"} <= set(words(place / "figures/rtc_projects_simulated_v1.svg"))
    again = plot("rtc-projects", out=place / "again")
    for one, other in zip(reports, again, strict=True):
        assert Path(one.path).read_bytes() == Path(other.path).read_bytes()


def test_the_site_draws_figures_of_projects(place: Path) -> None:
    with opened() as reader:
        found = [figure.stem for figure in figures_of(reader, "rtc-projects")]
    assert found == ["rtc_projects", "rtc_projects_simulated"]


def test_the_site_refuses_a_version_that_is_not_there(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It once passed for a plot without rows, so that round trips were left out silently."""
    with opened() as reader:
        assert list(figures_of(reader, "ame")) == [], "its view is not built here"
        monkeypatch.setitem(NEWEST, "rtc-projects", 9)
        with pytest.raises(BadInput, match="there is no view rtc_by_project_v9"):
            list(figures_of(reader, "rtc-projects"))


def test_one_dataset_and_one_language_model(place: Path) -> None:
    which: dict[str, Any] = {"lm": "beta", "dataset": "toolz-regions"}
    (report,) = plot("rtc-projects", **which, format="svg", out=place / "one")
    record = json.loads(Path(report.provenance).read_text())
    found = query(record["query"])
    rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    assert [(row["project"], row["rtc"], row["lift"]) for row in rows] == [("toolz", 0.25, 0.125)]


def test_figures_of_pairs(place: Path) -> None:
    reports = plot("rtc-pairs", format="svg", out=place / "pairs")
    assert {Path(report.path).name for report in reports} == {
        "rtc_pairs_alpha_1_co_9592b904_beta_v1.svg",
        "rtc_pairs_planted_planted-2_v1.svg",
    }
    text = words(place / "pairs/rtc_pairs_planted_planted-2_v1.svg")
    assert "Pearson 0.88 [0.25, 0.99], Spearman 1.00" in text
    assert {"4 projects, simulated", "toolz", "attrs"} <= set(text)
    few = words(place / "pairs/rtc_pairs_alpha_1_co_9592b904_beta_v1.svg")
    assert "no correlation: fewer than four projects, or no difference between them" in few
    assert "attrs" not in few, "beta has no round trips of it"


def test_many_projects_keep_apart() -> None:
    row = {"revision": "", "n_used": 9, "lift_lo": None, "rtc_lo": None, "mean_rtc": 0.5}
    rows = [
        {**row, "lm_id": lm, "lm": lm, "project": f"p{n}", "rtc": n / 60, "lift": n / 60}
        for n in range(60)
        for lm in ("a", "b")
    ]
    with styled():
        drawn = rtc_projects.draw(rows, simulated=False)
        settle(drawn)
    labels = [label.get_window_extent() for label in drawn.axes[0].get_yticklabels()]
    assert len(labels) == 60
    for above, below in pairwise(labels):
        assert not above.overlaps(below)


def test_what_is_not_there(place: Path, tmp_path: Path) -> None:
    out: dict[str, Any] = {"out": tmp_path}
    with pytest.raises(BadInput, match="no row for a rtc-projects figure"):
        plot("rtc-projects", lm="nobody", **out)
    with pytest.raises(BadInput, match="no two language models have round trips of two projects"):
        plot("rtc-pairs", lm="nobody", **out)
    with pytest.raises(BadInput, match="no measure and no notion"):
        plot("rtc-projects", notion="all_pass", **out)
    with pytest.raises(BadInput, match="leave out the setting"):
        plot("rtc-pairs", setting_id="cold", **out)
    with pytest.raises(BadInput, match="the view rtc_by_project_v2 is not built"):
        plot("rtc-projects", version=2, **out)
    with pytest.raises(BadInput, match="there is no view rtc_beside_pass_at_1_v3"):
        export_paper("round_trip", version=3, **out)


def test_a_warehouse_without_round_trips(home: Path) -> None:
    make_round_trip_views()
    with writing() as con:
        for view in ("rtc_beside_pass_at_1_v1", "rtc_editing_v1", "rtc_by_project_v1"):
            con.execute(f"delete from {view}")
        con.execute("delete from rtc_vs_pass_at_1_v1 where source <> 'published'")
    mark_built()
    with pytest.raises(
        BadInput, match=r"there is no round_trip result in version 1.*--task resynthesis"
    ):
        export_paper("round_trip", warehouse=True)


def test_a_version_that_is_not_built_is_left_out_of_the_site(home: Path) -> None:
    """One more view built once broke the whole site: another version of it is newer."""
    make_round_trip_views()
    with writing() as con:
        con.execute("create view ame_v1 as select 1 as one")
        con.execute("create view pass_at_k_curve_v1 as select 1 as one")
        con.execute("drop table headline_setting_v1")
    with opened(warehouse=True) as reader:
        with pytest.raises(NotBuilt, match="ame_v2 is not built: run `assay build`"):
            versioned(reader, "ame", 2)
        with pytest.raises(BadInput, match="there is no view ame_v3: versions of ame are 1, 2"):
            versioned(reader, "ame", 3)
        assert list(figures_of(reader, "ame")) == []
        assert list(figures_of(reader, "pass-at-k")) == [], "it reads headline_setting too"
