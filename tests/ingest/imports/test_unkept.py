"""Samples whose text no row can hold: counted, with a reason, and never a reason to refuse a file.

Each format gets a file with one such sample between two others. The whole path then gives the
numbers that the same samples give by hand.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.fields import unkept_reason
from ingest.imports import FORMATS
from models.keys import text_key
from models.words import TEXT_NOT_KEPT, UNKEPT_CANDIDATE, UNKEPT_ISSUES, UNKEPT_PROGRAM
from runners.judging.languages.python import parses
from runners.measuring.pairs import TOKENIZERS
from tests.support.samples import GENERIC, GOOD, written
from tests.support.sql import rows, rows_in
from tests.support.steps import (
    build,
    execute,
    import_generations,
    ingest_dataset,
    similarity_pairs,
)
from warehouse.errors import BadInput

TASK = "starter/ski_runs"
PROMPT = "def ski_runs(heights):\n"
FIRST, LAST = "    return 0\n", "    return 1\n"

UNKEPT = {
    "text_too_long": "#" * 1_000_001,
    "text_has_nul": "    return '\0'\n",
    "text_not_unicode": "    return '\ud800'\n",
}

FILES: dict[str, Callable[[list[str]], list[Any]]] = {
    "humaneval": lambda texts: [{"task_id": TASK, "completion": text} for text in texts],
    "evalplus": lambda texts: [{"task_id": TASK, "solution": text} for text in texts],
    "bigcode": lambda texts: [[texts]],
    "codet": lambda texts: [{"prompt": PROMPT, "samples": texts}],
    "ldb": lambda texts: [
        {"task_id": TASK, "prompt": PROMPT, "canonical_solution": "", "solution": text}
        for text in texts
    ],
    "mapcoder": lambda texts: [{"task_id": TASK, "source_codes": texts, "is_solved": False}],
    "vllm": lambda texts: [
        {
            "task_id": TASK,
            "completion": {"text": text, "token_ids": [1], "logprobs": [{"1": [-1, 1, text]}]},
        }
        for text in texts
    ],
    "evalperf": lambda texts: [{"eval": {TASK: {"profiled": [{"solution": t} for t in texts]}}}],
    "crscore": lambda texts: [{"id": TASK, "change_summary": text} for text in texts],
    "generic": lambda texts: [
        {
            "task_id": TASK,
            "text": text,
            "tokens": [text],
            "logprobs": [-1],
            "top_logprobs": [[[text, -1]]],
        }
        for text in texts
    ],
}
"""What each format writes for the samples of one task."""

IMPORTED = """
    select sample_index, raw_text, kept_text, text_key, logprobs is not null
    from raw.generation
    join raw.generation_text using (generation_id)
    left join raw.token_logprob using (generation_id)
    order by sample_index
"""


def imported(path: Path, name: str, **options: Any) -> Any:
    return import_generations(path, **{**GENERIC, "format": name, **options})


def test_every_format_is_tried() -> None:
    assert set(FILES) == set(FORMATS)
    assert set(UNKEPT) == set(UNKEPT_ISSUES)


@pytest.mark.parametrize("code", UNKEPT)
@pytest.mark.parametrize("name", FORMATS)
def test_the_other_samples_of_the_file_come_in(
    name: str, code: str, starter: Path, tmp_path: Path
) -> None:
    text = UNKEPT[code]
    path = written(tmp_path, *FILES[name]([FIRST, text, LAST]))
    pairs = written(tmp_path, {"task_id": TASK, "prompt": PROMPT}, name="pairs.jsonl")
    report = imported(path, name, prompts=pairs)
    assert (report.n_samples, report.n_unkept) == (3, 1)
    has_tokens = name in ("vllm", "generic")
    assert rows(IMPORTED) == [
        (0, FIRST, FIRST, text_key(FIRST), has_tokens),
        (1, "", "", text_key(text), False),
        (2, LAST, LAST, text_key(LAST), has_tokens),
    ]
    ((found, index, lost, detail),) = rows(
        "select code, issue.sample_index, lost, detail from raw.generation_issue as issue "
        "join raw.generation using (generation_id, lm_id, setting_id, problem_id)"
    )
    data = text.encode("utf-8", "surrogatepass")
    assert (found, index, lost) == (code, 1, False)
    assert detail.endswith(
        f"{len(data):,} bytes in all, SHA-256 {hashlib.sha256(data).hexdigest()}"
    )
    again = imported(path, name, prompts=pairs)
    assert (again.n_unkept, set(again.added.values())) == (1, {0})


@pytest.mark.parametrize("code", ["text_too_long", "text_has_nul"])
def test_a_folder_of_programs_too(code: str, starter: Path, tmp_path: Path) -> None:
    folder = tmp_path / "samples" / "starter_ski_runs"
    folder.mkdir(parents=True)
    for n, text in enumerate([FIRST, UNKEPT[code], LAST]):
        (folder / f"{n}.py").write_text(text, encoding="utf-8")
    report = imported(tmp_path / "samples", "evalplus")
    assert (report.n_samples, report.n_unkept) == (3, 1)
    assert [row[1] for row in rows(IMPORTED)] == [FIRST, "", LAST]


def test_two_unkept_texts_of_one_sample_contradict_each_other(
    starter: Path, tmp_path: Path
) -> None:
    """The key is that of the whole text, so that another one is not taken for a repetition."""
    lines = [{**GOOD, "sample_index": 0, "text": text} for text in ("a\0", "a\0", "b\0")]
    assert imported(written(tmp_path, *lines[:2]), "generic").n_repeated == 1
    with pytest.raises(BadInput, match=r"sample 0 of this task .* with another text"):
        imported(written(tmp_path, lines[2]), "generic")


def test_nothing_is_kept_behind_the_imports_of_the_canonical_solution(
    starter: Path, tmp_path: Path
) -> None:
    (line,) = FILES["ldb"]([UNKEPT["text_has_nul"]])
    path = written(tmp_path, {**line, "canonical_solution": "import math\n"})
    imported(path, "ldb", truncate="canonical_imports_v1")
    assert [row[1:3] for row in rows(IMPORTED)] == [("", "")]


TEXTS = st.text(st.characters() | st.sampled_from("\0\ud800é\U0001f600"), max_size=12)


@given(text=TEXTS, limit=st.integers(0, 30))
def test_a_text_is_kept_where_a_row_can_hold_it(text: str, limit: int) -> None:
    try:
        holds = "\0" not in text and len(text.encode()) <= limit
    except UnicodeEncodeError:
        holds = False
    reason = unkept_reason(text, limit=limit)
    assert (reason is None) == holds
    assert reason is None or reason.code in UNKEPT_ISSUES


def test_the_program_of_an_unkept_text_has_no_token_and_does_not_parse() -> None:
    assert text_key(UNKEPT_PROGRAM) == UNKEPT_CANDIDATE
    assert not parses(UNKEPT_PROGRAM)
    assert [TOKENIZERS.load(name)(UNKEPT_PROGRAM) for name in TOKENIZERS] == [[]] * len(TOKENIZERS)


def references() -> dict[str, str]:
    """Return the right completion of each problem of the starter set."""
    return dict(rows("select task_id, reference from raw.problem"))


@pytest.mark.long
def test_pass_at_k_counts_them_as_failed_and_no_measure_compares_them(
    starter: Path, tmp_path: Path
) -> None:
    """Five samples a problem, c of them right: pass@1 is c/5, pass@5 is 1 where c > 0."""
    nul, long = UNKEPT["text_has_nul"], UNKEPT["text_too_long"]
    right = references()
    one, two, three, *_ = sorted(right)
    texts = {
        one: [right[one], nul, nul, nul, right[one]],
        two: [long, nul, nul, nul, right[two]],
        three: [nul] * 5,
    }
    lines = [{"task_id": name, "text": text} for name, many in texts.items() for text in many]
    report = imported(written(tmp_path, *lines), "generic")
    assert (report.n_samples, report.n_unkept) == (15, 12)
    executed = execute()
    assert executed.verdicts == {"passed": 2, "error": 3}  # equal programs of a problem run once
    compared = similarity_pairs()
    measures = ("scc_v1", "tokens_v2", "tfidf_v1", "tree_edit_v1", "structure_v1")
    # two right programs, one given twice; each beside the program without text, and this one twice
    assert compared.pairs == dict.fromkeys(measures, 4)
    assert compared.unscored == {f"{measure}: {TEXT_NOT_KEPT}": 3 for measure in measures}
    path = starter / "warehouse.duckdb"
    build(path, select="+generation_health +pass_at_k +int_pair_valued")
    valued = rows_in(
        path,
        "select null_reason, count(*) as n, count(value) as n_values from "
        "intermediate.int_pair_valued inner join intermediate.int_similarity_numbered using "
        "(similarity_no) where measure != 'behaviour_v1' or null_reason = 'text_not_kept' "
        "group by null_reason order by null_reason",
    )
    # five similarities count tokens; behaviour also lacks values where right programs are fast
    assert valued == [
        {"null_reason": TEXT_NOT_KEPT, "n": 3 * (5 + 3 + 1), "n_values": 0},
        {"null_reason": None, "n": 5 + 3, "n_values": 5 + 3},
    ]
    found = rows_in(path, "select * from pass_at_k where k <= 5 order by k")
    assert [(row["k"], row["n_samples"], row["n_samples_scored"]) for row in found] == [
        (1, 15, 15),
        (5, 15, 15),
    ]
    assert found[0]["pass_at_k"] == pytest.approx((2 / 5 + 1 / 5 + 0) / 3)
    assert found[1]["pass_at_k"] == pytest.approx((1 + 1 + 0) / 3)
    (health,) = rows_in(path, "select * from generation_health")
    assert {name: health[name] for name in ("n_drawn", "n_lost", "n_with_issue")} == {
        "n_drawn": 15, "n_lost": 0, "n_with_issue": 12
    }  # fmt: skip
    assert [health[f"n_{code}"] for code in UNKEPT_ISSUES] == [1, 11, 0]


@pytest.mark.long
def test_a_sample_without_text_fails_where_the_bare_prompt_passes(
    home: Path, tmp_path: Path
) -> None:
    problem = {
        "task_id": "HumanEval/0",
        "prompt": 'def nothing(x):\n    """Return nothing."""\n',
        "entry_point": "nothing",
        "canonical_solution": "    return None\n",
        "test": "def check(candidate):\n    assert candidate(1) is None\n",
    }
    ingest_dataset("humaneval", written(tmp_path, problem, name="one.jsonl"), unpinned=True)
    lines = [{"task_id": "HumanEval/0", "text": text} for text in ("", UNKEPT["text_has_nul"])]
    import_generations(written(tmp_path, *lines), format="generic", dataset="humaneval", lm="m")
    execute()
    assert rows(
        "select sample_index, verdict from raw.generation join raw.evaluation using "
        "(generation_id) join raw.outcome using (program_id) order by sample_index"
    ) == [(0, "passed"), (1, "error")]
