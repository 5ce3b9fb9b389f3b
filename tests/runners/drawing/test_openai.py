"""The openai backend over real HTTP: three servers' habits, keys, money and options."""

import itertools
import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runners.cli.main import run
from runners.drawing.backends import BACKENDS
from runners.drawing.backends.base import Request
from tests.loopback.answers import Behaviour
from tests.loopback.server import Loopback, serving
from tests.support.servers.openai import (
    KEY,
    N_PROBLEMS,
    ask,
    can,
    draw,
    drawn_bodies,
    known,
    requests,
)
from tests.support.sql import rows
from tests.support.steps import generate
from warehouse.errors import AssayError, BadInput

pytestmark = pytest.mark.usefixtures("starter")


@pytest.mark.long
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


@pytest.mark.long(seconds=10)
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
    found = rows("select tokens, top_tokens, top_logprobs from raw.token_logprob limit 5")
    for tokens, top_tokens, top_logprobs in found:
        assert len(tokens) == len(top_tokens) == len(top_logprobs)
        for names, values in zip(top_tokens, top_logprobs, strict=True):
            assert len(names) == len(values) == 3
            assert values == sorted(values, reverse=True)


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

    backend = BACKENDS.load("openai")("tiny", {"base_url": server.base_url, "concurrency": 4})
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
        ({"base_url": "http://127.0.0.1:1/v1", "concurrency": 0}, "from 1 to 100000"),
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
