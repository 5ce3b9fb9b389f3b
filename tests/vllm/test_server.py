"""The openai backend against a real vLLM server, everything into a warehouse."""

import math
from pathlib import Path
from typing import Any

import pytest

from runners.steps.generate import GenerateReport
from tests.support.steps import generate, reflect
from tests.vllm.rows import drawn, issues, query

pytestmark = pytest.mark.vllm

N_PROBLEMS = 48


def draw(base_url: str, lm: str, n: int = 1, api: str = "completions", **more: Any) -> Any:
    """Draw from the server under another name for each test."""
    options = {"base_url": base_url, "served_lm": "tiny", "api": api, "logprobs": True}
    asked = {"temperature": 0.8, "max_tokens": 16, **more}
    options |= asked.pop("options", {})
    return generate(
        backend="openai",
        lm=lm,
        dataset="starter",
        n=n,
        options=options,
        progress=False,
        **asked,
    )


def test_the_probe_shows_what_vllm_can_do(world: Path, server: str) -> None:
    draw(server, "probed")
    seen = query(
        """
        select capability, supported
        from raw.endpoint_capability inner join raw.endpoint using (endpoint_id)
        where api = 'completions'
        """
    )
    assert dict(seen) == dict.fromkeys(
        ("models", "n", "seed", "stop", "logprobs", "top_logprobs", "prompt_list", "echo"), True
    )


def test_greedy_answers_are_those_of_the_engine_in_process(
    in_process: GenerateReport, server: str
) -> None:
    """Same prompts, same weights: the same tokens, log-probabilities and alternatives."""
    draw(server, "served", temperature=0.0, max_tokens=24, options={"top_logprobs": 5})
    served, in_engine = drawn("served"), drawn("in-process")
    assert len(served) + issues("served").get("logprob_count", 0) == N_PROBLEMS
    both = served.keys() & in_engine.keys()
    assert len(both) > 0.9 * N_PROBLEMS
    for key in both:
        a, b = served[key], in_engine[key]
        assert a.text == b.text
        assert (a.finish_reason, a.n_prompt_tokens) == (b.finish_reason, b.n_prompt_tokens)
        assert a.n_completion_tokens == b.n_completion_tokens == len(a.logprobs)
        assert a.logprobs == pytest.approx(b.logprobs, abs=1e-4)
        assert a.top is not None
        assert b.top is not None
        for ours, theirs in zip(a.top, b.top, strict=True):
            # the protocol names alternatives by their text: parts of characters fall together
            assert {token for token, _ in ours} == {token for token, _ in theirs}
            for token, logprob in ours:
                assert any(
                    token == other and logprob == pytest.approx(value, abs=1e-4)
                    for other, value in theirs
                )


def test_several_samples_per_request_are_several(world: Path, server: str) -> None:
    report = draw(server, "several", n=3, options={"n_per_call": 3})
    assert report.n_drawn == 3 * N_PROBLEMS
    ((n_texts, n_problems),) = query(
        """
        select count(distinct (problem_id, raw_text)), count(distinct problem_id)
        from raw.generation
        inner join raw.language_model as lm using (lm_id)
        inner join raw.generation_text using (generation_id)
        where lm = 'several'
        """
    )
    assert n_problems == N_PROBLEMS
    assert n_texts > 0.95 * 3 * N_PROBLEMS


def test_lists_of_prompts_are_answered_in_order(world: Path, server: str) -> None:
    asked: dict[str, Any] = {"temperature": 0.0, "max_tokens": 12}
    draw(server, "one by one", **asked)
    draw(server, "in lists", options={"prompts_per_call": 6}, **asked)
    single, lists = drawn("one by one"), drawn("in lists")
    both = single.keys() & lists.keys()
    assert len(both) > 0.9 * N_PROBLEMS
    for key in both:
        assert single[key].text == lists[key].text
        assert single[key].logprobs == pytest.approx(lists[key].logprobs, abs=1e-4)


def test_a_seed_repeats_every_sample(world: Path, server: str) -> None:
    for lm in ("seeded", "seeded again"):
        draw(server, lm, n=2, seed=11)
    first, again = drawn("seeded"), drawn("seeded again")
    both = first.keys() & again.keys()
    assert len(both) > 0.9 * 2 * N_PROBLEMS
    assert {key: first[key].text for key in both} == {key: again[key].text for key in both}
    assert all(first[task, 0].text != first[task, 1].text for task, n in both if (task, 1) in both)


def test_a_chat_has_log_probabilities_too(world: Path, server: str) -> None:
    report = draw(server, "chatty", api="chat", temperature=0.0, options={"top_logprobs": 2})
    assert report.n_drawn == N_PROBLEMS
    rows = drawn("chatty", style="solution")
    assert len(rows) > 0.9 * N_PROBLEMS
    for row in rows.values():
        assert row.n_completion_tokens == len(row.tokens)
        assert row.top is not None
        assert all(len(each) >= 2 for each in row.top)


def test_reflections_reach_the_warehouse(world: Path, server: str) -> None:
    draw(server, "thinks", temperature=0.0)
    options = {"base_url": server, "served_lm": "tiny", "api": "chat"}
    report = reflect(backend="openai", lm="thinks", options=options, progress=False)
    assert report.lost == {}
    assert report.n_asked["ask_tf_v1"] == report.n_judged
    for reader in ("verbalized_v1", "verbalized_v2"):
        # asked again while none can be read, four times at most
        assert report.n_judged <= report.n_asked[reader] <= 4 * report.n_judged
        readings = query(
            """
            select value, null_reason
            from raw.reflection_reading as reading
            inner join raw.generation using (generation_id)
            inner join raw.language_model as lm using (lm_id)
            where lm = 'thinks' and reader = $reader
            """,
            reader=reader,
        )
        assert len(readings) == report.n_asked[reader]
        assert all((value is None) == (reason is not None) for value, reason in readings)
    tops = query(
        """
        select top_logprobs
        from raw.generation
        inner join raw.language_model as lm using (lm_id)
        inner join raw.setting using (setting_id)
        inner join raw.token_logprob using (generation_id)
        where lm = 'thinks' and prompt_kind = 'ask_tf_v1'
        """
    )
    assert len(tops) > 0.9 * report.n_judged
    for (top,) in tops:
        for logprobs in top:
            assert len(logprobs) >= 5
            assert sum(map(math.exp, logprobs)) <= 1 + 1e-6


def test_asking_again_sends_nothing(world: Path, server: str) -> None:
    draw(server, "asked twice")
    again = draw(server, "asked twice")
    assert (again.n_drawn, again.n_present) == (0, N_PROBLEMS)


def test_an_unknown_language_model_is_a_reason_not_a_crash(world: Path, server: str) -> None:
    report = draw(server, "nobody", options={"served_lm": "nobody"})
    assert report.n_drawn == 0
    assert report.lost == {"unknown_lm": N_PROBLEMS}
