"""Figures: valid files that repeat byte for byte and hold the numbers they print."""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from models.words import CONFIDENCES
from runners.cli.main import run
from tests.support.commands import shell
from tests.support.figures import MAGIC, words
from tests.support.steps import plot as plot_newest
from tests.support.worlds.calibration.views import make_calibration_views
from warehouse.checksums import file_sha256
from warehouse.errors import BadInput
from warehouse.reports.plots import PLOTS
from warehouse.reports.plots.canvas import COLOURS, DASHES, mark_of
from warehouse.reports.plots.plot import figure_stem
from warehouse.reports.plots.select import LOOKS, Figure, file_stem
from warehouse.reports.plots.spec import NEWEST, PlotSpec
from warehouse.snapshot.query import query
from warehouse.store.connection import writing
from warehouse.views.describe import describe_views

pytestmark = pytest.mark.long(seconds=20)
plot = partial(plot_newest, version=1)


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("plots")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(place / "home"))
        make_calibration_views()
        yield place


@pytest.fixture(scope="module")
def figures(views: Path) -> Path:
    folder = views / "figures"
    for kind in ("reliability", "roc", "auc-vs-ece"):
        plot(kind, format="svg", out=folder, warehouse=True)
    return folder


def test_files(figures: Path) -> None:
    names = {path.name for path in figures.iterdir() if "provenance" not in path.name}
    stems = {
        *(
            f"{kind}_{lm}_{dataset}_v1"
            for kind in ("reliability", "roc")
            for lm in ("alpha_1_co_9592b904", "planted")
            for dataset in ("humaneval", "defects4j", "manysstubs4j_exact_match")
        ),
        *("reliability_beta_humaneval_v1", "roc_beta_humaneval_v1"),
        *("auc_vs_ece_v1", "auc_vs_ece_simulated_v1"),
    }
    assert names == {f"{stem}.svg" for stem in stems}


def test_a_reliability_diagram_prints_scores_and_counts(figures: Path) -> None:
    text = words(figures / "reliability_alpha_1_co_9592b904_defects4j_v1.svg")
    assert "B 0.15   SS +0.06   ECE 0.14" in text
    assert "B 0.25   SS \N{MINUS SIGN}0.56   ECE 0.30" in text
    assert {"Total Prob", "Verbalize"} <= set(text)
    assert "alpha_1 & co on defects4j, all-pass" in text
    # two panels, each with the counts 0, 2, 4, ... 16, 0
    for count, times in {"0": 4, "2": 2, "14": 2, "16": 2}.items():
        assert text.count(count) == times, count


def test_a_roc_figure_names_each_auroc(figures: Path) -> None:
    text = words(figures / "roc_planted_humaneval_v1.svg")
    assert {"Total Prob 0.63", "Verbalize 0.55"} <= set(text)
    assert "planted, simulated on humaneval, all-pass" in text


def test_simulated_language_models_have_figures_of_their_own(figures: Path) -> None:
    real, simulated = (words(figures / f"auc_vs_ece{end}_v1.svg") for end in ("", "_simulated"))
    assert {"1 alpha_1 & co", "2 beta"} <= set(real)
    assert not any("planted" in word for word in real)
    assert "planted" in simulated
    assert any(word.endswith(", simulated") for word in simulated)
    assert not any("alpha" in word for word in simulated)


def test_the_same_rows_give_the_same_bytes(figures: Path, tmp_path: Path) -> None:
    for kind in ("reliability", "roc", "auc-vs-ece"):
        plot(kind, lm="beta", out=tmp_path / "once", warehouse=True)
        plot(kind, lm="beta", out=tmp_path / "again", warehouse=True)
    drawn = [path for path in (tmp_path / "once").iterdir() if "provenance" not in path.name]
    assert len(drawn) == 9
    for path in drawn:
        content = path.read_bytes()
        assert content.startswith(MAGIC[path.suffix[1:]])
        assert content == (tmp_path / "again" / path.name).read_bytes()
        assert not re.search(rb"CreationDate|<dc:date>", content)
        if path.suffix == ".svg" and path.stem != "auc_vs_ece_beta_v1":  # there it has all
            assert content == (figures / path.name).read_bytes()


def test_the_record(figures: Path) -> None:
    for path in figures.glob("*.svg"):
        record = json.loads((figures / f"{path.name}.provenance.json").read_text())
        assert record["sha256"] == file_sha256(path)
        assert len(query(record["query"], warehouse=True).rows) == record["rows"]
        assert any(name.endswith("_v1") for name in record["reads"])


def test_choices(views: Path, tmp_path: Path) -> None:
    there: dict[str, Any] = {"format": "svg", "out": tmp_path, "warehouse": True}
    wanted = {"lm": "alpha_1 & co", "dataset": "humaneval", "setting_id": "warm"}
    (report,) = plot("reliability", **wanted, measures=("verbalized",), **there)
    text = words(Path(report.path))
    assert "completion, T=0.8" in text
    assert "Verbalize" in text
    assert "Total Prob" not in text
    exact = {"lm": "planted", "dataset": "defects4j", "notion": "exact_match"}
    (report,) = plot("roc", **exact, **there)
    assert "planted, simulated on defects4j, exact match" in words(Path(report.path))


def test_no_figure_takes_the_place_of_anothers(views: Path, tmp_path: Path) -> None:
    there: dict[str, Any] = {"format": "svg", "out": tmp_path, "warehouse": True}
    asked: list[dict[str, Any]] = [
        {"lm": "alpha_1 & co", "dataset": "humaneval"},
        {"lm": "alpha_1 & co", "dataset": "humaneval", "setting_id": "warm"},
        {"lm": "alpha_1 & co", "dataset": "humaneval", "measures": ("verbalized",)},
        {"lm": "alpha_1 & co", "dataset": "humaneval", "measures": tuple(CONFIDENCES)},
    ]
    names = [Path(plot("reliability", **each, **there)[0].path).stem for each in asked]
    assert names[:3] == [
        "reliability_alpha_1_co_9592b904_humaneval_v1",
        "reliability_alpha_1_co_9592b904_humaneval_warm_v1",
        "reliability_alpha_1_co_9592b904_humaneval_verbalized_v1",
    ]
    assert len(names[3]) < 130
    one = plot("auc-vs-ece", dataset="humaneval", **there)
    assert [Path(each.path).stem for each in one] == [
        "auc_vs_ece_humaneval_v1",
        "auc_vs_ece_simulated_humaneval_v1",
    ]


def test_names_of_figures_differ_where_what_is_asked_for_does() -> None:
    names = [
        "\u901a\u4e49",
        "\u6587\u5fc3",
        "a/b",
        "a_b",
        "a b",
        "a-b",
        "m" * 240,
        "m" * 241,
        "..",
        "starter",
    ]
    asked: list[dict[str, Any]] = [{}, *({"lm": name} for name in names)]
    board = Figure("pass_at_k_starter", "", lambda _: None, {"dataset": "starter"})
    stems = [figure_stem(board, PlotSpec("pass-at-k", dataset="starter", **each)) for each in asked]
    of_lms = [file_stem("reliability", name, "starter") for name in names]
    for found in (stems, of_lms):
        assert len({stem.lower() for stem in found}) == len(found)
        assert all(re.fullmatch(r"[A-Za-z0-9._-]{1,200}", stem) for stem in found)
    assert file_stem("gpt-3.5-turbo", "human_eval") == "gpt-3.5-turbo_human_eval"


def test_no_two_measures_look_alike() -> None:
    assert set(LOOKS) == set(CONFIDENCES)
    looks = [mark_of(place)[:2] for place in range(len(COLOURS) * len(DASHES))]
    assert len({str(one) for one in looks[: len(LOOKS)]}) == len(LOOKS)
    assert len({mark_of(place)[2] for place in range(len(LOOKS))}) == len(LOOKS)


def test_what_is_not_there(views: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no calibration result .* fits .* beta on humaneval"):
        plot("roc", lm="nobody", warehouse=True)
    with pytest.raises(BadInput, match="unknown measure"):
        plot("roc", measures=("charm",), warehouse=True)
    with pytest.raises(BadInput, match=r"no setting 'x' in calibration_raw_v1; available: \w+ \("):
        plot("roc", setting_id="x", warehouse=True)
    with pytest.raises(BadInput, match="no view calibration_raw_v9: versions of calibration_raw"):
        plot("auc-vs-ece", version=9, warehouse=True)
    with pytest.raises(BadInput, match="nothing to draw"):
        plot("roc", measures=("ask_tf",), out=tmp_path / "none", warehouse=True)
    assert not (tmp_path / "none").exists()
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="figures go to a folder"):
        plot("roc", out=tmp_path / "file", warehouse=True)
    (tmp_path / "dangling").symlink_to("nothing")
    with pytest.raises(BadInput, match="is a symbolic link to nothing; figures go to a folder"):
        plot("roc", out=tmp_path / "dangling", warehouse=True)


def test_no_figure_is_drawn_where_one_cannot_be_written(views: Path, tmp_path: Path) -> None:
    (tmp_path / "auc_vs_ece_v1.png").symlink_to("nothing")
    with pytest.raises(BadInput, match=r"auc_vs_ece_v1\.png: is a symbolic link to nothing"):
        plot("auc-vs-ece", out=tmp_path, warehouse=True)
    assert [path.name for path in tmp_path.iterdir()] == ["auc_vs_ece_v1.png"]


def test_without_a_version_the_newest_views_are_drawn() -> None:
    drawn = {
        "reliability": "reliability_bins",
        "roc": "roc",
        "auc-vs-ece": "calibration_raw",
        "ame": "ame",
        "diversity": "sim_at_k",
        "pass-at-k": "pass_at_k_curve",
        "comparison": "comparison_to_best",
        "problems": "comparison",
        "rtc-projects": "rtc_project_correlation",
        "rtc-pairs": "rtc_project_correlation",
    }
    views = [view.name for view in describe_views()]
    newest = {
        kind: sum(name.startswith(f"{view}_v") for name in views) for kind, view in drawn.items()
    }
    assert list(NEWEST) == list(PLOTS)
    assert newest == NEWEST


def test_names_from_the_data_stay_names(home: Path, tmp_path: Path) -> None:
    make_calibration_views()
    strange = "../we'ird $x^2$ \\alpha"
    with writing() as con:
        for view in ("calibration_raw_v1", "roc_v1"):
            con.execute(f"update {view} set lm = ? where lm_id = 'b'", [strange])
    (report,) = plot("roc", lm=strange, format="svg", out=tmp_path, warehouse=True)
    assert Path(report.path).parent == tmp_path
    assert f"{strange} on humaneval, all-pass" in words(Path(report.path))


def test_what_the_font_lacks_is_said_and_the_rest_is_silence(home: Path, tmp_path: Path) -> None:
    make_calibration_views()
    with writing() as con:
        for view in ("calibration_raw_v1", "roc_v1"):
            con.execute(f"update {view} set lm = '模型' where lm_id = 'b'")
    wanted = (
        "--warehouse",
        "--version",
        "1",
        "--lm",
        "模型",
        "--format",
        "png",
        "--out",
        str(tmp_path),
    )
    done = shell("plot", "roc", *wanted, MPLCONFIGDIR="/proc/nowhere")
    assert done.returncode == 0
    assert done.stderr == "note: the font lacks 型模: boxes are drawn for them\n"


def test_command(views: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    v1 = ["--warehouse", "--version", "1"]
    options = ["--lm", "beta", "--format", "png", "--out", str(tmp_path)]
    assert run(["plot", "reliability", *v1, *options]) == 0
    assert capsys.readouterr().out == f"{tmp_path}/reliability_beta_humaneval_v1.png\n"
    assert run(["plot", "roc", *v1, "--lm", "nobody"]) == 3
    assert "no calibration result in" in capsys.readouterr().err
    assert run(["plot", "pie"]) == 3
    assert run(["plot"]) == 2
