"""What is kept of an answer: by its style, by the rule that is named, and by another rule later."""

import gzip
import hashlib
import json
import math
from pathlib import Path
from typing import Any

import pytest

from models.keys import text_key
from runners.steps.generate import GenerateReport
from runners.tasks.templates import load
from tests.data import FILES, shared
from tests.support.sql import rows
from tests.support.steps import execute, generate, ingest_dataset
from warehouse.errors import BadInput

pytestmark = pytest.mark.long

TAIL = "\nprint('tail')\n"


@pytest.fixture
def recording(starter: None, tmp_path: Path) -> Path:
    """Right answers with a comment at column 0 amid them and code after them, token by token."""
    lines = []
    for task_id, reference in rows("select task_id, reference from raw.problem"):
        tokens = ["    pass\n", "# note\n", reference, TAIL, "<|end|>"]
        text = "".join(tokens[:-1])
        lines.append(
            {
                "task_id": task_id, "sample_index": 0, "text": text, "tokens": tokens,
                "logprobs": [-0.1, -0.2, -0.3, -4.0, -5.0], "n_completion_tokens": 5,
                "cost_usd": 0.01,
            }
        )  # fmt: skip
    path = tmp_path / "recorded.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def replay(path: Path, **values: Any) -> GenerateReport:
    return generate(
        backend="replay", lm="x", dataset="starter", n=1, options={"file": str(path)}, **values
    )


TEXTS = """
    select generation_text.kept_rule, generation_text.raw_text, generation_text.kept_text,
        token_logprob.kept, setting.label, generation.cost_usd, problem.reference
    from raw.generation as generation
    inner join raw.generation_text as generation_text using (generation_id)
    inner join raw.token_logprob as token_logprob using (generation_id)
    inner join raw.setting as setting using (setting_id)
    inner join raw.problem as problem using (problem_id)
    where setting.label = '{}'
"""


def test_a_completion_ends_with_its_function_and_tokens_after_it_are_not_kept(
    recording: Path,
) -> None:
    replay(recording)
    found = rows(TEXTS.format(""))
    assert found
    for rule, raw, kept_text, kept, _, _, reference in found:
        assert rule == "function_end_v2"
        assert raw.endswith(reference + TAIL)
        assert kept_text == ("    pass\n# note\n" + reference).rstrip("\n")
        assert kept == [True, True, True, False, False]
    execute()
    assert rows("select distinct verdict from raw.outcome") == [("passed",)]


def test_another_rule_is_applied_to_what_was_drawn_and_nothing_is_sent(recording: Path) -> None:
    first = replay(recording)
    recording.write_text("")  # the recording could answer nothing more
    again = replay(recording, truncate="function_end_v1")
    assert (again.n_drawn, again.n_kept_anew, again.n_present) == (0, first.n_drawn, 0)
    assert again.cost_usd is None
    for rule, _, kept_text, kept, _, cost, _ in rows(TEXTS.format("function_end_v1")):
        assert (rule, kept_text, cost) == ("function_end_v1", "    pass", None)
        assert kept == [True, False, False, False, False]
    third = replay(recording, truncate="function_end_v1")
    assert (third.n_drawn, third.n_kept_anew, third.n_present) == (0, None, first.n_drawn)
    assert rows(
        "select distinct kept_rule, count(*) from raw.generation_text group by 1 order by 1"
    ) == [("function_end_v1", first.n_drawn), ("function_end_v2", first.n_drawn)]


def test_stops_apply_before_the_rule(recording: Path) -> None:
    replay(recording, stop=["\n# note"], truncate="stop")
    kept = {(text, tuple(kept)) for _, _, text, kept, _, _, _ in rows(TEXTS.format("stop"))}
    assert kept == {("    pass", (True, False, False, False, False))}


def test_a_chat_is_asked_with_a_template_and_its_block_is_kept(starter: None) -> None:
    options = {"chat": True, "pass_rate": 1.0, "n_styles": 1, "overconfidence": 1.0, "spread": 0.0}
    report = generate(
        backend="planted",
        lm="talker",
        dataset="starter",
        n=1,
        prompt="synthesis_chat_v1",
        options=options,
    )
    assert report.issues == {}
    template = load("synthesis_chat_v1")
    assert rows(
        "select distinct style, prompt_kind, template, template_key from raw.setting, "
        "raw.generation_request"
    ) == [("solution", "synthesis_chat_v1", "synthesis_chat_v1", template.key)]
    (prompt, prompt_key) = rows(
        "select problem.prompt, prompt_key from raw.generation_request "
        "join raw.generation using (generation_id) join raw.problem as problem using (problem_id)"
    )[0]
    sent = json.dumps(template.messages(task=prompt.strip("\n")), ensure_ascii=False)
    assert prompt_key == text_key(sent)
    for rule, raw, kept_text, kept, _, _, _ in rows(TEXTS.format("")):
        assert rule == "fenced_v1"
        assert raw.index(kept_text) == raw.index("```python\n") + len("```python\n")
        assert not kept[0]
        assert not kept[-1]
    (least, most) = rows(
        "select min(p), max(p) from (select unnest(list_where(logprobs, kept)) as p "
        "from raw.token_logprob)"
    )[0]
    logit = math.log(0.999 / 0.001) + 1
    assert (
        math.exp(least)
        == pytest.approx(math.exp(most))
        == pytest.approx(1 / (1 + math.exp(-logit)))
    )
    execute()
    assert rows("select distinct verdict from raw.outcome") == [("passed",)]


def test_bad_answers_are_counted_by_their_reason_and_fail(starter: None) -> None:
    faults = dict.fromkeys(["no_code", "wrong_language", "empty", "timeout", "logprob_nan"], 0.15)
    options = {"chat": True, "pass_rate": 1.0, "faults": faults}
    report = generate(
        backend="planted",
        lm="talker",
        dataset="starter",
        n=4,
        prompt="synthesis_chat_v1",
        options=options,
    )
    assert set(report.issues) == {
        "no_code", "wrong_language", "empty_completion", "gave_up", "logprob_nan"
    }  # fmt: skip
    assert (
        report.faults
        == {"timeout": report.issues["gave_up"]}
        == {"timeout": report.lost["gave_up"]}
    )
    assert rows("select code, count(*) from raw.generation_issue group by 1 order by 1") == sorted(
        report.issues.items()
    )
    execute()
    verdicts = dict(
        rows(
            """
            select code, list_distinct(list(verdict)) from raw.generation_issue
            join raw.evaluation using (generation_id) join raw.outcome using (program_id)
            group by 1
            """
        )
    )
    assert verdicts.pop("logprob_nan") == ["passed"]
    assert set(verdicts) == {"no_code", "wrong_language", "empty_completion"}
    assert all("passed" not in found for found in verdicts.values())


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"prompt": "synthesis_chat_v1"}, "is for a chat, and this backend continues a text"),
        ({"prompt": "ask_tf_v1"}, "not made for synthesis"),
        ({"prompt": "synthesis_chat_v7"}, "no prompt template 'synthesis_chat_v7'"),
        ({"truncate": "fenced_v1"}, "fenced_v1 does not apply here: did you mean function_end_v1"),
        ({"truncate": "whole", "options": {"chat": True}, "dataset": "nowhere"}, "available: "),
        ({"truncate": "function_end_v1", "options": {"chat": True}}, "available: fenced_v1"),
    ],
)
def test_what_does_not_fit_is_refused(starter: None, values: dict[str, Any], reason: str) -> None:
    with pytest.raises(Exception, match=reason) as caught:
        generate(**{"backend": "planted", "lm": "x", "dataset": "starter", "n": 1, **values})
    assert isinstance(caught.value, BadInput) or "nowhere" in str(caught.value)


@pytest.mark.parametrize(
    ("dataset", "rule"),
    [("humaneval_plus", "function_end_v2"), ("mbpp_plus", "module_end_v1")],
)
def test_a_prompt_that_leaves_no_function_open_is_gone_on_with_a_whole_one(
    home: Path, tmp_path: Path, dataset: str, rule: str
) -> None:
    """What is right passes, however the dataset asks for it."""
    with gzip.open(shared(FILES[dataset]), "rt", encoding="utf-8") as lines:
        few = [line for line, _ in zip(lines, range(6), strict=False)]
    path = tmp_path / "few.jsonl"
    path.write_text("".join(few), encoding="utf-8")
    ingest_dataset(dataset, path, sha256=hashlib.sha256(path.read_bytes()).hexdigest())
    generate(
        backend="planted", lm="expert", dataset=dataset, n=2,
        options={"pass_rate": 1.0, "spread": 0.0}, progress=False,
    )  # fmt: skip
    execute()
    assert rows("select distinct kept_rule from raw.generation_text") == [(rule,)]
    assert rows("select verdict, count(*) > 5 from raw.outcome group by 1") == [("passed", True)]
