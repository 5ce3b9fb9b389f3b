"""The openai backend over real HTTP: three servers' habits, faults, lies, keys, money, crashes."""

import itertools
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from models.keys import content_key
from models.tables import Endpoint, EndpointCapability
from runners.cli.main import run
from runners.drawing.backends.base import Failure, Request, make_backend
from runners.drawing.backends.openai.probe import CAPABILITIES
from runners.steps.generate import GenerateReport
from tests.data import ROOT
from tests.loopback.server import LIES, Behaviour, Loopback, lie_about, serving
from tests.support.steps import generate
from warehouse.errors import AssayError, BadInput
from warehouse.store.append import store
from warehouse.store.connection import reading
from warehouse.store.runs import recorded
from warehouse.store.spool import drain_leftovers

N_PROBLEMS = 48  # of the starter set
KEY = "sk-loopback-0123456789abcdef"
SAMPLING: dict[str, Any] = {"temperature": 0.8, "max_tokens": 40}


@pytest.fixture(autouse=True)
def starter(home: Path, ingested: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ingested, home)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving() as found:
        yield found


def draw(server: Loopback | str, n: int = 1, **options: Any) -> GenerateReport:
    address = server if isinstance(server, str) else server.base_url
    sampling = {
        name: options.pop(name) for name in ("temperature", "seed", "top_p") if name in options
    }
    return generate(
        backend="openai",
        lm="tiny",
        dataset="starter",
        n=n,
        options={"base_url": address, **options},
        **{**SAMPLING, **sampling},
    )


def requests(n_prompts: int, n: int = 1, **sampling: Any) -> list[Request]:
    values = {"temperature": 0.8, "top_p": None, "max_tokens": 40, "stop": (), "seed": None}
    return [
        Request(
            generation_id=content_key(number, index, sampling),
            task_id=f"T/{number}",
            problem_id=f"problem {number}",
            variant_id=f"variant {number}",
            prompt=f"def task_{number}():\n",
            reference="",
            sample_index=index,
            **{**values, **sampling},
        )
        for number in range(n_prompts)
        for index in range(n)
    ]


def ask(server: Loopback | str, wanted: list[Request], **options: Any) -> dict[str, Any]:
    """Return the answers by generation, without a warehouse and without a probe."""
    address = server if isinstance(server, str) else server.base_url
    backend = make_backend("openai", "tiny", {"base_url": address, **options})
    answers = list(backend.complete(iter(wanted)))
    assert len(answers) == len(wanted)
    found = {answer.request.generation_id: answer for answer in answers}
    assert found.keys() == {request.generation_id for request in wanted}
    return found


def known(server: Loopback, api: str = "completions") -> None:
    """Let the warehouse know the server as one that can do all, without asking it."""
    values = {"base_url": server.base_url, "api": api, "served_lm": "tiny"}
    endpoint_id = content_key(*values.values())
    with recorded("test", settings={}) as made:
        endpoint = Endpoint(endpoint_id=endpoint_id, run_id=made.run_id, **values)
        store(
            [
                made.row,
                endpoint,
                *(
                    EndpointCapability(
                        capability_id=content_key(endpoint_id, name),
                        endpoint_id=endpoint_id,
                        capability=name,
                        supported=True,
                        detail="",
                        run_id=made.run_id,
                    )
                    for name in CAPABILITIES
                ),
            ]
        )


def rows(sql: str) -> list[tuple[Any, ...]]:
    with reading() as con:
        return con.execute(sql).fetchall()


def can() -> dict[str, bool | None]:
    return dict(rows("select capability, supported from raw.endpoint_capability"))


def drawn_bodies(server: Loopback) -> list[dict[str, Any]]:
    """What was sent but the probe's own requests."""
    return [body for body in server.bodies if "def add(first, second)" not in str(body)]


@pytest.mark.parametrize("api", ["completions", "chat"])
@pytest.mark.parametrize("personality", ["vllm", "llama_cpp", "transformers"])
def test_each_server_is_found_out_and_served_what_it_can_do(personality: str, api: str) -> None:
    with serving(personality=personality) as server:
        report = draw(server, n=3, api=api)
    assert (report.n_drawn, report.lost) == (3 * N_PROBLEMS, {})
    found = can()
    whole, scored = personality == "vllm", personality != "transformers"
    chat = api == "chat"
    assert found == {
        "models": True if scored else None,
        "n": whole,
        "seed": None if chat else True,  # the loopback's chat always begins alike
        "stop": True,
        "logprobs": scored,
        "top_logprobs": scored,
        "prompt_list": None if chat else whole,
        "echo": None if chat else whole,
    }
    bodies = drawn_bodies(server)
    assert {body.get("n", 1) for body in bodies} == ({3} if whole else {1})
    assert rows("select count(*), count(distinct generation_id) from raw.generation") == [
        (3 * N_PROBLEMS, 3 * N_PROBLEMS)
    ]
    n_scored = rows("select count(*) from raw.token_logprob")[0][0]
    missing = rows("select count(*) from raw.generation_issue where code = 'logprob_missing'")
    assert n_scored == (3 * N_PROBLEMS if scored else 0)
    assert missing == [(0 if scored else 3 * N_PROBLEMS,)]
    assert rows("select distinct base_url, api, served_lm from raw.endpoint") == [
        (server.base_url, api, "tiny")
    ]
    assert rows("select distinct n_attempts from raw.generation_request") == [(1,)]


def test_an_endpoint_is_probed_once(server: Loopback) -> None:
    draw(server)
    n_sent = len(server.bodies)
    again = draw(server, n=3)
    assert (again.n_drawn, again.n_present) == (2 * N_PROBLEMS, N_PROBLEMS)
    assert len(server.bodies) - n_sent == N_PROBLEMS
    draw(server, n=4, probe=True)
    assert len(server.bodies) - n_sent > 2 * N_PROBLEMS


def test_what_is_asked_for_by_name_and_lacking_is_an_error() -> None:
    with serving(personality="transformers") as server:
        for option in ({"logprobs": True}, {"top_logprobs": 5}, {"n_per_call": 4}):
            with pytest.raises(AssayError, match=f"cannot do {next(iter(option))}"):
                draw(server, **option)
        with pytest.raises(AssayError, match="cannot do prompts_per_call"):
            draw(server, prompts_per_call=2)
    assert not drawn_bodies(server)
    assert rows("select count(*) from raw.generation") == [(0,)]


def test_alternatives_are_pairs_best_first(server: Loopback) -> None:
    draw(server, top_logprobs=3)
    for (found,) in rows("select top_logprobs from raw.token_logprob limit 5"):
        for entries in json.loads(found):
            assert len(entries) == 3
            assert [value for _, value in entries] == sorted((v for _, v in entries), reverse=True)


def test_lists_of_prompts_answer_the_right_request(server: Loopback) -> None:
    # greedy, the loopback's answer depends on the prompt alone
    wanted = [*requests(26, temperature=0.0), *requests(7, n=2), *requests(3, n=3)]
    together = ask(server, wanted, prompts_per_call=10, n_per_call=2)
    sizes = [(len(body["prompt"]), body.get("n", 1)) for body in server.bodies]
    greedy = [
        size for size, body in zip(sizes, server.bodies, strict=True) if not body["temperature"]
    ]
    assert sorted(greedy) == [(6, 1), (10, 1), (10, 1)]  # in whatever order they arrive
    assert sum(
        n * len(b["prompt"]) if isinstance(b["prompt"], list) else n
        for b, (_, n) in zip(server.bodies, sizes, strict=True)
    ) == len(wanted)
    alone = ask(server, wanted[:26])
    for request in wanted[:26]:
        assert together[request.generation_id].text == alone[request.generation_id].text
    assert len({answer.text for answer in alone.values()}) > 13


def test_a_seed_pins_each_sample(server: Loopback) -> None:
    many = ask(server, requests(3, n=4, seed=7), n_per_call=4)
    assert {body["seed"] for body in server.bodies} == {7, 8, 9, 10}
    assert {body.get("n") for body in server.bodies} == {None}
    few = ask(server, requests(3, n=2, seed=7))
    assert {key: answer.text for key, answer in few.items()} == {
        key: answer.text for key, answer in many.items() if key in few
    }
    assert len({answer.text for answer in many.values()}) > 6


def test_a_server_that_leaves_samples_out_is_asked_for_the_rest() -> None:
    with serving(personality="llama_cpp") as server:
        answers = ask(server, requests(2, n=3), n_per_call=3)
    assert len(answers) == 6
    assert [body.get("n", 1) for body in server.bodies].count(1) == 2


CODES = {
    "count": {"logprob_count"},
    "nan": {"logprob_nan"},
    "positive": {"logprob_positive"},
    "missing": {"logprob_missing"},
    "empty": {"empty_completion"},
}


@pytest.mark.parametrize("api", ["completions", "chat"])
def test_a_lie_is_an_issue_and_not_a_log_probability(server: Loopback, api: str) -> None:
    known(server, api)
    server.behaviour = Behaviour(lies=True)
    report = draw(server, api=api)
    assert (report.n_drawn, report.lost) == (N_PROBLEMS, {})
    found = rows(
        """
        select problem.prompt, generation_text.raw_text, token_logprob.logprobs,
            list(distinct generation_issue.code), bool_or(generation_issue.lost)
        from raw.generation
        join raw.problem using (problem_id)
        join raw.generation_text using (generation_id)
        left join raw.token_logprob using (generation_id)
        left join raw.generation_issue on generation.generation_id = generation_issue.generation_id
        group by all
        """
    )
    told = set()
    for prompt, text, logprobs, codes, lost in found:
        lie = lie_about(prompt)
        told.add(lie)
        issues = {code for code in codes if code} - {"no_code"}
        assert issues == CODES.get(lie, set()), lie
        assert (logprobs is None) == (lie in CODES), lie
        assert (text == "") == (lie == "empty")
        assert not lost
        if lie == "rounding":
            assert logprobs[-1] == 0.0
    assert told == set(LIES)


def test_through_faults_every_sample_comes_once_and_the_faults_are_counted() -> None:
    with serving(faults=0.3) as server:
        report = draw(server, n=5, n_per_call=1, timeout_s=1.0, concurrency=32)
    assert (report.n_drawn, report.lost) == (5 * N_PROBLEMS, {})
    assert rows(
        "select count(*), count(distinct (problem_id, sample_index)) from raw.generation"
    ) == [(5 * N_PROBLEMS, 5 * N_PROBLEMS)]
    ((summary,),) = rows(
        "select summary from raw.run_finish join raw.run using (run_id) where kind = 'generate'"
    )
    faults = json.loads(summary)["faults"]
    assert faults == report.faults
    seen = server.faults
    assert sum(seen.values()) > 50
    assert faults["http_429"] == seen["429"]
    assert faults["http_500"] == seen["500"]
    assert faults["malformed"] == seen["malformed"]
    assert faults["connection"] == seen["cut"]
    assert faults["timeout"] >= seen["timeout"] > 0
    ((attempts,),) = rows("select max(n_attempts) from raw.generation_request")
    assert attempts >= 2


def lost_by_code() -> dict[str, int]:
    found = rows("select code, count(*) from raw.generation_issue where lost group by 1")
    return dict(found)


def test_no_key_and_a_wrong_key_send_nothing_on_and_account_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serving(key=KEY) as server:
        for value, why in ((None, "SOME_KEY is not set"), ("sk-wrong", "refuses the key")):
            if value:
                monkeypatch.setenv("SOME_KEY", value)
            report = draw(server, n=2, api_key_env="SOME_KEY")
            assert report.lost == {"unauthorized": 2 * N_PROBLEMS}
            assert report.n_drawn == 0
            assert why in (report.why_lost or "")
        assert server.bodies == []
        assert lost_by_code() == {"unauthorized": 4 * N_PROBLEMS}
        monkeypatch.setenv("SOME_KEY", KEY)
        assert draw(server, n=2, api_key_env="SOME_KEY").n_drawn == 2 * N_PROBLEMS


def test_an_unknown_language_model_is_named(server: Loopback) -> None:
    report = draw(server, served_lm="giant")
    assert report.lost == {"unknown_lm": N_PROBLEMS}
    assert "giant" in (report.why_lost or "")
    assert len(server.bodies) == 1, "one request is enough to know"


def test_a_server_that_is_away_ends_the_run_soon() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        answers = ask(address, requests(500), max_attempts=1)
    assert {failure.code for failure in answers.values()} == {"gave_up"}
    unsent = [failure for failure in answers.values() if "not sent" in failure.detail]
    assert len(unsent) > 400


def test_the_deadline_of_the_run_ends_it() -> None:
    with serving(delay_s=0.3) as server:
        answers = ask(server, requests(60), concurrency=4, total_deadline_s=1.0)
    lost = [answer for answer in answers.values() if isinstance(answer, Failure)]
    assert {failure.code for failure in lost} == {"gave_up"}
    assert 0 < len(answers) - len(lost) <= 4 * 4
    assert len(server.bodies) <= 4 * 5


def test_the_command_says_what_was_lost_and_fails(
    server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["generate", "--backend", "openai", "--lm", "giant", "--dataset", "starter"]
    arguments += ["-n", "1", "--max-tokens", "9", "-o", f"base_url={server.base_url}"]
    assert run(arguments) == 1
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert "48 samples were not drawn: unknown_lm" in captured.err
    assert "lost (unknown_lm 48)" in captured.out


def test_the_ceiling_is_never_passed(server: Loopback) -> None:
    prices = {"usd_per_million_prompt_tokens": 1000.0, "usd_per_million_completion_tokens": 2000.0}
    known(server)
    report = draw(server, n=20, max_cost_usd=20.0, **prices)
    assert report.cost_usd is not None
    assert 15.0 < report.cost_usd <= 20.0
    assert report.lost == {"cost_ceiling": 20 * N_PROBLEMS - report.n_drawn}
    ((stored,),) = rows("select sum(cost_usd) from raw.generation")
    assert stored == pytest.approx(report.cost_usd)


def test_the_price_is_that_of_the_tokens(server: Loopback) -> None:
    prices = {"usd_per_million_prompt_tokens": 1000.0, "usd_per_million_completion_tokens": 2000.0}
    for answer in ask(server, requests(5), **prices).values():
        assert answer.cost_usd == pytest.approx(
            answer.n_prompt_tokens * 1e-3 + answer.n_completion_tokens * 2e-3
        )


def test_a_small_price_is_told_with_its_digits(
    server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    known(server)
    arguments = ["generate", "--backend", "openai", "--lm", "tiny", "--dataset", "starter"]
    arguments += ["-n", "1", "--max-tokens", "9", "-o", f"base_url={server.base_url}"]
    arguments += [
        *("-o", "usd_per_million_prompt_tokens=1"),
        *("-o", "usd_per_million_completion_tokens=2"),
    ]
    assert run(arguments) == 0
    ((stored,),) = rows("select sum(cost_usd) from raw.generation")
    assert 0 < stored < 0.05
    assert f"cost usd {stored:.6g}" in capsys.readouterr().out


def test_requests_wait_for_their_turn(server: Loopback) -> None:
    began = time.monotonic()
    ask(server, requests(48), requests_per_min=20 * 60)
    assert time.monotonic() - began >= 28 / 20  # 48 requests at 20 a second, less the burst


def test_no_more_requests_than_said_are_under_way() -> None:
    with serving(delay_s=0.01) as server:
        ask(server, requests(100), concurrency=5)
        assert server.n_most == 5


def test_requests_are_read_no_further_than_needed(server: Loopback) -> None:
    n_read = 0

    def counted() -> Iterator[Request]:
        nonlocal n_read
        for request in requests(1000):
            n_read += 1
            yield request

    backend = make_backend("openai", "tiny", {"base_url": server.base_url, "concurrency": 4})
    answers = backend.complete(counted())
    for n_answered, _ in enumerate(itertools.islice(answers, 50), 1):
        assert n_read <= n_answered + 3 * 4
    answers.close()  # type: ignore[attr-defined]


def test_the_key_is_nowhere(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    file = home / ".." / "key.txt"
    file.write_text(KEY + "\n")
    with caplog.at_level(logging.DEBUG), serving(key=KEY) as server:
        assert draw(server, api_key_file=str(file)).n_drawn == N_PROBLEMS
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        assert draw(server, n=2).n_drawn == N_PROBLEMS
        server.behaviour = Behaviour(key="another")  # now the server quotes the key it refuses
        assert draw(server, n=3).lost == {"unauthorized": N_PROBLEMS}
    assert KEY not in caplog.text
    for path in home.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "base_url is missing"),
        ({"base_url": "http://127.0.0.1:1/v1", "api_key": KEY}, "no option 'api_key'"),
        ({"base_url": f"http://user:{KEY}@127.0.0.1:1/v1"}, "a key comes from"),
        ({"base_url": f"http://127.0.0.1:1/v1?key={KEY}"}, "a key comes from"),
        ({"base_url": "localhost:1"}, "not an http address"),
        ({"base_url": "http://127.0.0.1:1/v1", "api": "chatty"}, "api is one of"),
        ({"base_url": "http://127.0.0.1:1/v1", "concurrency": 0}, "at least 1"),
        (
            {"base_url": "http://127.0.0.1:1/v1", "concurrency": "9"},
            "concurrency must be a whole number, not '9'",
        ),
        ({"base_url": "http://127.0.0.1:1/v1", "max_cost_usd": 1}, "needs usd_per_million"),
        ({"base_url": "http://127.0.0.1:1/v1", "timeout_s": float("nan")}, "above 0"),
    ],
)
def test_options_that_do_not_fit_are_named_without_the_key(
    options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadInput, match=reason) as caught:
        generate(backend="openai", lm="x", dataset="starter", n=1, options=options)
    assert KEY not in str(caught.value)


def test_what_cannot_be_asked_is_not_sent(server: Loopback) -> None:
    for request, reason in (
        (replace(requests(1)[0], max_tokens=None), "say max_tokens"),
        (replace(requests(1)[0], messages=(("user", "x"),)), "api=chat"),
    ):
        (answer,) = ask(server, [request]).values()
        assert answer.code == "bad_request"
        assert reason in answer.detail
    assert not server.bodies


KILLED = """
import sys
from tests.support.steps import generate
generate(
    backend="openai", lm="tiny", dataset="starter", n=20, temperature=0.8, max_tokens=40,
    options={"base_url": sys.argv[1], "concurrency": 8, "n_per_call": 1},
)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_crash_loses_what_is_under_way_and_nothing_is_asked_twice(
    server: Loopback, how: signal.Signals
) -> None:
    wanted = 20 * N_PROBLEMS
    known(server)
    server.behaviour = Behaviour(delay_s=0.01)
    client = subprocess.Popen(
        [sys.executable, "-c", KILLED, server.base_url], cwd=ROOT, stderr=subprocess.DEVNULL
    )
    while len(server.bodies) < 400:
        assert client.poll() is None
        time.sleep(0.005)
    os.kill(client.pid, how)
    client.wait()
    asked = len(server.bodies)
    assert asked < wanted
    drain_leftovers()
    kept = rows("select count(*) from raw.generation")[0][0]
    assert kept >= asked - 2 * 8, "what had come is there, all but what was under way"
    server.behaviour = Behaviour()
    report = draw(server, n=20, n_per_call=1)
    assert report.n_drawn == wanted - kept == len(server.bodies) - asked
    assert rows(
        "select count(*), count(distinct (problem_id, sample_index)) from raw.generation"
    ) == [(wanted, wanted)]
