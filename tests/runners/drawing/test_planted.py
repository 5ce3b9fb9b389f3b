"""The planted model states exactly what its truth says, in every measure, and fails as planted."""

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from ingest.answers.extract import fenced_v1
from ingest.parsing import parse
from ingest.tokens import kept_tokens
from runners.drawing.backends.base import Completion, Failure, Request
from runners.drawing.backends.planted import PlantedBackend
from runners.drawing.backends.planted_truth import FAULTS
from runners.tasks import REFLECTIONS
from runners.tasks.stated_probabilities import verbalized_v1
from runners.tasks.templates import load
from tests.support.servers.requests import request
from warehouse.errors import BadInput

LINE = {"sample_spread": 0.4, "slope": 0.7, "overconfidence": 0.9, "seed": 5}
N = 60


def answers(options: dict[str, Any], **values: Any) -> list[Completion]:
    backend = PlantedBackend("x", options)
    found = list(backend.complete(request(index, **values) for index in range(N)))
    return [answer for answer in found if isinstance(answer, Completion)]


def truth(options: dict[str, Any], index: int) -> tuple[float, float]:
    """Return q and the stated c by the formula of the docstring."""
    q = PlantedBackend("x", options).pass_probability("T/0", index)
    held = min(max(q, 0.001), 0.999)
    z = options.get("slope", 1) * math.log(held / (1 - held)) + options.get("overconfidence", 0)
    return q, 1 / (1 + math.exp(-z))


@pytest.mark.parametrize("curve", ["avg_prob", "total_prob"])
@pytest.mark.parametrize("spread", [0.0, 0.6])
@pytest.mark.parametrize("stop", [False, True])
def test_token_measures_follow_the_stated_line(curve: str, spread: float, stop: bool) -> None:
    options = {**LINE, "curve": curve, "token_spread": spread, "stop_token": stop}
    for index, answer in enumerate(answers(options)):
        _, c = truth(options, index)
        kept = [math.exp(lp) for lp in answer.logprobs[: -1 if stop else None]]
        n = len(kept)
        mean, total, lowest = sum(kept) / n, math.prod(kept), min(kept)
        assert "".join(answer.tokens[:n]) == answer.text
        if curve == "avg_prob":
            assert mean == pytest.approx(c)
            assert lowest == pytest.approx(c - spread * min(c, 1 - c))
        else:
            assert total == pytest.approx(c)
            assert lowest == pytest.approx(c ** ((1 + spread) / n))
        if not spread:
            assert mean == pytest.approx(c if curve == "avg_prob" else c ** (1 / n))
            assert total == pytest.approx(c**n if curve == "avg_prob" else c)
        if stop:
            last = math.exp(answer.logprobs[-1])
            if curve == "avg_prob":
                assert (mean * n + last) / (n + 1) == pytest.approx(c)
            else:
                assert total * last == pytest.approx(c)
                assert (mean * n + last) / (n + 1) == pytest.approx((n * mean + 1) / (n + 1))


def test_every_sample_has_a_difficulty_of_its_own_and_is_right_as_often() -> None:
    backend = PlantedBackend("x", {"pass_rate": 0.5, "sample_spread": 0.5, "seed": 2})
    n = 4000
    found = [backend.pass_probability("T/0", index) for index in range(n)]
    assert len(set(found)) == n
    answered = backend.complete(request(index) for index in range(n))
    right = [answer.text.endswith("    return x\n") for answer in answered]
    assert sum(right) / n == pytest.approx(0.5, abs=0.03)
    hard = [r for q, r in zip(found, right, strict=True) if q < 0.2]
    easy = [r for q, r in zip(found, right, strict=True) if q > 0.8]
    assert sum(hard) / len(hard) == pytest.approx(0.1, abs=0.04)
    assert sum(easy) / len(easy) == pytest.approx(0.9, abs=0.04)


def asked(template: str, attempt: int, about: int) -> Request:
    """Return an attempt to ask about a sample."""
    true_or_false = template == "ask_tf_v1"
    return request(
        attempt,
        kind="ask_tf" if true_or_false else "verbalized",
        planted="true_or_false" if true_or_false else "percentage",
        prompt=load(template).render(task="def f(x):\n", answer="    return x\n"),
        parent_sample_index=about,
    )


@pytest.mark.parametrize("template", ["verbalized_v1", "verbalized_v2"])
def test_percentages_state_the_line_and_are_unreadable_at_the_stated_rate(template: str) -> None:
    options = {**LINE, "unreadable": 0.3, "reflect_slope": 1.4, "reflect_overconfidence": -0.5}
    backend = PlantedBackend("x", options)
    n_read = 0
    forms = Counter[str]()
    for index in range(400):
        (answer,) = backend.complete([asked(template, 1, index)])
        assert isinstance(answer, Completion)
        reading = REFLECTIONS.load(template).stated(answer.text)
        if reading.value is None:
            continue
        n_read += 1
        forms[str(reading.rule)] += 1
        _, c = truth({**options, "slope": 1.4, "overconfidence": -0.5}, index)
        assert reading.value == pytest.approx(c, abs=0.5e-4 + 1e-12)
        assert backend.reflected("T/0", index) == pytest.approx(c)
    assert n_read / 400 == pytest.approx(0.7, abs=0.07)
    assert set(forms) == ({"R1", "R2", "R3"} if template == "verbalized_v1" else {"S1"})


def test_a_retry_is_drawn_anew() -> None:
    backend = PlantedBackend("x", {"unreadable": 0.5})
    about = [asked("verbalized_v1", attempt, 7) for attempt in range(40)]
    texts = [a.text for a in backend.complete(about) if isinstance(a, Completion)]
    assert {verbalized_v1(text).value is None for text in texts} == {True, False}


def test_true_and_false_follow_the_line_in_both_versions() -> None:
    options = {**LINE, "answer_mass": 0.9, "spelling": 0.8}
    backend = PlantedBackend("x", options)
    for index in range(N):
        (answer,) = backend.complete([asked("ask_tf_v1", 0, index)])
        assert isinstance(answer, Completion)
        assert answer.text == "".join(answer.tokens)
        tops = answer.top_logprobs
        assert len(tops) == len(answer.tokens) == 2
        assert all(len(position) <= 5 for position in tops)
        for position, token, logprob in zip(tops, answer.tokens, answer.logprobs, strict=True):
            assert (token, logprob) == position[0]
            assert sum(math.exp(lp) for _, lp in position) <= 1 + 1e-9
        _, c = truth(options, index)
        found = {
            word: [math.exp(lp) for place in tops for t, lp in place if word in t.lower()]
            for word in ("true", "false")
        }
        p_true, p_false = max(found["true"]), max(found["false"])
        assert p_true == pytest.approx(0.9 * 0.8 * c)
        assert p_true / (p_true + p_false) == pytest.approx(c)
        summed = sum(math.exp(lp) for t, lp in tops[0] if t.strip().lower() == "true")
        assert summed == pytest.approx(0.9 * c)


def test_length_follows_the_line_where_the_range_allows() -> None:
    options = {**LINE, "n_styles": 1, "length_range": [500, 20_000]}
    for index, answer in enumerate(answers(options)):
        _, c = truth(options, index)
        assert 1 - (len(answer.text) - 500) / 19_500 == pytest.approx(c, abs=0.5001 / 19_500)


@pytest.mark.parametrize("right", [0.0, 1.0])
def test_an_answer_starts_a_line_where_the_reference_does(right: float) -> None:
    """Prompts of EvoEval end in the last line of a docstring, and references start the next."""
    prompt = 'def f(x):\n    """Return x."""'
    options = {"pass_rate": right, "n_styles": 3, "error": 0.0, "endless": 0.0, "unparseable": 0.0}
    for answer in answers(options, prompt=prompt, reference="\n    return x\n"):
        namespace: dict[str, Any] = {}
        exec(prompt + answer.text, namespace)
        assert namespace["f"](1) == (1 if right else "planted wrong answer")


WRONG_KINDS = ("error", "endless", "unparseable")


@pytest.mark.parametrize("chat", [False, True])
@pytest.mark.parametrize("kind", ["right", "wrong", *WRONG_KINDS])
def test_an_answer_ends_the_line_that_its_prompt_begins(kind: str, chat: bool) -> None:
    """Prompts of CRUXEval end in ``return f(`` and in ``return ``."""
    for begin, reference in (
        ("return f(", "[1], 2)"),
        ("return f(", " [1], 2)"),
        ("return ", "[1]"),
    ):
        prompt = f"def f(x, y):\n    return x\n\n\ndef g():\n    {begin}"
        asking = load("synthesis_chat_v1").render(task=prompt) if chat else prompt
        messages = (("user", asking),) if chat else ()
        options: dict[str, Any] = {"pass_rate": float(kind == "right"), "n_styles": 2, "chat": chat}
        options |= {other: float(other == kind) for other in WRONG_KINDS}
        (answer, *_) = answers(options, prompt=asking, reference=reference, messages=messages)
        code = fenced_v1(answer.text, "g").kept.text if chat else prompt + answer.text
        assert "style_" in code.splitlines()[-1]
        if kind == "unparseable":
            with pytest.raises(SyntaxError):
                parse(code)
        elif kind == "endless":
            assert "sum(iter(int, 1))" in code
        else:
            namespace: dict[str, Any] = {}
            exec(code, namespace)
            if kind == "error":
                with pytest.raises(IndexError):
                    namespace["g"]()
            else:
                assert namespace["g"]() == ([1] if kind == "right" else "planted wrong answer")


def test_a_chat_answer_is_a_program_whose_block_states_the_line() -> None:
    asking = load("synthesis_chat_v1").render(task="import math\n\ndef f(x):\n")
    options = {**LINE, "chat": True, "pass_rate": 1.0, "sample_spread": 0.0}
    for index, answer in enumerate(answers(options, prompt=asking, messages=(("user", asking),))):
        kept = fenced_v1(answer.text, "f").kept
        assert kept.text.startswith("import math\n\ndef f(x):\n")
        assert kept.text.endswith("    return x\n")
        inside = kept_tokens(answer.tokens, answer.text, kept.start, kept.end)
        probabilities = [math.exp(lp) for lp, k in zip(answer.logprobs, inside, strict=True) if k]
        assert sum(probabilities) / len(probabilities) == pytest.approx(truth(options, index)[1])
        assert not all(inside)


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_faults_come_at_their_rate_and_are_what_they_say(fault: str) -> None:
    n = 1000
    backend = PlantedBackend("x", {"faults": {fault: 0.25}})
    sound = {
        a.request.sample_index: a
        for a in PlantedBackend("x", {}).complete(request(index) for index in range(n))
    }
    hit = []
    for answer in backend.complete(request(index) for index in range(n)):
        if isinstance(answer, Failure):
            assert answer.code == "gave_up"
            hit.append(answer)
            continue
        other = sound[answer.request.sample_index]
        assert isinstance(other, Completion)
        same = replace(answer, request=other.request) == other
        if not same or any(math.isnan(lp) for lp in answer.logprobs):
            hit.append(answer)
            _is_spoiled(answer, other, fault)
    assert len(hit) / n == pytest.approx(0.25, abs=0.05)
    failing = fault in ("timeout", "rate_limited")
    assert backend.faults == (Counter({fault: len(hit)}) if failing else Counter())


def _is_spoiled(answer: Completion, sound: Completion, fault: str) -> None:
    if fault == "truncated":
        assert sound.text.startswith(answer.text)
        assert 0 < len(answer.text) < len(sound.text)
        assert answer.finish_reason == "length"
    elif fault == "empty":
        assert (answer.text, list(answer.tokens)) == ("", [])
    elif fault == "logprob_count":
        assert len(answer.logprobs) == len(answer.tokens) - 1
    elif fault == "logprob_nan":
        assert math.isnan(answer.logprobs[0])
    elif fault == "logprob_positive":
        assert answer.logprobs[0] > 0
    else:
        code = {"no_code": "no_code", "wrong_language": "wrong_language"}[fault]
        assert [c for c, _ in fenced_v1(answer.text, "f").issues] == [code]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"pass_rate": 1.5}, "pass_rate must lie in"),
        ({"pass_rate": True}, "pass_rate must lie in .*, not True"),
        ({"n_styles": True}, "n_styles must be at least 1, not True"),
        ({"slope": True}, "slope must lie in"),
        ({"length_range": [False, 9]}, "length_range is"),
        ({"sensitivity": {"operand_swap": True}}, "sensitivity.operand_swap must lie in"),
        ({"faults": {"empty": True}}, "faults.empty must lie in"),
        ({"token_spread": 1}, "token_spread must be less than 1"),
        ({"slope": "steep"}, "slope must lie in"),
        ({"slope": 100}, "slope must lie in"),
        ({"curve": "min_prob"}, "curve is one of avg_prob, total_prob"),
        ({"length_range": [5, 5]}, "length_range"),
        ({"length_range": 5}, "length_range"),
        ({"length_range": ["a", "b"]}, "length_range"),
        ({"faults": "timeout"}, "faults is an object"),
        ({"faults": {"fire": 0.1}}, "no fault 'fire'"),
        ({"faults": {"empty": 2}}, "faults.empty must lie in"),
        ({"faults": {"empty": 0.6, "timeout": 0.6}}, "must not exceed 1"),
        ({"error": 0.6, "endless": 0.6}, "must not exceed 1"),
        ({"n_styles": 0}, "n_styles"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        PlantedBackend("x", options)
