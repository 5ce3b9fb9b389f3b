"""Reflections on planted answers: what is asked, when it is asked again, and what is read."""

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import runners.steps.reflect
from ingest.answers.truncate import whole
from runners.drawing.backends.base import Request
from runners.drawing.backends.planted import PlantedBackend
from runners.drawing.generations import DrawingRun, KeptAnswer
from runners.steps.reflect import ReflectReport
from runners.tasks import REFLECTIONS
from runners.tasks.templates import load
from tests.loopback.server import serving
from tests.support.sql import rows
from tests.support.steps import execute, generate, ingest_dataset, reflect
from warehouse.errors import BadInput

pytestmark = pytest.mark.long

TRUTH: dict[str, Any] = {"pass_rate": 0.6, "sample_spread": 0.3, "overconfidence": 0.5, "seed": 3}


def judged(**options: Any) -> int:
    report = generate(
        backend="planted", lm="coin", dataset="starter", n=1, options={**TRUTH, **options}
    )
    return report.n_drawn


@dataclass(frozen=True)
class SentRequest:
    n: int
    report: ReflectReport
    sent: list[Request]


def ask(*templates: str, **options: Any) -> ReflectReport:
    return reflect(
        backend="planted",
        lm="coin",
        template=templates or tuple(REFLECTIONS),
        options={**TRUTH, **options},
    )


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SentRequest]:
    """One sample of each problem, asked about with every template; what was sent is kept."""
    seen: list[Request] = []
    answer = PlantedBackend._answer

    def note(self: PlantedBackend, request: Request, fault: str | None) -> Any:
        seen.append(request)
        return answer(self, request, fault)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setattr(PlantedBackend, "_answer", note)
        ingest_dataset("starter")
        n = judged()
        yield SentRequest(n, ask(), [request for request in seen if request.parent_generation_id])


def test_every_answer_is_asked_about_once_and_states_the_planted_confidence(
    asked: SentRequest,
) -> None:
    n, report = asked.n, asked.report
    assert report.n_judged == n
    assert report.n_asked == dict.fromkeys(REFLECTIONS, n)
    assert report.lost == report.issues == {}
    found = rows(
        """
        select problem.task_id, parent.sample_index, reader, value, rule, null_reason,
            reply.sample_index, reply.lm_id = parent.lm_id, reply.problem_id = parent.problem_id,
            reply.variant_id = parent.variant_id
        from raw.reflection_reading
        join raw.generation as reply using (generation_id)
        join raw.generation as parent on reply.parent_generation_id = parent.generation_id
        join raw.problem as problem on problem.problem_id = parent.problem_id
        """
    )
    assert len(found) == 2 * n
    backend = PlantedBackend("coin", TRUTH)
    for task, index, reader, value, rule, null_reason, attempt, *same in found:
        assert value == pytest.approx(backend.reflected(task, index), abs=0.51e-4)
        assert rule in ({"S1"} if reader == "verbalized_v2" else {"R1", "R2", "R3"})
        assert (null_reason, attempt, same) == (None, 0, [True, True, True])


def test_how_each_template_is_asked_is_its_setting(asked: SentRequest) -> None:
    settings = rows(
        "select prompt_kind, style, temperature, max_tokens, label from raw.setting "
        "where task = 'reflection' order by 1"
    )
    assert settings == [
        ("ask_tf_v1", "completion", 0.0, 2, ""),
        ("verbalized_v1", "completion", 1.0, 64, ""),
        ("verbalized_v2", "completion", 1.0, 256, ""),
    ]
    templates = rows(
        "select distinct template, template_key, prompt_kind from raw.generation_request "
        "join raw.generation using (generation_id) join raw.setting using (setting_id) "
        "where task = 'reflection' order by 1"
    )
    assert templates == [(name, load(name).key, name) for name in sorted(REFLECTIONS)]
    tops = [
        top
        for (top,) in rows(
            "select top_logprobs from raw.token_logprob join raw.generation using (generation_id) "
            "join raw.setting using (setting_id) where prompt_kind = 'ask_tf_v1'"
        )
    ]
    assert {len(top) for top in tops} == {2}
    assert all(math.fsum(map(math.exp, top[0])) <= 1 + 1e-9 for top in tops)


def test_the_prompt_shows_the_task_and_what_was_kept(asked: SentRequest) -> None:
    found = rows(
        "select generation_id, prompt, kept_text from raw.generation "
        "join raw.generation_text using (generation_id) join raw.variant using (variant_id) "
        "where parent_generation_id is null"
    )
    expected = {
        (key, load(name).render(task=prompt.strip("\n"), answer=kept.strip("\n")))
        for key, prompt, kept in found
        for name in REFLECTIONS
    }
    assert {(sent.parent_generation_id, sent.prompt) for sent in asked.sent} == expected
    assert {sent.messages for sent in asked.sent} == {None}


def test_what_does_not_fit_is_refused(asked: SentRequest) -> None:
    with pytest.raises(BadInput, match="no reflection 'repair_v1'; available: verbalized_v1"):
        ask("repair_v1")
    with pytest.raises(BadInput, match="coin has no generation with a text"):
        ask(pass_rate=0.9)
    with pytest.raises(BadInput, match="'nope' is not in the warehouse; available: coin"):
        reflect(backend="planted", lm="nope", options=TRUTH)
    with pytest.raises(
        BadInput, match="'humaneval' is not in the warehouse; available: starter; run"
    ):
        reflect(backend="planted", lm="coin", dataset="humaneval", options=TRUTH)


def test_asking_again_adds_nothing_reflections_are_never_run_and_new_answers_are_asked_about(
    asked: SentRequest,
) -> None:
    runs = rows("select count(*) from raw.run")
    again = ask()
    assert (again.n_judged, again.n_asked) == (asked.n, {})
    assert rows("select count(*) from raw.run") == runs, "no request, no run"
    assert execute(limit=1).n_generations == asked.n
    generate(backend="planted", lm="coin", dataset="starter", n=2, options=TRUTH)
    more = ask("ask_tf_v1")
    assert (more.n_judged, more.n_asked) == (2 * asked.n, {"ask_tf_v1": asked.n})


def test_what_is_lost_or_cannot_be_read_is_asked_again_and_three_times_at_most(
    starter: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = {"unreadable": 0.6}
    n = judged(**truth)
    with monkeypatch.context() as patch:
        patch.setattr(
            PlantedBackend,
            "_fault",
            lambda self, request: "timeout" if len(request.task_id) % 2 else None,
        )
        cut = ask("verbalized_v1", **truth)
    assert 0 < cut.lost["gave_up"] < n
    assert cut.faults == {"timeout": cut.lost["gave_up"]}
    assert cut.why_lost is not None
    assert "timed out" in cut.why_lost
    rest = ask("verbalized_v1", **truth)
    assert rest.lost == {}
    calls = rows(
        """
        select count(*), list(value order by sample_index), list(sample_index order by sample_index)
        from raw.reflection_reading join raw.generation using (generation_id)
        group by parent_generation_id
        """
    )
    assert len(calls) == n
    for n_calls, values, attempts in calls:
        assert attempts == list(range(n_calls))
        assert values[:-1] == [None] * (n_calls - 1), "the first value ends it"
        assert values[-1] is not None or n_calls == 4
    assert {n_calls for n_calls, _, _ in calls} == {1, 2, 3, 4}
    found = Counter(cut.issues) + Counter(rest.issues)
    n_failed = sum(values.count(None) for _, values, _ in calls)
    assert set(found) == {"parse_fail", "empty_completion", "gave_up"}
    assert found["parse_fail"] == n_failed > found["empty_completion"]
    assert rows("select code, count(*) from raw.generation_issue group by 1 order by 1") == sorted(
        found.items()
    )
    assert rows("select count(*) from raw.reflection_reading where value = 0.5") == [(0,)]
    assert ask("verbalized_v1", **truth).n_asked == {}, "four calls and no more"
    assert rows("select distinct null_reason from raw.reflection_reading where value is null") == [
        ("parse_fail",)
    ]


def test_replies_that_were_never_read_are_read_first(
    starter: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = judged()
    with monkeypatch.context() as patch:
        patch.setattr(
            runners.steps.reflect, "answer_rule",
            lambda template: lambda completion: KeptAnswer(whole(completion.text), "whole"),
        )  # fmt: skip
        patch.setattr(runners.steps.reflect, "_read_unread", lambda *given: 0)
        ask("verbalized_v1")
    assert rows("select count(*) from raw.reflection_reading") == [(0,)]
    report = ask("verbalized_v1")
    assert (report.n_read_anew, report.n_asked) == (n, {})
    assert rows("select count(value) from raw.reflection_reading") == [(n,)]


def test_a_chat_is_asked_with_messages_and_not_about_empty_answers(
    starter: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"chat": True, "faults": {"empty": 0.4}}
    n = judged(**options)
    seen: list[Request] = []
    complete = PlantedBackend.complete
    monkeypatch.setattr(
        PlantedBackend,
        "complete",
        lambda self, requests: complete(self, (seen.append(r) or r for r in requests)),
    )
    report = ask("ask_tf_v1", **options)
    (n_empty,) = rows(
        "select count(*) from raw.generation_text join raw.generation using (generation_id) "
        "where kept_text = '' and parent_generation_id is null"
    )[0]
    assert report.n_judged == n - n_empty == len(seen) < n
    for request in seen:
        assert request.messages == (("user", request.prompt),)
    assert rows("select distinct style from raw.setting where task = 'reflection'") == [
        ("solution",)
    ]


@pytest.mark.parametrize("api", ["completions", "chat"])
def test_a_served_language_model_is_asked_over_http(starter: None, api: str) -> None:
    with serving() as server:
        options = {"base_url": server.base_url, "api": api, "api_key_env": ""}
        served: dict[str, Any] = {"backend": "openai", "lm": "tiny", "options": options}
        prompt = "synthesis_chat_v1" if api == "chat" else None
        n = generate(
            dataset="starter", n=1, temperature=0.8, max_tokens=40, prompt=prompt, **served
        ).n_drawn
        report = reflect(template=["ask_tf_v1", "verbalized_v1"], **served)
        again = reflect(template=["ask_tf_v1", "verbalized_v1"], **served)
    assert (report.n_judged, report.n_asked["ask_tf_v1"], again.n_asked) == (n, n, {})
    bodies = [body for body in server.bodies if "Reply:" in json.dumps(body)]
    assert len(bodies) == n
    for body in bodies:
        assert body["temperature"] == 0
        assert body["max_tokens"] == 2
        assert body["top_logprobs" if api == "chat" else "logprobs"] == 5
    tops = rows(
        "select top_logprobs from raw.token_logprob join raw.generation using (generation_id) "
        "join raw.setting using (setting_id) where prompt_kind = 'ask_tf_v1'"
    )
    assert len(tops) == n
    for (top,) in tops:
        assert {len(position) for position in top} == {5}
    readings = rows("select value, null_reason from raw.reflection_reading")
    assert len(readings) == report.n_asked["verbalized_v1"]
    assert all((value is None) == (reason == "parse_fail") for value, reason in readings)
    unread = sum(value is None for value, _ in readings)
    assert report.issues.get("parse_fail", 0) == unread
    assert any(value is not None for value, _ in readings)


@pytest.mark.usefixtures("starter")
def test_answers_that_come_while_it_asks_are_asked_about_by_the_next_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    n = judged()
    draw = DrawingRun.draw_batch
    drawn: list[Any] = []

    def drawn_beside(*args: Any, **kwargs: Any) -> Any:
        drawn.append(draw(*args, **kwargs))
        if len(drawn) == 1:
            generate(backend="planted", lm="coin", dataset="starter", n=2, options=TRUTH)
        return drawn[-1]

    monkeypatch.setattr(DrawingRun, "draw_batch", drawn_beside)
    for _ in range(2):
        assert ask("verbalized_v1", "ask_tf_v1").n_asked == {"verbalized_v1": n, "ask_tf_v1": n}
    assert ask("verbalized_v1", "ask_tf_v1").n_asked == {}


@pytest.mark.usefixtures("starter")
def test_a_call_of_all_templates_is_one_run_with_the_counts_of_all() -> None:
    n = judged(unreadable=0.3)
    report = ask(unreadable=0.3)
    found = [json.loads(summary) for (summary,) in rows(
        "select summary from raw.run join raw.run_finish using (run_id) "
        "where kind = 'reflect' order by started_at"
    )]  # fmt: skip
    assert len(found) == 4
    assert found[0]["n_drawn"] == len(REFLECTIONS) * n, "the first call asks about every answer"
    assert sum(run["n_drawn"] for run in found) == sum(report.n_asked.values())
    issues: Counter[str] = Counter()
    for run in found:
        issues.update(run.get("issues", {}))
    assert dict(issues) == report.issues
    assert rows("select count(distinct setting_id) from raw.generation join raw.run using (run_id) "
                "where kind = 'reflect' group by raw.run.run_id, started_at order by started_at"
    )[0] == (len(REFLECTIONS),)  # fmt: skip
