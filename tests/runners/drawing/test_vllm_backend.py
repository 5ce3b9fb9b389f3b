"""The vLLM backend without vLLM: options, grouping, spelling, and an exchange recorded with it."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from runners.drawing.backends import BACKENDS, vllm
from runners.drawing.backends.base import Completion, Failure, Request
from runners.drawing.backends.vllm import VllmBackend, engine_options, group, revision_of
from runners.drawing.backends.vllm_engine import share_of, spell
from tests.support.servers.requests import request
from tests.support.servers.vllm import Recorded, fake_installation, recorded_backend
from warehouse.errors import AssayError, BadInput


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    fake_installation(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "lm").mkdir()
    return tmp_path


def a_request(prompt: str = "def f(x):\n", index: int = 0, **changes: object) -> Request:
    return request(index, prompt=prompt, **changes)


def test_without_the_extra_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vllm, "find_spec", lambda name: None)
    with pytest.raises(AssayError, match="vLLM is not installed: install Assay with its vllm extr"):
        BACKENDS.load("vllm")("x", {})


def test_the_engine_s_options_are_read_without_importing_it(installed: Path) -> None:
    assert engine_options() == {"model", "dtype", "tensor_parallel_size", "hf_token"}
    options = {"model": str(installed / "lm"), "dtype": "float32", "tensor_parallel_size": 2}
    backend = VllmBackend("x", options)
    seed = backend.engine_options.pop("seed")
    assert isinstance(seed, int)
    assert backend.engine_options == options
    assert "vllm" not in sys.modules


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"tensor_paralel_size": 2}, "no option 'tensor_paralel_size'"),
        ({"_private": 2}, "no option '_private'"),
        ({"hf_token": "secret"}, "set HF_TOKEN in the environment"),
        ({"api": "responses"}, "api is one of completions, chat"),
        ({"batch_size": 0}, "batch_size is a whole number from 1"),
        ({"top_logprobs": True}, "top_logprobs is a whole number from 0"),
        ({"data_parallel_size": "2"}, "data_parallel_size is a whole number"),
        ({"model": "maker/name"}, "of a hub's model name the revision too"),
    ],
)
def test_an_option_that_does_not_fit_is_refused(
    installed: Path, options: dict[str, object], reason: str
) -> None:
    with pytest.raises(BadInput, match=reason):
        VllmBackend("x", {"model": str(installed / "lm"), **options})


def test_another_file_is_another_revision(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(b"\0" * 10)
    before = revision_of(str(tmp_path), None)
    assert before == revision_of(str(tmp_path), None)
    (tmp_path / "weights").write_bytes(b"\0" * 9 + b"\1")
    assert before != revision_of(str(tmp_path), None)
    assert revision_of("maker/name", "0123abc") == "0123abc"


def test_samples_of_one_prompt_are_one_question() -> None:
    requests = [a_request(prompt, index) for index in range(3) for prompt in ("a", "b")]
    groups = group(requests, 5, chat=False)
    assert [(q.prompt, q.messages, q.params["n"]) for q, _ in groups] == [
        ("a", None, 3),
        ("b", None, 3),
    ]
    assert [request.sample_index for request in groups[0][1]] == [0, 1, 2]
    assert groups[0][0].params == {
        "n": 3,
        "max_tokens": None,
        "stop": [],
        "logprobs": 5,
        "temperature": 0.8,
    }
    assert group([a_request(n_top_logprobs=2)], 5, chat=False)[0][0].params["logprobs"] == 2


def test_a_seeded_sample_stands_alone_under_its_own_seed() -> None:
    groups = group([a_request("a", index, seed=40) for index in (2, 5)], 0, chat=False)
    assert [(q.params["n"], q.params["seed"]) for q, _ in groups] == [(1, 42), (1, 45)]


def test_a_greedy_sample_stands_alone() -> None:
    groups = group([a_request("a", index, temperature=0.0) for index in range(3)], 0, chat=False)
    assert [question.params["n"] for question, _ in groups] == [1, 1, 1]


def test_a_chat_without_messages_is_one_of_the_prompt() -> None:
    (plain, _), *_ = group([a_request("a")], 0, chat=True)
    assert plain.messages == (("user", "a"),)
    given = (("system", "s"), ("user", "u"))
    (said, _), *_ = group([a_request("a", messages=given)], 0, chat=False)
    assert said.messages == given


def test_batches_are_bounded_and_requests_read_as_they_are_needed(tmp_path: Path) -> None:
    backend = recorded_backend(tmp_path)
    engine = backend._engine
    assert isinstance(engine, Recorded)
    backend.batch_size = 4
    n_read = 0

    def requests() -> Iterator[Request]:
        nonlocal n_read
        for index in range(10):
            n_read += 1
            yield a_request("a", index)

    answers = backend.complete(requests())
    next(answers)
    assert n_read == 4
    assert len(list(answers)) == 9
    assert engine.batches == [4, 4, 2]
    list(backend.complete([a_request("a")]))
    assert engine.batches == [4, 4, 2, 1]  # one engine over all calls


def test_what_the_engine_refuses_is_a_failure_of_that_prompt_alone(tmp_path: Path) -> None:
    backend = recorded_backend(tmp_path)
    requests = [a_request("a"), a_request("refuse", 0), a_request("refuse", 1)]
    good, *bad = list(backend.complete(requests))
    assert isinstance(good, Completion)
    assert bad == [
        Failure(request, "bad_request", "too long for this model") for request in requests[1:]
    ]


def test_the_recorded_exchange_is_whole(tmp_path: Path) -> None:
    (completion,) = recorded_backend(tmp_path).complete([a_request()])
    assert isinstance(completion, Completion)
    assert completion.finish_reason == "length"
    assert completion.tokens is not None
    assert completion.n_completion_tokens == len(completion.tokens)
    assert completion.n_prompt_tokens
    assert completion.top_logprobs is not None
    tops = completion.top_logprobs
    assert [len(each) for each in tops] == [2] * len(completion.tokens)
    for each in tops:
        assert each[0][1] >= each[1][1]


def test_a_character_belongs_to_the_token_that_completes_it() -> None:
    def decode(ids: Sequence[int]) -> str:
        return bytes(ids).decode("utf-8", "replace")

    assert spell(decode, b"x", "aé€😀b".encode()) == [
        *("a", "", "é", "", "", "€", "", "", "", "😀", "b"),
    ]
    assert spell(decode, "é".encode(), b"\xc3") == [""]
    assert spell(decode, b"", b"a\xc3b") == ["a", "", "�b"]
    every = bytes(range(256)) * 3 + b"."
    assert "".join(spell(decode, b"x", every)) == decode(every)


def test_replicas_get_devices_of_their_own() -> None:
    devices = ["4", "5", "6", "7"]
    assert [share_of(devices, rank, 2, 2) for rank in range(2)] == [["4", "5"], ["6", "7"]]
    with pytest.raises(AssayError, match="3 replicas of 2 devices each: there are 4"):
        share_of(devices, 0, 3, 2)
