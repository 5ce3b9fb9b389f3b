"""Figures of mutation effects: what they say, and files that repeat byte for byte."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.figures import MAGIC, words
from tests.support.steps import plot as plot_newest
from tests.support.worlds.mutation_views import make_mutation_views
from tests.support.worlds.views import mark_built
from warehouse.errors import BadInput
from warehouse.reports.plots import ame
from warehouse.reports.plots.ame import Panel
from warehouse.reports.plots.canvas import settle, styled
from warehouse.reports.plots.spec import PlotSpec
from warehouse.snapshot.query import query
from warehouse.store.connection import writing

plot = partial(plot_newest, version=1)


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("ame")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(place / "home"))
        make_mutation_views()
        mark_built()
        yield place


def test_a_figure_per_dataset_real_and_simulated_apart(views: Path) -> None:
    folder = views / "figures"
    plot("ame", format="svg", out=folder, warehouse=True)
    assert {path.name for path in folder.glob("*.svg")} == {
        f"ame_{dataset}{end}_v1.svg"
        for dataset in ("humaneval", "mbpp")
        for end in ("", "_simulated")
    }
    text = words(folder / "ame_humaneval_v1.svg")
    assert {"humaneval", "Names, random", "If-else flip", "alpha_1 & co", "beta"} <= set(text)
    assert "parameters (billions), where known" in text
    assert "planted" not in text
    simulated = words(folder / "ame_humaneval_simulated_v1.svg")
    assert {"humaneval, simulated", "planted"} <= set(simulated)
    assert not any(word.startswith("parameters") for word in simulated)
    assert "new_one" in words(folder / "ame_mbpp_v1.svg")


def test_the_record_and_its_rows(views: Path) -> None:
    which: dict[str, Any] = {"version": 2, "dataset": "humaneval", "lm": "beta"}
    (report,) = plot("ame", **which, format="svg", out=views / "one", warehouse=True)
    record = json.loads(Path(report.provenance).read_text())
    assert "ame_v2" in record["reads"]
    found = query(record["query"], warehouse=True)
    rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    assert [(r["lm"], r["mutation"], r["effect"]) for r in rows] == [("beta", "names_random", 0.25)]
    assert "drop of the pass rate (points), nearer 0 is better" in words(Path(report.path))


@pytest.mark.parametrize("version", [1, 2])
def test_a_small_figure_with_sizes_holds_its_words(version: int) -> None:
    row = {
        "lm_id": "a",
        "lm": "alpha",
        "revision": "",
        "n_parameters": 15_500_000_000,
        "effect": 0.3,
        "effect_lo": 0.2,
        "effect_hi": 0.4,
    }
    rows = [row | {"mutation": name} for name in ("names_random", "if_else_flip")]
    with styled():
        rows.append(row | {"lm_id": "b", "n_parameters": None, "mutation": "dead_code"})
        drawn = ame.draw(rows, panel=Panel("humaneval", False), wanted=PlotSpec("ame", version))
        settle(drawn)
    sizes, (legend,) = drawn.axes[1], drawn.legends
    label = sizes.yaxis.label.get_window_extent()
    assert label.y0 >= 0
    assert label.y1 <= drawn.bbox.y1
    assert not label.overlaps(legend.get_window_extent())
    assert len(sizes.get_xticks()) >= 2
    shown = [text.get_text() for text in legend.get_texts()]
    assert shown == ["alpha", "alpha", "Names, random", "If-else flip"]


@pytest.mark.long
def test_the_same_rows_give_the_same_bytes(views: Path) -> None:
    for folder in ("once", "again"):
        plot("ame", dataset="humaneval", out=views / folder, warehouse=True)
    drawn = [path for path in (views / "once").iterdir() if "provenance" not in path.name]
    assert len(drawn) == 6
    for path in drawn:
        content = path.read_bytes()
        assert content.startswith(MAGIC[path.suffix[1:]])
        assert content == (views / "again" / path.name).read_bytes()


def test_what_is_not_there(views: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no mutation effect fits these options"):
        plot("ame", lm="nobody", out=tmp_path, warehouse=True)
    with pytest.raises(BadInput, match=r"no setting 'nope' in ame_v1; available: \w+ \("):
        plot("ame", setting_id="nope", out=tmp_path, warehouse=True)
    with pytest.raises(BadInput, match="no measure and no notion"):
        plot("ame", measures=("avg_prob",), out=tmp_path, warehouse=True)
    with pytest.raises(BadInput, match="versions are 1 and 2"):
        plot("ame", version=3, out=tmp_path, warehouse=True)
    with writing() as con:
        con.execute("create or replace table kept as select * from ame_v1")
        con.execute("drop table ame_v1")
    with pytest.raises(BadInput, match="the view ame_v1 is not built: run `assay build`"):
        plot("ame", out=tmp_path, warehouse=True)
    with writing() as con:
        con.execute("create table ame_v1 as select * from kept")
