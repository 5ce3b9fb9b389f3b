"""``assay compare`` and its figure: a small world whose comparisons are known by hand."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import assay, refused
from tests.support.figures import words
from tests.support.sql import rows_of
from tests.support.steps import build, plot, publish
from tests.support.worlds.comparison.entries import ComparedWorld
from tests.support.worlds.views import mark_built
from warehouse.checksums import file_sha256
from warehouse.errors import BadInput
from warehouse.reports.comparison.printed import REASONS, described, flip_lines, p, title
from warehouse.snapshot.query import query
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=30)

N = 30
NAMED = ("lm_id_a", "setting_id_a", "lm_id_b", "setting_id_b")


def known_world() -> ComparedWorld:
    """Build it: strong solves 24 of 30, weak the first 10 and one more, tens 12 in ten samples.

    Two language models share a name; planned was asked with another prompt, planted is simulated.
    """
    world = ComparedWorld()
    world.settings()
    problems = world.problems("toy1", "toy", N)
    solved = {
        "strong": set(range(24)),
        "weak": {*range(10), 29},
        "same_1": set(range(5)),
        "same_2": set(range(6)),
        "planned": set(range(7)),
        "planted": set(range(8)),
    }
    for lm, right in solved.items():
        world.lm(lm, simulated=lm == "planted")
        asked = problems[:28] if lm == "same_1" else problems
        setting = "s3" if lm == "planned" else "s1"
        world.answers(lm, setting, {name: [at in right] for at, name in enumerate(asked)})
    world.lm("tens", simulated=False)
    for setting, most in (("s1", 12), ("s2", 11)):
        world.answers(
            "tens",
            setting,
            {name: [n < at * most // N for n in range(10)] for at, name in enumerate(problems)},
        )
    world.lm("far", simulated=False)
    world.answers("far", "s1", {name: [True] for name in world.problems("other1", "other", 10)})
    for row in world.raw["language_model"]:
        if row["lm_id"].startswith("same"):
            row |= {"lm": "same", "revision": row["lm_id"].replace("same_", "r")}
    return world


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("compare")
    known_world().write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        build()
        yield home


def printed(*arguments: str) -> str:
    done = assay("compare", *arguments, "--warehouse")
    assert done.returncode == 0, done.stderr
    return done.stdout


def as_rows(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(printed(*arguments, "--json"))
    return found


def test_both_values_the_difference_and_every_test_are_printed(views: Path) -> None:
    shown = printed("strong", "weak", "--k", "1")
    assert shown.startswith("toy: pass@1 over 30 problems of both\n")
    for label, words_of in (
        ("strong", "80.0 %"),
        ("weak", "36.7 %"),
        ("difference", "+43.3 points, 95 % interval [+22.1, +64.6]"),
        ("p, exact McNemar test", "0.00098"),
        ("solved by one alone", "strong 14, weak 1"),
        ("solved by both, neither", "10, 5"),
        ("equivalent within 5.0 points", "not established"),
    ):
        (line,) = [each for each in shown.splitlines() if each.startswith(f"  {label}  ")]
        assert line.removeprefix(f"  {label}").strip() == words_of
    assert "of 10 comparisons" in shown
    assert shown.endswith("comparison_v1, the warehouse\n")


def test_the_other_way_round_every_sign_turns(views: Path) -> None:
    (one,), (other,) = as_rows("strong", "weak"), as_rows("weak", "strong")
    for name in ("lm_id", "lm", "setting_id", "setting", "n_dropped", "value", "n_only"):
        assert (one[f"{name}_a"], one[f"{name}_b"]) == (other[f"{name}_b"], other[f"{name}_a"])
    assert other["difference"] == -one["difference"]
    assert (other["difference_lo"], other["difference_hi"]) == (
        *(-one["difference_hi"], -one["difference_lo"]),
    )
    assert (other["tost_lower_p"], other["tost_upper_p"]) == (
        *(one["tost_upper_p"], one["tost_lower_p"]),
    )
    turned = {name for name in one if one[name] != other[name]}
    assert turned <= {
        *(f"{name}_{side}" for side in "ab" for name in ("lm_id", "lm", "value", "n_only")),
        *("difference", "difference_lo", "difference_hi", "tost_lower_p", "tost_upper_p"),
    }


def test_flips_are_the_problems_of_one_alone(views: Path) -> None:
    (row,) = as_rows("strong", "weak", "--flips")
    found = {(each["task_id"], each["verdict_a"], each["verdict_b"]) for each in row["flips"]}
    assert found == {
        *((f"toy/{at}", "passed", "failed") for at in range(10, 24)),
        ("toy/29", "failed", "passed"),
    }
    assert len(row["flips"]) == row["n_only_a"] + row["n_only_b"] == row["n_differing"]
    assert row["flips"][0]["generation_ids_a"] == ["g.strong.s1.toy1.10.0"]
    lines = printed("strong", "weak", "--flips").splitlines()
    assert sum(line.startswith("  toy/") for line in lines) == 15
    assert "flips" not in as_rows("strong", "weak")[0]
    none = row | {"flips": []}
    assert list(flip_lines(none)) == ["  no problem differs"]
    assert [*flip_lines(none | {"metric": "ece_x"})] == ["  no problem has a value: it is no mean"]


def test_of_several_samples_a_flip_says_how_many_are_right(views: Path) -> None:
    rows = as_rows("tens", "tens", "--flips")
    assert [(row["k"], row["pairing"]) for row in rows] == [(k, "settings") for k in (1, 5, 10)]
    shares = {
        each["task_id"]: (each["n_passed_a"], each["n_passed_b"]) for each in rows[0]["flips"]
    }
    wanted = {f"toy/{at}": (min(10, at * 11 // N), min(10, at * 12 // N)) for at in range(N)}
    assert shares == {name: pair for name, pair in wanted.items() if pair[0] != pair[1]}
    shown = printed("tens", "tens", "--flips", "--k", "5")
    assert "T=0.2" in shown
    assert "10 samples" in shown
    assert as_rows("tens", "tens", "--setting-a", "s1")[0]["setting_id_b"] == "s2"


def test_a_language_model_is_named_by_revision_or_key(views: Path) -> None:
    assert as_rows("same r1", "weak") == as_rows("same_1", "weak")
    (row,) = as_rows("same r1", "same r2")
    assert (row["n_common"], row["n_dropped_a"], row["n_dropped_b"]) == (28, 0, 2)
    shown = printed("same r1", "same r2")
    assert "same (r2)                               21.4 %, 2 more problems left out" in shown
    line = refused("compare", "same", "weak", "--warehouse", code=3)
    assert "'same' means several language models, name one by key: same r1 (same_1); " in line


@pytest.mark.parametrize(
    ("arguments", "words_of"),
    [
        (("wek", "strong"), "unknown language model 'wek': did you mean weak?"),
        (("weak", "strong", "--k", "7"), "no comparison has the k '7'; available: 1, 5, 10"),
        (("weak", "strong", "--k", "10"), "nothing is selected: these two are compared by pass@1"),
        (("weak", "strong", "--dataset", "toi"), "the dataset 'toi': did you mean toy?"),
        (("weak", "strong", "--metric", "' or 1"), 'no comparison has the metric "\' or 1"'),
        (("weak", "strong", "--metric", "rtc_pass"), "the metric 'rtc_pass'; available: "),
        (("weak", "weak"), "weak has one setting per dataset and task"),
        (("weak", "strong", "--setting-a", "zzz"), "no entry has the setting 'zzz'"),
        (("weak", "far"), "weak and far did not answer one release of a dataset"),
    ],
)
def test_nothing_selected_is_an_error(
    views: Path, arguments: tuple[str, ...], words_of: str
) -> None:
    assert words_of in refused("compare", *arguments, "--warehouse", code=3)


def test_every_reason_that_is_documented_has_words() -> None:
    documented = (
        Path("dbt/models/columns.md")
        .read_text()
        .partition("{% docs comparison_interval_null_reason %}\n")[2]
    )
    reasons = set(re.findall(r"[a-z]+(?:_[a-z]+)+", documented.partition("\n")[0]))
    assert {"problems_lt_min", "class_lt_min"} <= reasons <= REASONS.keys()


def test_a_p_value_says_where_it_comes_from(views: Path) -> None:
    with reading() as con:
        row = rows_of(con, "select * from comparison_v1 where p_value is not null limit 1")[0]
    row |= {"p_value": 0.01}
    for test, label in (("bootstrap", "paired bootstrap"), ("interval", "from the interval")):
        assert dict(described(row | {"test": test}))[f"p, {label}"] == "0.01"


def test_a_p_value_is_never_printed_as_zero() -> None:
    assert [p(value) for value in (0.0043, 1.0, 2e-14, 1e-300, None)] == [
        *("0.0043", "1", "2e-14", "< 1e-15", "--"),
    ]


def test_a_score_is_printed_as_it_is(views: Path) -> None:
    (row,) = as_rows("strong", "weak")
    row |= {"metric": "brier_avg_prob", "value_a": 0.25, "value_b": 0.5, "difference": -0.25}
    assert title(row).startswith("toy: Brier score of avg_prob (lower is better) over 30 ")
    shown = dict(described(row))
    assert (shown["strong"], shown["weak"]) == ("0.2500", "0.5000")
    assert shown["difference"].startswith("-0.2500, 95 % interval [+0.2")
    assert shown["equivalent within 0.0500"] == "not established"


def test_figures_hold_differences_to_the_best_or_of_one_to_each(
    views: Path, tmp_path: Path
) -> None:
    to_best = plot("comparison", format="svg", out=tmp_path, warehouse=True)
    # planned was asked otherwise, planted has nobody beside it, tens is alone at its temperature
    assert [Path(each.path).name for each in to_best] == ["comparison_toy_v1.svg"]
    assert to_best[0].n_rows == 4
    shown = words(Path(to_best[0].path))
    assert {"weak (30)", "same r1 (28)", "same r2 (30)", "tens (30)"} <= set(shown)
    assert "pass@1: the named less strong (points)" in shown
    (of_two,) = plot("comparison", lm="same r1", format="svg", out=tmp_path / "r1", warehouse=True)
    assert "pass@1: same r1 less the named (points)" in words(Path(of_two.path))
    (of_one,) = plot("comparison", lm="weak", format="svg", out=tmp_path, warehouse=True)
    assert "pass@1: weak less the named (points)" in words(Path(of_one.path))
    facts = json.loads(Path(f"{of_one.path}.provenance.json").read_text())
    found = query(facts["query"], warehouse=True)
    drawn = {row[4]: row[6] for row in found.rows}
    assert drawn["strong"] == -as_rows("strong", "weak")[0]["difference"]
    again = plot("comparison", format="svg", out=tmp_path / "again", warehouse=True)
    assert file_sha256(Path(again[0].path)) == file_sha256(Path(to_best[0].path))


def test_a_board_shows_pass_at_any_k(views: Path) -> None:
    shown = assay("leaderboard", "--k", "1,7", "--no-simulated", "--warehouse").stdout
    assert "pass@7" in shown
    assert "pass@10" not in shown
    rows = json.loads(assay("leaderboard", "--k", "7", "--json", "--warehouse").stdout)
    (tens,) = [row for row in rows if row["lm"] == "tens" and row["setting_id"] == "s1"]
    (value,) = query(
        "select pass_at_k, pass_at_k_lo from pass_at_k_curve_v1 "
        "where lm = 'tens' and setting_id = 's1' and k = 7",
        warehouse=True,
    ).rows
    assert (tens["pass_at_7"], tens["pass_at_7_lo"]) == value
    assert "1 [1, 1]" in shown
    for wrong in ("x", "0", "01", "1000000"):
        assert "is no whole number from 1 to" in refused("leaderboard", "--k", f"1,{wrong}", code=3)
    assert assay("leaderboard", "--k", "1,7,1", "--no-simulated", "--warehouse").stdout == shown
    some = assay("leaderboard", "--columns", "lm", "--k", "7", "--no-simulated", "--warehouse")
    assert re.split("  +", some.stdout.splitlines()[1]) == ["language model", "pass@7"]


def test_curves_of_pass_at_k_are_a_line_each(views: Path, tmp_path: Path) -> None:
    real, simulated = plot("pass-at-k", dataset="toy", format="svg", out=tmp_path, warehouse=True)
    assert Path(real.path).name == "pass_at_k_toy_v1.svg"
    assert Path(simulated.path).name == "pass_at_k_toy_simulated_v1.svg"
    shown = words(Path(real.path))
    assert {"strong (30 problems)", "same r1 (28 problems)", "tens (30 problems)"} <= set(shown)
    assert "toy, simulated language models" in words(Path(simulated.path))

    def ks(report: Any) -> dict[str, list[int]]:
        facts = json.loads(Path(f"{report.path}.provenance.json").read_text())
        found: dict[str, list[int]] = {}
        for row in query(facts["query"], warehouse=True).rows:
            found.setdefault(row[4], []).append(row[5])
        return found

    drawn = ks(real)
    assert drawn.pop("tens") == list(range(1, 11))
    assert set(map(tuple, drawn.values())) == {(1,)}
    (some,) = plot("pass-at-k", lm="tens", k=("1", "7"), format="svg", out=tmp_path, warehouse=True)
    assert Path(some.path).name == "pass_at_k_toy_tens_k1_7_v1.svg"
    assert ks(some) == {"tens": [1, 7]}
    assert {"1", "7"} <= set(words(Path(some.path)))
    (one,) = plot(
        "pass-at-k", lm="tens", setting_id="s2", format="svg", out=tmp_path, warehouse=True
    )
    assert Path(one.path).name == "pass_at_k_toy_tens_s2_v1.svg"
    with pytest.raises(BadInput, match="leave out --measures"):
        plot("pass-at-k", measures=("csim",), warehouse=True)
    with pytest.raises(BadInput, match=r"curve_v1 fits these options; .* on toy, k up to 10"):
        plot("pass-at-k", lm="nobody", warehouse=True)
    with pytest.raises(BadInput, match="no setting 's9' in pass_at_k_curve_v1"):
        plot("pass-at-k", setting_id="s9", warehouse=True)


def test_bars_are_the_problems_of_both(views: Path, tmp_path: Path) -> None:
    (found,) = plot(
        "problems", lm="strong", other="weak", format="svg", out=tmp_path, warehouse=True
    )
    assert Path(found.path).name == "problems_strong_weak_toy_v1.svg"
    shown = words(Path(found.path))
    assert "strong less weak on toy: 14 problems above 0, 1 below, 15 equal" in shown
    assert "toy/29" in shown
    (tens,) = plot(
        "problems", lm="tens", other="strong", format="svg", out=tmp_path, warehouse=True
    )
    facts = json.loads(Path(f"{tens.path}.provenance.json").read_text())
    result = query(facts["query"], warehouse=True)
    place = result.columns.index("difference")
    mean = sum(row[place] for row in result.rows) / len(result.rows)
    assert abs(mean - as_rows("tens", "strong", "--k", "1")[0]["difference"]) < 1e-12
    with pytest.raises(BadInput, match="name both, --lm and --other"):
        plot("problems", lm="strong", warehouse=True)
    with pytest.raises(BadInput, match="no comparison of strong and far fits"):
        plot("problems", lm="strong", other="far", warehouse=True)
    with pytest.raises(BadInput, match="--other goes with problems, not with comparison"):
        plot("comparison", lm="strong", other="weak", warehouse=True)


def test_any_two_entries_are_compared_and_what_differs_is_said(views: Path) -> None:
    (row,) = as_rows("tens", "strong", "--setting-a", "s2", "--k", "1")
    assert (row["pairing"], row["asked_otherwise"]) == ("asked", "temperature")
    assert (row["n_family"], row["holm_p"]) == (1, row["p_value"])
    assert (row["value_b"], row["n_common"]) == (0.8, N)
    shown = printed("weak", "planned", "--flips")
    assert "  asked otherwise                         prompt_kind, temperature" in shown
    assert sum(line.startswith("  toy/") for line in shown.splitlines()) == 4
    (other,) = as_rows("weak", "planted")
    assert (other["simulated"], other["asked_otherwise"]) == (True, None)
    (turned,) = as_rows("planted", "weak")
    assert turned["difference"] == -other["difference"]


def test_the_macro_gives_what_the_view_has(views: Path) -> None:
    """Every pair of a family once more: all but what is corrected for the family."""
    of_family = ("pairing", "holm_p", "bh_p", "n_family")
    view = query("select * from comparison_v1 order by all", warehouse=True)
    names = [name for name in view.columns if name not in of_family]
    found = [dict(zip(view.columns, row, strict=True)) for row in view.rows]
    assert len(found) > 20
    for ends in {tuple(r[n] for n in NAMED) for r in found}:
        rows = query(f"select * from compared_v1{ends!r}", warehouse=True)
        for row in (dict(zip(rows.columns, each, strict=True)) for each in rows.rows):
            twins = [
                r for r in found
                if all(r[n] == row[n] for n in ("metric", "k", "release_id", *NAMED))
            ]  # fmt: skip
            assert twins
            for twin in twins:
                assert {name: twin[name] for name in names} == {name: row[name] for name in names}


def test_a_snapshot_compares_any_two_entries(views: Path) -> None:
    mark_built()
    publish()
    ends = ("tens", "strong", "--setting-a", "s2", "--k", "1", "--json")
    assert json.loads(assay("compare", *ends).stdout) == as_rows(*ends[:-1])


def test_flips_and_bars_are_of_the_metric_asked_for(views: Path, tmp_path: Path) -> None:
    (row,) = as_rows("tens", "tens", "--k", "5", "--flips")
    assert len(row["flips"]) == row["n_differing"]
    assert row["flips"][0]["value_a"] not in (0, 0.1, 0.2, 0.3), "pass@5, not the share"
    total = sum(each["difference"] for each in row["flips"])
    assert abs(total / row["n_common"] - row["difference"]) < 1e-12
    (bars,) = plot(
        "problems", lm="tens", other="tens", setting_id="s2", k=("5",), format="svg",
        out=tmp_path, warehouse=True,
    )  # fmt: skip
    assert "pass@5: points apart" in words(Path(bars.path))


def test_two_language_models_are_compared_under_a_setting_of_their_board(views: Path) -> None:
    (row,) = as_rows("tens", "strong", "--setting-a", "s1", "--k", "1")
    assert (row["pairing"], row["setting_id_b"]) == ("board", "s1")
    (shown,) = as_rows("tens", "strong", "--k", "1")
    assert shown["pairing"] == "language_models"
    assert shown["difference"] == row["difference"]


def test_a_board_without_what_is_asked_for_is_refused(views: Path) -> None:
    nothing = ("leaderboard", "--warehouse", "--simulated", "--dataset")
    line = refused(*nothing, "other", code=3, run=assay)
    assert "leaderboard_v2 has no results of simulated language models on other" in line
    line = refused(*nothing, "otter", code=3, run=assay)
    assert "no results for dataset 'otter': did you mean other?" in line


def test_a_figure_of_nothing_is_refused(views: Path) -> None:
    with pytest.raises(BadInput, match="unknown language model 'nobody'"):
        plot("comparison", lm="nobody", warehouse=True)
    with pytest.raises(BadInput, match="'same' means several language models"):
        plot("comparison", lm="same", warehouse=True)
    with pytest.raises(BadInput, match=r"comparison_v1 does not compare .* at k 1; available: "):
        plot("comparison", lm="planned", warehouse=True)
    with pytest.raises(
        BadInput, match=r"best_v1 does not compare auroc_avg_prob .*; --lm compares"
    ):
        plot("comparison", metric="auroc_avg_prob", warehouse=True)
    with pytest.raises(BadInput, match="leave out --measures"):
        plot("comparison", measures=("csim",), warehouse=True)
    with pytest.raises(BadInput, match="versions of comparison are 1"):
        plot("comparison", lm="weak", version=2, warehouse=True)
