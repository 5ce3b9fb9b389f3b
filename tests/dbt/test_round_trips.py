"""Round trips: random worlds beside an oracle, and a golden file of each version."""

from collections import Counter
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.goldens import check_golden
from tests.support.oracles import execution as oracles
from tests.support.oracles import round_trips as trip_oracles
from tests.support.oracles.statistics.intervals import of_mean
from tests.support.sql import macro, rows_of, same
from tests.support.steps import build
from tests.support.worlds.round_trips import random_round_trips
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=60)

VIEWS = ("rtc_synthesis_v1", "rtc_synthesis_v2", "round_trips_v1")
SIMILARITIES = {
    1: ("pass", "exact_match", "bleu", "codebleu"),
    2: ("pass", "exact_match", "bleu", "chrf", "codebleu"),
}
MEASURES = ("rtc", "baseline", "lift", "at_k", "leak_rate")
INTERVAL_REASONS = {"rtc": "interval_null_reason", "lift": "lift_interval_null_reason"}
COLUMNS = {
    "bleu": ("bleu", 2),
    "chrf": ("chrf", 2),
    "codebleu_v1": ("codebleu", 1),
    "codebleu_v2": ("codebleu", 2),
}
ORDER = "lm_id, setting_id, forward_lm_id, forward_setting_id, similarity"
WORDS = st.lists(st.sampled_from(["a", "b", "+", "=", "12", " ", "\n"]), max_size=12).map("".join)


@given(WORDS, WORDS)
def test_a_quotation_is_half_of_the_code_in_one_piece(text: str, code: str) -> None:
    tokens = [macro("tokens.sql", f"token_list('{name}')") for name in ("text", "code")]
    sql = macro("tokens.sql", "quotes_half('words', 'code')")
    texts = f"select {tokens[0]} as words, {tokens[1]} as code from (select ? as text, ? as code)"
    query = f"select {sql} from ({texts})"
    ((found,),) = duckdb.execute(query, [text, code]).fetchall()
    expected = trip_oracles.quotes_half(text, code) if trip_oracles.tokens(code) else None
    assert found is expected


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, dict[str, Any]]:
    world = random_round_trips(20240213)
    path = world.write(tmp_path_factory.mktemp("trips") / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path, select="+round_trips +rtc_synthesis")
    with reading(path) as con:
        views = {view: rows_of(con, f"select * from {view}") for view in VIEWS}
        for view in VIEWS[:2]:
            views[view] = rows_of(con, f"select * from {view} order by {ORDER}")
    return world, views


@pytest.mark.parametrize(
    ("similarity", "version"),
    [(name, version) for version, names in SIMILARITIES.items() for name in names],
)
def test_views_agree_with_the_oracle(built: Any, similarity: str, version: int) -> None:
    world, views = built
    ours = {
        (r["lm_id"], r["setting_id"], r["forward_lm_id"], r["forward_setting_id"], r["dataset"]): r
        for r in views[f"rtc_synthesis_v{version}"]
        if r["similarity"] == similarity
    }
    entries = trip_oracles.trips(world.raw, version, similarity)
    assert ours.keys() == entries.keys()
    assert len(ours) > 10
    reasons: Counter[str] = Counter()
    unbounded: Counter[str | None] = Counter()
    for key, problems in entries.items():
        row = ours[key]
        release = world.raw["problem"]
        size = sum(p["release_id"] == row["release_id"] for p in release)
        places = {p["problem_id"]: p["position"] for p in release}
        values: dict[str, list[float | None]] = {name: [None] * size for name in MEASURES}
        told: Counter[str] = Counter()
        for problem, trip in problems.items():
            found, reason = trip_oracles.measures(world.raw, problem, trip, version, similarity)
            told[str(reason)] += reason is not None
            for name in MEASURES:
                values[name][places[problem]] = found[name]
        assert (row["n_total"], row["n_dataset"]) == (len(problems), size)
        for reason in ("errata", "reference_fails", *trip_oracles.REASONS):
            assert row[f"n_null_{reason}"] == told[reason], (key, reason)
        lacks_lift = row["rtc"] is not None and row["lift"] is None
        assert row["lift_null_reason"] == ("no_baseline" if lacks_lift else None), key
        assert row["n_descriptions_empty"] == sum(trip.n_empty for trip in problems.values())
        for name in MEASURES:
            assert same(row[name], oracles.mean(values[name])), (key, name)
            kind = "difference" if name == "lift" else "share"
            (low, high), why = of_mean(values[name], kind)
            assert same(row[f"{name}_lo"], low), (key, name)
            assert same(row[f"{name}_hi"], high), (key, name)
            if name in INTERVAL_REASONS:
                assert row[INTERVAL_REASONS[name]] == why
                unbounded[why] += row[name] is not None
        reasons += told
    least = 2 if similarity == "exact_match" or version == 2 else 4
    assert len(reasons) >= least, reasons
    assert "problems_lt_min" in unbounded
    if version == 2:
        assert unbounded[None] > 2


@pytest.mark.parametrize("version", SIMILARITIES)
def test_each_version_has_its_similarities(built: Any, version: int) -> None:
    found = Counter(row["similarity"] for row in built[1][f"rtc_synthesis_v{version}"])
    assert found.keys() == set(SIMILARITIES[version])
    assert len(set(found.values())) == 1


def test_every_program_has_a_row(built: Any) -> None:
    world, views = built
    tasks = {row["setting_id"]: row["task"] for row in world.raw["setting"]}
    wanted = [row for row in world.raw["generation"] if tasks[row["setting_id"]] == "resynthesis"]
    ours = {row["generation_id"]: row for row in views["round_trips_v1"]}
    assert ours.keys() == {row["generation_id"] for row in wanted}
    texts = {row["generation_id"]: row["kept_text"] for row in world.raw["generation_text"]}
    code = {row["problem_id"]: row["code"] for row in world.raw["region"]}
    verdicts = trip_oracles._verdicts(world.raw)
    for row in wanted:
        name, problem = row["generation_id"], row["problem_id"]
        verdict, reason = verdicts.get(name, (None, "not_executed"))
        assert (ours[name]["verdict"], ours[name]["null_reason"]) == (verdict, reason)
        assert ours[name]["exact_match_v1"] == trip_oracles.equal(texts[name], code[problem], 1)
        assert ours[name]["exact_match_v2"] == trip_oracles.equal(texts[name], code[problem], 2)
        assert ours[name]["description_id"] == row["parent_generation_id"]


def test_every_program_has_its_similarities_or_why_not(built: Any) -> None:
    world, views = built
    counts: Counter[str] = Counter()
    graded = {version: trip_oracles.graded(world.raw, version) for version in SIMILARITIES}
    for row in views["round_trips_v1"]:
        for column, (similarity, version) in COLUMNS.items():
            expected = graded[version][row["generation_id"], similarity]
            reason = row[f"{similarity}_null_reason"]
            if isinstance(expected, str):
                assert (row[column], reason) == (None, expected)
            else:
                assert reason is None
                assert same(row[column], expected), column
            counts[str(reason)] += 1
    assert counts.keys() == {"None", "not_measured", "not_applicable"}


@pytest.mark.parametrize("view", VIEWS[:2])
def test_golden(built: Any, view: str) -> None:
    check_golden(view, built[1][view])


def test_golden_of_the_programs(built: Any) -> None:
    rows = sorted(built[1]["round_trips_v1"], key=lambda row: row["generation_id"])
    check_golden("round_trips_v1", rows[:60])
