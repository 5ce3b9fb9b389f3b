"""The tables of the diversity paper, and its figures: layout, order, and what is left out."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.support.figures import MAGIC, words
from tests.support.steps import export_paper, publish
from tests.support.steps import plot as plot_newest
from tests.support.worlds.papers.diversity_views import make_diversity_views
from tests.support.worlds.views import mark_built
from warehouse.errors import BadInput
from warehouse.snapshot.query import query
from warehouse.store.connection import writing

plot = partial(plot_newest, version=1)

TABLE_2 = r"""| language model | pass@1 (%) | Sim, clones, SCC (%) | Sim, encoder (one) (%) | Sim, encoder (two) (%) |
| --- | ---: | ---: | ---: | ---: |
| *apps* |  |  |  |  |
| beta | -- | 12.5 [6.3, 18.8] | 37.5 [31.3, 43.8] | 43.8 [37.5, 50.0] |
| *humaneval* |  |  |  |  |
| alpha\_1 & co, T=0.2 | **50.0** [43.8, 56.3] | 25.0 [18.8, 31.3] | 75.0 [68.8, 81.3] | 87.5 [81.3, 93.8] |
| alpha\_1 & co, T=0.8 | 37.5 [31.3, 43.8] | **12.5** [6.3, 18.8] | **37.5** [31.3, 43.8] | **43.8** [37.5, 50.0] |
| beta | -- | **12.5** [6.3, 18.8] | **37.5** [31.3, 43.8] | **43.8** [37.5, 50.0] |
| *humaneval, simulated language models* |  |  |  |  |
| planted | 25.0 [18.8, 31.3] | 12.5 [6.3, 18.8] | 37.5 [31.3, 43.8] | 43.8 [37.5, 50.0] |
"""  # noqa: E501
TABLE_3 = r"""| strategy | pass@1 (%) | Sim, clones, SCC (%) | Sim, encoder (one) (%) | Sim, encoder (two) (%) |
| --- | ---: | ---: | ---: | ---: |
| *alpha\_1 & co on humaneval* |  |  |  |  |
| vanilla | 37.5 [31.3, 43.8] | 12.5 [6.3, 18.8] | 37.5 [31.3, 43.8] | 43.8 [37.5, 50.0] |
| planning | 18.8 [31.3, 43.8] | 25.0 [6.3, 18.8] | 75.0 [31.3, 43.8] | 87.5 [37.5, 50.0] |
| few-shot CoT | **46.9** [31.3, 43.8] | **10.0** [6.3, 18.8] | **30.0** [31.3, 43.8] | **35.0** [37.5, 50.0] |
| *alpha\_1 & co on humaneval, introductory* |  |  |  |  |
| vanilla | 75.0 [31.3, 43.8] | 12.5 [6.3, 18.8] | 37.5 [31.3, 43.8] | 43.8 [37.5, 50.0] |
| planning | 37.5 [31.3, 43.8] | 25.0 [6.3, 18.8] | 75.0 [31.3, 43.8] | 87.5 [37.5, 50.0] |
| few-shot CoT | **93.8** [31.3, 43.8] | **10.0** [6.3, 18.8] | **30.0** [31.3, 43.8] | **35.0** [37.5, 50.0] |
| *alpha\_1 & co on humaneval, interview* |  |  |  |  |
| vanilla | 18.8 [31.3, 43.8] | 12.5 [6.3, 18.8] | 37.5 [31.3, 43.8] | 43.8 [37.5, 50.0] |
| planning | 9.4 [31.3, 43.8] | 25.0 [6.3, 18.8] | 75.0 [31.3, 43.8] | 87.5 [37.5, 50.0] |
| few-shot CoT | **23.4** [31.3, 43.8] | **10.0** [6.3, 18.8] | **30.0** [31.3, 43.8] | **35.0** [37.5, 50.0] |
"""  # noqa: E501
TABLE_4 = """| similarity | beside | pairs | Pearson | within problems | Spearman | Kendall |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| *alpha\\_1 & co on humaneval, T=0.2* |  |  |  |  |  |  |
| encoder (one) | clones, SCC | 820 | 0.75 [0.50, 0.88] | 0.06 | 0.50 | 0.25 |
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("diversity")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(place / "home"))
        make_diversity_views()
        mark_built()
        publish()
        for version in (1, 2):
            export_paper("diversity", version=version, out=place / "tables")
        yield place


def test_every_table_in_every_format(place: Path) -> None:
    found = {p.name for p in (place / "tables").iterdir() if "provenance" not in p.name}
    both = ("table_2_similarity", "table_3_strategies", "figure_5_correct_samples")
    names = (*(f"{stem}_v{version}" for stem in both for version in (1, 2)), "table_4_agreement_v1")
    assert found == {f"diversity_{name}.{end}" for name in names for end in ("tex", "csv", "md")}


def test_layout(place: Path) -> None:
    tables = place / "tables"
    assert (tables / "diversity_table_2_similarity_v1.md").read_text() == TABLE_2
    assert (tables / "diversity_table_3_strategies_v1.md").read_text() == TABLE_3
    assert (tables / "diversity_table_4_agreement_v1.md").read_text() == TABLE_4
    heads = (tables / "diversity_figure_5_correct_samples_v2.md").read_text().splitlines()[0]
    assert heads == (
        "| language model | pass@1 (%) | CSim, encoder (one) (%) | DPass, encoder (one) (%) "
        "| CSim, encoder (two) (%) | DPass, encoder (two) (%) | CSim, token overlap (%) "
        "| DPass, token overlap (%) |"
    )


def test_the_record_can_be_run_again(place: Path) -> None:
    for path in (place / "tables").glob("*.md"):
        record = json.loads((place / f"tables/{path.name}.provenance.json").read_text())
        assert record["paper"] == "diversity"
        assert len(query(record["query"]).rows) == record["rows"] > 0


@pytest.mark.long
def test_figures(place: Path) -> None:
    reports = plot("diversity", out=place / "figures")
    stems = {Path(report.path).stem for report in reports}
    assert stems == {
        "diversity_apps_scc_clone_80_v1",
        "diversity_humaneval_scc_clone_80_v1",
        "diversity_humaneval_scc_clone_80_simulated_v1",
    }
    for report in reports:
        path = Path(report.path)
        assert path.read_bytes().startswith(MAGIC[path.suffix[1:]])
    real = words(place / "figures/diversity_humaneval_scc_clone_80_v1.svg")
    names = ["alpha_1 & co, T=0.2 (30)", "alpha_1 & co, T=0.8 (30)", "beta (30)"]
    assert [word for word in real if word in names] == names, "those with most right first"
    assert {"pass@10", "Sim@10", "CSim@10", "DPass@10"} <= set(real)
    assert not any("planted" in word for word in real)
    resampled = words(place / "figures/diversity_apps_scc_clone_80_v1.svg")
    assert {"Sim@10", "CSim@10"} <= set(resampled)
    assert not {"pass@1", "DPass@10"} & set(resampled), "nothing is known of right samples"
    again = plot("diversity", out=place / "again")
    for one, other in zip(reports, again, strict=True):
        assert Path(one.path).read_bytes() == Path(other.path).read_bytes()


def test_each_scorer_has_its_figure(place: Path) -> None:
    which = {"measures": ["embedding_v1", "overlap_ratio"], "dataset": "apps", "version": 2}
    reports = plot("diversity", **which, format="svg", out=place / "some")
    assert {Path(report.path).name for report in reports} == {
        "diversity_apps_embedding_v1_one_v2.svg",
        "diversity_apps_embedding_v1_two_v2.svg",
        "diversity_apps_overlap_ratio_v2.svg",
    }


@pytest.mark.parametrize(
    ("left", "reason"),
    [
        ("none", r"no sample that is a whole function has a verdict: run `assay generate -n 10`"),
        ("few samples", r"Sim@10 needs 10 samples of a problem, and no problem here has as many"),
        ("not measured", r"no pair of samples here has a value of any similarity: run `assay sim"),
    ],
)
def test_an_export_of_nothing_says_what_is_missing(
    left: str, reason: str, home: Path, tmp_path: Path
) -> None:
    make_diversity_views()
    with writing() as con:
        for view in ("sim_at_k_v1", "strategies_v1", "measure_agreement_v1"):
            con.execute(f"delete from {view} where lm != $1", [left])
    mark_built()
    for out in (None, tmp_path / "tables"):
        with pytest.raises(BadInput, match=f"no diversity result .* to tabulate: {reason}") as said:
            export_paper("diversity", out=out, warehouse=True)
        assert "\n" not in str(said.value)
        assert str(said.value).endswith("`assay build`")
    assert not (tmp_path / "tables").exists()
    assert not (home / "exports").exists()


def test_what_is_not_there(place: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no row for a diversity figure"):
        plot("diversity", lm="nobody", out=tmp_path)
    with pytest.raises(BadInput, match=r"Sim@10 needs 10 samples of a problem.*generate -n 10`"):
        plot("diversity", lm="few samples", out=tmp_path)
    with pytest.raises(
        BadInput, match=r"no pair of samples here has a value of scc_clone_80: run `assay"
    ):
        plot("diversity", lm="not measured", out=tmp_path)
    with pytest.raises(BadInput, match=r"unknown similarity 'tfidf'.*tfidf_v1"):
        plot("diversity", measures=["tfidf"], out=tmp_path)
    with pytest.raises(BadInput, match="diversity takes no --notion"):
        plot("diversity", notion="all_pass", out=tmp_path)
    with pytest.raises(BadInput, match="there is no view sim_at_k_v3"):
        export_paper("diversity", version=3, out=tmp_path)
