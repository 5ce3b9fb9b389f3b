"""Ratings of planted judges: which pairs are asked about, how often, and what comes of replies."""

import json
import socket
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from models.keys import text_key
from runners.cli.main import run
from runners.drawing.backends.base import Request
from runners.drawing.backends.planted import PlantedBackend
from runners.drawing.backends.planted_judge import aimed, overlap
from runners.drawing.backends.planted_truth import Truth
from runners.steps.night_config import read_config
from runners.tasks.judges.forms import shown
from tests.loopback.server import serving
from tests.support.oracles.execution import all_pairs, neighbours
from tests.support.sql import rows, rows_in
from tests.support.steps import build, execute, generate, ingest_dataset, rate
from warehouse.errors import BadInput

VIEWS_READ = "+judge_health +sim_at_k"

pytestmark = pytest.mark.long(seconds=60)

CODER = {"pass_rate": 0.7, "n_styles": 3, "unparseable": 0.0, "length_range": [200, 700]}
FAIR: dict[str, Any] = {"seed": 5}
BIASED: dict[str, Any] = {"judge_bias": 0.8, "judge_noise": 0.4, "judge_prose": 0.15, "seed": 5}

Pair = tuple[str, str]


def ask(lm: str = "critic", truth: dict[str, Any] = FAIR, **fields: Any) -> Any:
    return rate(backend="planted", lm=lm, options=truth, progress=False, **fields)


def samples(home: Path) -> dict[str, list[dict[str, Any]]]:
    """Return candidate and verdict of each problem's samples, in order."""
    found = defaultdict(list)
    for row in rows_in(
        home / "warehouse.duckdb",
        """
        select generation.problem_id, candidate_id, candidate.source,
            verdict = 'passed' as passed
        from raw.generation as generation
        join raw.evaluation using (generation_id)
        join facts.program_settled using (program_id)
        join raw.candidate using (candidate_id)
        where parent_generation_id is null
        order by generation.problem_id, sample_index
        """,
    ):
        found[row["problem_id"]].append(row)
    return found


def wanted_pairs(home: Path, pair_up: Any) -> set[Pair]:
    """Return the pairs of all samples and of right ones, each in the order of its keys."""
    found = set()
    for each in samples(home).values():
        right = [row["candidate_id"] for row in each if row["passed"]]
        for codes in ([row["candidate_id"] for row in each], right):
            found |= {(min(pair), max(pair)) for pair in pair_up(codes)}
    return found


def levels(measure: str, lm: str) -> list[tuple[Any, ...]]:
    return rows(
        """
        select candidate_first, candidate_second, vote, level, null_reason
        from raw.pair_rating join raw.scorer using (scorer_id)
        where measure = ? and name = ? order by all
        """,
        measure,
        lm,
    )


def test_version_1_asks_once_about_each_neighbour_and_again_about_none(judged: Path) -> None:
    report = ask()
    found = levels("judge_v1", "critic")
    pairs = wanted_pairs(judged, neighbours)
    assert [(first, second) for first, second, *_ in found] == sorted(pairs)
    assert (report.n_pairs, report.n_asked, report.lost) == (len(pairs), len(pairs), {})
    sources = {
        row["candidate_id"]: row["source"] for rows in samples(judged).values() for row in rows
    }
    assert {len({first, second}) for first, second in pairs} == {1, 2}
    for first, second, vote, level, null_reason in found:
        aim = aimed(shown(sources[first]), shown(sources[second]), Truth(**FAIR))
        assert aim == 1 + 4 * overlap(shown(sources[first]), shown(sources[second]))
        assert abs(level - aim) < 1
        assert (vote, null_reason) == (0, None)
        assert first != second or level == 5
    again = ask()
    assert (again.n_pairs, again.n_asked) == (len(pairs), 0)
    more = ask(pairs="all")
    assert more.n_asked == len(wanted_pairs(judged, all_pairs) - pairs) > 0
    assert ask("critic", {"seed": 6}).n_asked == len(pairs), "another truth is another judge"


def test_version_2_asks_three_times_in_each_order(judged: Path) -> None:
    report = ask("biased", BIASED, template="pair_judge_v2", pairs="all")
    found = levels("judge_v2", "biased")
    pairs = wanted_pairs(judged, all_pairs)
    orders = {*pairs, *((second, first) for first, second in pairs)}
    assert [row[:3] for row in found] == sorted(
        (*pair, vote) for pair in orders for vote in range(3)
    )
    reasons = Counter(reason for *_, reason in found)
    assert set(reasons) == {None, "no_level", "empty_reply", "out_of_range"}
    n_unread = len(found) - reasons[None]
    assert report.issues["parse_fail"] == n_unread
    assert abs(n_unread / len(found) - 0.15) < 0.04
    assert ask("biased", BIASED, template="pair_judge_v2", pairs="all").n_asked == 0
    replies = rows(
        "select task, prompt_kind, temperature, count(*), count(distinct generation_id) "
        "from raw.pair_rating join raw.generation using (generation_id) "
        "join raw.setting using (setting_id) join raw.generation_text using (generation_id) "
        "join raw.language_model using (lm_id) where lm = 'biased' group by all"
    )
    assert replies == [("rating", "pair_judge_v2", 1.0, len(found), len(found))]


def test_the_planted_bias_is_in_the_interval_and_values_are_those_of_the_rule(
    judged: Path,
) -> None:
    ask("umpire")
    ask("biased", BIASED, template="pair_judge_v2", pairs="all")
    build(select=VIEWS_READ)
    (health,) = rows(
        "select order_bias_lo, order_bias_hi, few_clusters, n_no_level + n_out_of_range > 0, "
        "n_pairs_rated > 0 from judge_health where lm = 'biased'"
    )
    low, high, *rest = health
    assert low < BIASED["judge_bias"] < high
    assert high - low < 0.5
    assert rest == [False, True, True]
    expected = []
    by_pair = {row[:2]: row[3] for row in levels("judge_v1", "umpire")}
    for each in samples(judged).values():
        codes = [row["candidate_id"] for row in each]
        shares = [(by_pair[min(pair), max(pair)] - 1) / 4 for pair in neighbours(codes)]
        expected.append(sum(shares) / len(shares))
    found = rows(
        "select sim, n_sim, n_sim_null_pairs_missing, n_csim_null_pairs_missing "
        "from sim_at_k_v1 where scorer = 'umpire' and scope = 'all'"
    )
    assert found == [(pytest.approx(sum(expected) / len(expected)), len(expected), 0, 0)]
    # in version 2 of the view every pair counts, and no pair of the biased judge is missing
    (missing,) = rows(
        "select n_sim_null_pairs_missing, n_pairs_no_score > 0, similarity_null_reason "
        "from sim_at_k_v2 where similarity = 'judge_v2' and scope = 'all'"
    )
    assert missing[0] == 0
    assert missing[2] is None


def test_what_is_lost_is_asked_again_and_what_is_prose_is_not(
    judged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prose = {"judge_prose": 1.0}
    with monkeypatch.context() as patch:
        patch.setattr(
            PlantedBackend,
            "_fault",
            lambda self, request: "timeout" if len(request.prompt) % 2 else None,
        )
        cut = ask("poet", prose)
    assert 0 < cut.lost["gave_up"] < cut.n_pairs
    assert cut.n_asked == cut.n_pairs - cut.lost["gave_up"]
    rest = ask("poet", prose)
    assert (rest.n_asked, rest.lost) == (cut.lost["gave_up"], {})
    assert ask("poet", prose).n_asked == 0
    found = levels("judge_v1", "poet")
    assert len(found) == cut.n_pairs
    assert {level for *_, level, _ in found} == {None}
    build(select=VIEWS_READ)
    assert rows(
        "select sim, n_sim, n_sim_null_no_score > 0, similarity_null_reason from sim_at_k_v1 "
        "where similarity = 'judge_v1' and scope = 'all' and scorer = 'poet'"
    ) == [(None, 0, True, None)]
    assert rows(
        "select n_pairs_rated, n_pairs_no_rating = n_pairs, n_levels from judge_health "
        "where lm = 'poet'"
    ) == [(0, True, 0)]


def test_of_several_votes_only_the_lost_ones_are_asked_again(
    judged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(
            PlantedBackend,
            "_fault",
            lambda self, request: "timeout" if request.sample_index == 1 else None,
        )
        cut = ask("choir", template="pair_judge_v2")
    assert cut.n_asked == 2 * cut.lost["gave_up"]
    assert {vote for _, _, vote, *_ in levels("judge_v2", "choir")} == {0, 2}
    seen: list[int] = []
    complete = PlantedBackend.complete
    monkeypatch.setattr(
        PlantedBackend,
        "complete",
        lambda self, requests: complete(
            self, (seen.append(request.sample_index) or request for request in requests)
        ),
    )
    assert ask("choir", template="pair_judge_v2").n_asked == cut.lost["gave_up"]
    assert set(seen) == {1}


def test_a_request_shows_programs_without_comments_and_a_chat_gets_messages(
    judged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Request] = []
    complete = PlantedBackend.complete
    monkeypatch.setattr(
        PlantedBackend,
        "complete",
        lambda self, requests: complete(self, (seen.append(r) or r for r in requests)),
    )
    ask("talker", {"chat": True}, template="pair_judge_v2", seed=7, dataset="starter")
    assert {request.messages for request in seen} == {
        (("user", request.prompt),) for request in seen
    }
    assert {(request.seed, request.sample_index) for request in seen} == {(7, 0), (7, 1), (7, 2)}
    assert all("#xx" not in request.prompt for request in seen)
    assert all(request.parent_generation_id and request.variant_id for request in seen)
    sources = {text_key(row["source"]) for rows in samples(judged).values() for row in rows}
    assert {row[0] for row in rows("select candidate_first from raw.pair_rating")} <= sources
    assert rows("select distinct style from raw.setting where seed = 7") == [("solution",)]


def test_what_cannot_be_rated_is_said_in_one_line(judged: Path) -> None:
    ask()
    with pytest.raises(BadInput, match="'nope' is not in the warehouse; available: "):
        ask(answered_by="nope")
    with pytest.raises(BadInput, match="'mbpp' is not in the warehouse; available: starter; run"):
        ask(dataset="mbpp")
    with pytest.raises(BadInput, match="no pair can be rated: no sample of critic has a verdict"):
        ask(answered_by="critic")
    with pytest.raises(BadInput, match="must not exceed 2"):
        ask(truth={"judge_bias": 3.0, "judge_noise": 1.0})


def test_one_sample_makes_no_pair(starter: None) -> None:
    generate(backend="planted", lm="coder", dataset="starter", n=1, options=CODER, progress=False)
    with pytest.raises(BadInput, match="no sample has a verdict; run `assay generate`"):
        ask()
    execute(progress=False, limit=3)
    with pytest.raises(BadInput, match="has two samples of a problem with a verdict; draw more"):
        ask()


@pytest.mark.parametrize("api", ["completions", "chat"])
def test_a_served_language_model_rates_over_http(judged: Path, api: str) -> None:
    with serving() as server:
        options = {"base_url": server.base_url, "api": api, "api_key_env": ""}
        asked: dict[str, Any] = {"backend": "openai", "lm": f"tiny_{api}", "progress": False}
        asked |= {"options": {**options, "served_lm": "tiny"}, "max_tokens": 24, "seed": 3}
        report = rate(template="pair_judge_v2", **asked)
        again = rate(template="pair_judge_v2", **asked)
    assert report.n_asked > report.n_pairs
    assert (report.lost, again.n_asked) == ({}, 0)
    bodies = [body for body in server.bodies if "<second>" in json.dumps(body)]
    assert len(bodies) == report.n_asked
    assert {(body["temperature"], body["max_tokens"]) for body in bodies} == {(1, 24)}
    assert {body["seed"] for body in bodies} == {3, 4, 5}
    found = levels("judge_v2", f"tiny_{api}")
    assert len(found) == report.n_asked
    assert report.issues["parse_fail"] == sum(level is None for *_, level, _ in found)


def test_an_endpoint_that_is_down_ends_in_one_line(
    judged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    dead = [f"base_url=http://127.0.0.1:{port}/v1", "give_up_after_s=0.2"]
    options = [word for option in dead for word in ("-o", option)]
    code = run(["rate", "--backend", "openai", "--lm", "gone", "--no-progress", *options])
    errors = capsys.readouterr().err.strip().splitlines()
    assert code == 1
    assert len(errors) == 1
    assert errors[0].startswith("error: ")
    assert f"127.0.0.1:{port}" in errors[0]
    assert levels("judge_v1", "gone") == []


def test_the_command_says_how_much_it_will_ask(
    judged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["rate", "--backend", "planted", "--lm", "speaker", "--template", "pair_judge_v2"]
    assert run(words) == 0
    said = capsys.readouterr()
    report = ask("speaker", {}, template="pair_judge_v2")
    (n_same,) = [sum(first == second for first, second in wanted_pairs(judged, neighbours))]
    n_asked = 6 * (report.n_pairs - n_same) + 3 * n_same
    first_line = f"rate pair_judge_v2 speaker: {n_asked:,} requests about {report.n_pairs:,} pairs"
    assert said.err.splitlines()[0] == first_line
    assert f"asked {n_asked:,}" in said.out
    assert said.out.endswith("next: assay build\n")
    assert run([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n_asked"] == 0


def test_a_night_imports_ratings_and_asks_judges(judged: Path, tmp_path: Path) -> None:
    (tmp_path / "ratings.jsonl").write_text("{}\n")
    night = tmp_path / "night.toml"
    night.write_text(
        '[[rate]]\nbackend = "planted"\nlm = "owl"\npairs = "all"\nmax_samples = 3\n'
        'options = { seed = 4 }\n[[ratings]]\npath = "ratings.jsonl"\n'
    )
    steps = [step for step in read_config(night) if step.verb in ("rate", "ratings")]
    assert [step.name for step in steps] == ["ratings", "rate owl"]
    with pytest.raises(BadInput, match=r"ratings\.jsonl:1: the field 'dataset' is missing"):
        steps[0].run(progress=False)
    report = steps[1].run(progress=False)
    firsts = {
        problem: [row["candidate_id"] for row in each][:3]
        for problem, each in samples(judged).items()
    }
    pairs = {(min(pair), max(pair)) for codes in firsts.values() for pair in all_pairs(codes)}
    assert (report.n_pairs, report.n_asked) == (len(pairs), len(pairs))


def test_programs_that_follow_a_plan_are_rated(home: Path) -> None:
    """Such a program is an answer to an earlier answer, and a sample like any other."""
    ingest_dataset("starter")
    generate(
        backend="planted",
        lm="planner",
        dataset="starter",
        n=2,
        prompt="synthesis_chat_planning_v1",
        options=CODER | {"chat": True},
        progress=False,
    )
    execute(progress=False)
    followed = rows(
        "select problem_id, count(*) from raw.generation join raw.evaluation "
        "using (generation_id, problem_id) where parent_generation_id is not null group by all"
    )
    assert len(followed) > 20
    assert {n for _, n in followed} == {2}
    assert ask().n_asked == len(followed)
