"""Planning: three requests before the program, each paid once, and what ends a chain."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from models.words import Style
from runners.drawing.chains import Chain, continued
from runners.steps import generate as generating
from runners.tasks import TASKS
from runners.tasks.base import Pairs, TaskInput
from runners.tasks.questions import task_asked_by
from runners.tasks.synthesis import problem_prompt
from runners.tasks.templates import asked_before, load, names
from tests.data import ROOT
from tests.loopback.server import Loopback, serving
from tests.support.servers.openai import N_PROBLEMS, known
from tests.support.sql import rows
from tests.support.steps import execute, generate, ingest_dataset
from warehouse.errors import BadInput
from warehouse.facts.generations import ChainAnswer
from warehouse.facts.problems import StoredProblem

FIXTURE = ROOT / "tests/ingest/datasets/codecontests.jsonl"
PLANNING, PROGRAMS = "synthesis_chat_planning_v1", "synthesis_program_chat_planning_v1"
STEPS = ("plan_reflection", "plan_solutions", "plan_choice")
TEMPLATES = [f"{step}_v1" for step in STEPS]
PLANTED: dict[str, Any] = {
    "backend": "planted",
    "lm": "planner",
    "dataset": "starter",
    "prompt": PLANNING,
    "progress": False,
}
TELLING_WORDS = {
    "think about what it asks": "plan_reflection_v1",
    "Propose possible solutions": "plan_solutions_v1",
    "Choose the best": "plan_choice_v1",
    "by the chosen solution": PLANNING,
    "proposes possible solutions. The reply has": "plan_solutions_repair_v1",
    "the best of them. The reply has": "plan_choice_repair_v1",
}
REPAIRS = {"plan_solutions": "plan_solutions_repair_v1", "plan_choice": "plan_choice_repair_v1"}
IN_FORM = {
    "plan_reflection_v1": "- some notes",
    "plan_solutions_v1": "1. Two loops: compare all.\n2. A set: look up.\n",
    "plan_choice_v1": "A set\n\nLook up each value in a set.",
    PLANNING: "```python\npass\n```",
}
CHAINS = """
    select final.problem_id, final.sample_index, choice.sample_index, solutions.sample_index,
        reflection.sample_index, reflection.parent_generation_id
    from raw.generation as final
    join raw.generation as choice on final.parent_generation_id = choice.generation_id
    join raw.generation as solutions on choice.parent_generation_id = solutions.generation_id
    join raw.generation as reflection on solutions.parent_generation_id = reflection.generation_id
    join raw.setting as setting on final.setting_id = setting.setting_id
    where setting.prompt_kind = ? order by 1, 2
"""


@pytest.fixture
def server() -> Iterator[Loopback]:
    with serving(reply=lambda prompt, place: IN_FORM[template_of(prompt)]) as server:
        yield server


def template_of(prompt: str) -> str:
    """Return the template that a request was made of."""
    [name] = [name for words, name in TELLING_WORDS.items() if words in prompt]
    return name


def asked(server: Loopback) -> Counter[str]:
    """Return how many samples each template asked the server for."""
    found: Counter[str] = Counter()
    for body in server.bodies:
        found[template_of(sent_text(body))] += body.get("n", 1)
    return found


def sent_text(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


def plan(server: Loopback, **fields: Any) -> generating.GenerateReport:
    given = {**PLANTED, "backend": "openai", "lm": "tiny", "n": 2, "temperature": 0.2}
    options = {"base_url": server.base_url, "api": "chat"}
    return generate(**{**given, "max_tokens": 40, "options": options, **fields})


def test_a_place_that_is_named_like_a_template_is_asked_before() -> None:
    for final in (PLANNING, PROGRAMS):
        assert [each.name for each in asked_before(load(final))] == TEMPLATES
        assert load(final).shown == ("plan_choice_v1", "plan_reflection_v1")
    chained = {name for name in names() if load(name).shown}
    assert chained == {PLANNING, PROGRAMS, *TEMPLATES[1:], *REPAIRS.values()}
    assert {task_asked_by(load(name)): name for name in REPAIRS.values()} == REPAIRS
    assert [task_asked_by(load(name)) for name in TEMPLATES] == list(STEPS)
    assert {*STEPS} <= {*TASKS}


def test_the_program_sees_the_chosen_solution_and_not_the_list() -> None:
    problem = StoredProblem(
        "p", "toy", "toy/0", "area", "def area(r):\n", "", "", "", "", "exact", 0.0, "k"
    )
    answers = dict(zip(TEMPLATES, ("some notes", "the whole list", "only one"), strict=True))
    wanted = TaskInput("toy", [], Style.SOLUTION, 1, Pairs(), load(PLANNING), answers=answers)
    shown = problem_prompt(problem, wanted).text
    assert "```python\ndef area(r):\n```" in shown
    assert "some notes" in shown
    assert "only one" in shown
    assert "the whole list" not in shown


def test_chains_go_on_after_their_own_parent_alone() -> None:
    first = [ChainAnswer(f"r{n}", "p", n, None, text) for n, text in enumerate(("a", " \n", "c"))]
    chains = continued(None, "one", first)
    assert chains == {"p": [Chain(0, "r0", {"one": "a"}), Chain(2, "r2", {"one": "c"})]}
    second = [
        ChainAnswer("s0", "p", 0, "r0", "A\n"),
        ChainAnswer("s1", "p", 1, "r1", "its parent holds no text"),
        ChainAnswer("s2", "p", 2, "other", "of another chain"),
        ChainAnswer("s3", "p", 2, None, "without a parent"),
    ]
    assert continued(chains, "two", second) == {"p": [Chain(0, "s0", {"one": "a", "two": "A"})]}
    assert continued(None, "one", second[:1]) == {}


def test_each_sample_has_a_plan_of_its_own(starter: None) -> None:
    options = {"chat": True, "pass_rate": 1.0}
    report = generate(**PLANTED, n=2, options=options)
    n = 2 * N_PROBLEMS
    assert (report.n_drawn, report.n_present) == (n, 0)
    assert report.drawn_before == dict.fromkeys(STEPS, n)
    found = rows(CHAINS, PLANNING)
    assert len(found) == n
    assert {tuple(row[1:]) for row in found} == {(i, i, i, i, None) for i in range(2)}
    fewer = generate(**PLANTED, n=1, options=options)
    assert (fewer.n_drawn, fewer.n_present) == (0, N_PROBLEMS)
    assert fewer.drawn_before == dict.fromkeys(STEPS, 0)
    settings = rows("select task, prompt_kind, style from raw.setting order by all")
    assert settings == sorted(
        [("synthesis", PLANNING, "solution")] + [(step, f"{step}_v1", "solution") for step in STEPS]
    )


def test_an_empty_answer_ends_its_chain_and_a_lost_one_is_asked_again(starter: None) -> None:
    options = {"chat": True, "pass_rate": 1.0, "faults": {"empty": 0.1, "timeout": 0.1}}
    report = generate(**PLANTED, n=3, options=options)
    n = 3 * N_PROBLEMS
    lost = rows("select count(*) from raw.generation_issue where lost")[0][0]
    assert sum(report.lost.values()) == lost > 20
    assert {*report.ended_at} == {*STEPS}
    assert report.n_drawn + sum(report.lost.values()) + sum(report.ended_at.values()) == n
    empty = rows(
        "select setting.task, count(*) from raw.generation_text as told "
        "join raw.generation using (generation_id) join raw.setting as setting using (setting_id) "
        "where told.kept_text = '' and setting.task <> 'synthesis' group by 1"
    )
    assert dict(empty) == report.ended_at
    assert len(rows(CHAINS, PLANNING)) == report.n_drawn
    again = generate(**PLANTED, n=3, options=options)
    assert again.lost == report.lost, "the same faults are planted again"
    assert again.drawn_before == dict.fromkeys(STEPS, 0)
    assert (again.n_drawn, again.n_present, again.ended_at) == (0, report.n_drawn, report.ended_at)


def test_a_reply_of_another_form_is_repaired_once_or_ends_its_plan(starter: None) -> None:
    options = {"chat": True, "pass_rate": 1.0, "faults": {"no_code": 0.3}}
    report = generate(**PLANTED, n=3, options=options)
    n = 3 * N_PROBLEMS
    failed = dict(
        rows(
            "select setting.prompt_kind, count(*) from raw.generation_issue as issue "
            "join raw.setting as setting using (setting_id) "
            "where code = 'parse_fail' and not lost group by 1"
        )
    )
    assert report.repairs == {step: failed[f"{step}_v1"] for step in REPAIRS}
    assert report.ended_at == {step: failed[name] for step, name in REPAIRS.items()}
    assert report.issues["parse_fail"] == sum(failed.values())
    for step, name in REPAIRS.items():
        asked_of = report.drawn_before[step]
        assert 0.15 * asked_of < failed[f"{step}_v1"] < 0.45 * asked_of, "planted: 30 %"
        assert 0 < failed[name] < 0.6 * failed[f"{step}_v1"]
    assert report.n_drawn + sum(report.ended_at.values()) == n
    again = generate(**PLANTED, n=3, options=options)
    assert (again.n_drawn, again.n_present, again.ended_at) == (0, report.n_drawn, report.ended_at)
    assert set(again.repairs.values()) == {0}
    parents = rows(
        "select distinct child.prompt_kind, parent.prompt_kind from raw.generation as one "
        "join raw.setting as child using (setting_id) join raw.generation as other "
        "on one.parent_generation_id = other.generation_id "
        "join raw.setting as parent on other.setting_id = parent.setting_id order by all"
    )
    solved = ("plan_solutions_v1", REPAIRS["plan_solutions"])
    chosen = ("plan_choice_v1", REPAIRS["plan_choice"])
    assert parents == sorted(
        [(PLANNING, each) for each in chosen]
        + [("plan_choice_v1", each) for each in solved]
        + [(chosen[1], chosen[0]), (solved[1], solved[0]), (solved[0], "plan_reflection_v1")]
    )


@pytest.mark.long(seconds=20)
def test_a_repair_is_shown_the_reply_and_paid_once_after_an_interruption(
    starter: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    prose, in_form = "I would use a set.", IN_FORM["plan_solutions_v1"]
    replies = {**IN_FORM, "plan_solutions_v1": prose, REPAIRS["plan_solutions"]: in_form}
    n = N_PROBLEMS
    drawn = generating._drawn

    def interrupted(*given: Any, **fields: Any) -> generating.GenerateReport:
        if given[0].prompt == "plan_choice_v1":
            raise KeyboardInterrupt
        return drawn(*given, **fields)

    with serving(reply=lambda prompt, place: replies[template_of(prompt)]) as server:
        known(server, api="chat")
        with monkeypatch.context() as patch:
            patch.setattr(generating, "_drawn", interrupted)
            with pytest.raises(KeyboardInterrupt):
                plan(server, n=1)
        before = {**dict.fromkeys(TEMPLATES[:2], n), REPAIRS["plan_solutions"]: n}
        assert asked(server) == before
        report = plan(server, n=1)
        assert asked(server) == {**before, "plan_choice_v1": n, PLANNING: n}
        assert (report.n_drawn, report.repairs, report.ended_at) == (n, {"plan_solutions": 0}, {})
        assert plan(server, n=1).n_present == n
        texts = {template_of(text): text for text in map(sent_text, server.bodies)}
    assert f"Reply:\n\n{prose}\n" in texts[REPAIRS["plan_solutions"]]
    assert in_form.strip() in texts["plan_choice_v1"], "the repair takes the place of the reply"
    assert prose not in texts["plan_choice_v1"]
    stored = rows("select count(*) from raw.generation_issue where code = 'parse_fail'")
    assert stored == [(n,)]


@pytest.mark.long(seconds=20)
def test_a_choice_that_names_no_solution_twice_ends_the_plan(starter: None) -> None:
    replies = {**IN_FORM, "plan_choice_v1": "Solution 3", REPAIRS["plan_choice"]: "Solution 4"}
    with serving(reply=lambda prompt, place: replies[template_of(prompt)]) as server:
        known(server, api="chat")
        report = plan(server, n=1)
        assert asked(server)[PLANNING] == 0
        assert asked(server)[REPAIRS["plan_choice"]] == N_PROBLEMS
    assert (report.n_drawn, report.ended_at) == (0, {"plan_choice": N_PROBLEMS})
    assert report.issues["parse_fail"] == 2 * N_PROBLEMS
    details = rows("select distinct detail from raw.generation_issue where code = 'parse_fail'")
    assert {*details} == {(f"the choice names solution {number} of 2",) for number in (3, 4)}


@pytest.mark.long(seconds=20)
def test_an_interrupted_plan_goes_on_and_asks_for_nothing_twice(
    starter: None, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(server, api="chat")
    n = 2 * N_PROBLEMS
    drawn = generating._drawn

    def interrupted(*given: Any, **fields: Any) -> generating.GenerateReport:
        if given[0].task == "plan_choice":
            raise KeyboardInterrupt
        return drawn(*given, **fields)

    with monkeypatch.context() as patch:
        patch.setattr(generating, "_drawn", interrupted)
        with pytest.raises(KeyboardInterrupt):
            plan(server)
    assert asked(server) == dict.fromkeys(TEMPLATES[:2], n)
    report = plan(server)
    assert asked(server) == dict.fromkeys([*TEMPLATES, PLANNING], n)
    assert report.drawn_before == {"plan_reflection": 0, "plan_solutions": 0, "plan_choice": n}
    assert (report.n_drawn, report.lost) == (n, {})
    assert plan(server).n_present == n
    anew = plan(server, truncate="whole")
    assert (anew.n_drawn, anew.n_kept_anew) == (0, n)
    assert asked(server) == dict.fromkeys([*TEMPLATES, PLANNING], n), "no request is sent for it"
    assert {body["temperature"] for body in server.bodies} == {0.2}


def test_the_ceiling_of_costs_holds_for_all_requests_of_a_plan(
    starter: None, server: Loopback
) -> None:
    known(server, api="chat")
    prices = {"usd_per_million_prompt_tokens": 1000.0, "usd_per_million_completion_tokens": 2000.0}
    options = {"base_url": server.base_url, "api": "chat", "max_cost_usd": 25.0, **prices}
    report = plan(server, n=1, options=options)
    assert report.cost_usd is not None
    assert 15.0 < report.cost_usd <= 25.0
    assert 0 < sum(report.drawn_before.values()) < 3 * N_PROBLEMS
    assert {*report.lost} == {"cost_ceiling"}
    assert sum(report.lost.values()) + report.n_drawn == N_PROBLEMS
    ((stored,),) = rows("select sum(cost_usd) from raw.generation")
    assert stored == pytest.approx(report.cost_usd)


@pytest.mark.long(seconds=20)
def test_whole_programs_are_asked_for_in_the_same_ways(home: Path) -> None:
    ingest_dataset("codecontests", FIXTURE)
    given = {**PLANTED, "dataset": "codecontests", "options": {"chat": True, "pass_rate": 1.0}}
    report = generate(**{**given, "prompt": PROGRAMS}, n=2)
    assert report.drawn_before == dict.fromkeys(STEPS, report.n_drawn)
    few_shot = generate(**{**given, "prompt": "synthesis_program_chat_few_shot_cot_v1"}, n=2)
    assert (few_shot.n_drawn, few_shot.drawn_before) == (report.n_drawn, {})
    executed = execute(progress=False)
    assert {*executed.verdicts} == {"passed"}
    n_rejected = len(executed.rejected_problems)
    assert executed.n_generations == 2 * (report.n_drawn - 2 * n_rejected) > 20


def test_a_step_may_be_asked_alone_and_stop_strings_hold_for_programs_alone(starter: None) -> None:
    options = {"chat": True, "pass_rate": 1.0}
    alone = generate(**{**PLANTED, "prompt": None}, task="plan_choice", n=1, options=options)
    assert (alone.n_drawn, alone.drawn_before) == (
        N_PROBLEMS,
        {"plan_reflection": N_PROBLEMS, "plan_solutions": N_PROBLEMS},
    )
    stopped = generate(**PLANTED, n=1, options=options, stop=["\nclass"])
    assert stopped.drawn_before == dict.fromkeys(STEPS, 0)
    assert stopped.n_drawn == N_PROBLEMS


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"prompt": PLANNING}, "choose its chat api"),
        ({"task": "plan_choice"}, "choose its chat api"),
        ({"task": "plan_choice", "prompt": "original"}, "plan_choice needs a prompt template"),
        ({"task": "plan_choice", "prompt": "plan_solutions_v1"}, "is not made for plan_choice"),
        ({"task": "plan_solutions", "prompt": REPAIRS["plan_solutions"]}, "leave the prompt out"),
        ({"task": "plan_choice", "dataset": "defects4j"}, "plan_choice does not apply"),
    ],
)
def test_what_does_not_fit_is_refused(starter: None, values: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        generate(**{"backend": "planted", "lm": "x", "dataset": "starter", "n": 1, **values})
