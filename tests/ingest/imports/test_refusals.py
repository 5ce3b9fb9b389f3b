"""What an import reads back as it was written, and what it refuses by name."""

import gzip
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.imports import generic
from tests.support.samples import GENERIC, GOOD, TOKENS, written
from tests.support.steps import import_generations
from warehouse.errors import BadInput

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
COUNTS = st.none() | st.integers(0, 2**31 - 1)
AMOUNTS = st.none() | st.floats(0, 1e9)


@st.composite
def generic_rows(draw):
    row = {
        "task_id": draw(TEXTS),
        "text": draw(TEXTS),
        "style": draw(st.sampled_from(["completion", "solution"])),
        "prompt": draw(st.none() | TEXTS),
        "sample_index": draw(COUNTS),
        "finish_reason": draw(st.none() | TEXTS),
        "n_prompt_tokens": draw(COUNTS),
        "n_completion_tokens": draw(COUNTS),
        "latency_s": draw(AMOUNTS),
        "cost_usd": draw(AMOUNTS),
        "claimed_pass": draw(st.none() | st.booleans()),
        "cumulative_logprob": draw(st.none() | st.floats(-1e6, 0)),
    }
    tokens = draw(st.lists(st.tuples(TEXTS, st.floats(-1e4, 0)), max_size=5))
    if tokens:
        row["tokens"] = [token for token, _ in tokens]
        row["logprobs"] = [logprob for _, logprob in tokens]
    return row


@given(rows=st.lists(generic_rows(), min_size=1, max_size=5), packed=st.booleans())
def test_generic_reads_what_was_written(tmp_path_factory, rows, packed):
    path = tmp_path_factory.mktemp("generic") / "rows.jsonl"
    data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    read = list(generic.read(path))
    assert len(read) == len(rows)
    for number, (sample, row) in enumerate(zip(read, rows, strict=True), start=1):
        assert sample.row == number
        for name, value in row.items():
            given_value = getattr(sample, name)
            assert (list(given_value) if isinstance(given_value, tuple) else given_value) == value


BAD_ROWS = [
    ("[1, 2]", "expected a JSON object, found a list"),
    ('"text"', "found a string"),
    ('{"task_id": ', "not JSON"),
    ("{'task_id': 1}", "not JSON"),
    ("[" * 100_000, "not JSON"),
    ({"text": "x"}, "'task_id' is missing"),
    ({"task_id": "starter/ski_runs"}, "'text' is missing"),
    ({**GOOD, "text": None}, "'text' is null"),
    ({**GOOD, "text": 3}, "'text' is a number"),
    ({**GOOD, "task_id": "starter/ski_runs\0"}, "'task_id' has a NUL byte at character 16"),
    ({**GOOD, "prompt": "a\0b"}, "'prompt' has a NUL byte at character 1"),
    ({**GOOD, "prompt": "x" * 1_000_001}, "more than 1,000,000 bytes"),
    ({**GOOD, "prompt": "é" * 500_001}, "more than 1,000,000 bytes"),
    ({**GOOD, "prompt": "x" * 50_000_000}, "more than 1,000,000 bytes"),
    ('{"task_id": "starter/ski_runs", "text": "x", "prompt": "\\ud800"}', "half a surrogate pair"),
    ({**GOOD, "tokens": ["a\0"], "logprobs": [-1]}, "'tokens.0.' has a NUL byte"),
    ({**GOOD, "sample_idx": 0}, "unknown field 'sample_idx'"),
    ({**GOOD, "sample_index": -1}, "'sample_index' must be a whole number"),
    ({**GOOD, "sample_index": 1.5}, "'sample_index' must be a whole number"),
    ({**GOOD, "sample_index": True}, "'sample_index' must be a whole number"),
    ({**GOOD, "sample_index": 2**31}, "'sample_index' must be a whole number"),
    ({**GOOD, "latency_s": -1}, "'latency_s' is below 0"),
    ('{"task_id": "a", "text": "b", "latency_s": NaN}', "nan, not a finite number"),
    (f'{{"task_id": "a", "text": "b", "latency_s": {10**400}}}', "inf, not a finite number"),
    ({**GOOD, "cost_usd": "1"}, "'cost_usd' is a string"),
    ({**GOOD, "claimed_pass": 1}, "expected true or false"),
    ({**GOOD, "style": "chat"}, "'chat' is neither"),
    ({**GOOD, **TOKENS}, "give both 'tokens' and 'logprobs', or neither"),
    ({**GOOD, **TOKENS, "logprobs": [-1]}, "2 tokens and 1 log-probabilities"),
    ({**GOOD, **TOKENS, "logprobs": [-1, 0.1]}, "logprobs.1. is 0.1, above 0"),
    (
        json.dumps({**GOOD, **TOKENS, "logprobs": [-1, 7]}).replace("7", "NaN"),
        "nan, not a finite",
    ),
    ({**GOOD, **TOKENS, "logprobs": [-1, -1], "top_logprobs": [[]]}, "as long as 'tokens'"),
    (
        {**GOOD, "sample_index": 1, "tokens": ["xyz"], "logprobs": [-1]},
        "token 0 .'xyz'. does not continue the text",
    ),
    ({**GOOD, "task_id": "starter/none"}, "unknown task 'starter/none' in dataset starter"),
    ({**GOOD, "sample_index": 0}, "already came with another text in row 1"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD_ROWS, ids=[reason for _, reason in BAD_ROWS])
def test_a_bad_row_is_named_and_nothing_is_kept(starter, tmp_path, query, bad, reason):
    first = {**GOOD, "text": "    return 1\n", "sample_index": 0}
    path = written(tmp_path, first, bad)
    runs_before = query("select count(*) from raw.run")
    with pytest.raises(BadInput, match=reason) as error:
        import_generations(path, **GENERIC)
    assert str(error.value).startswith(f"{path}:2: ")
    assert "\n" not in str(error.value)
    assert query("select count(*) from raw.generation") == [(0,)]
    assert query("select count(*) from raw.language_model") == [(0,)]
    assert query("select count(*) from raw.run") == runs_before


DAMAGED = [
    (b"", "the file is empty"),
    (b"\n \n", "the file is empty"),
    (gzip.compress(b""), "the file is empty"),
    (gzip.compress(json.dumps(GOOD).encode() * 9)[:-20], "gzip stream is cut short"),
    (b"\x1f\x8b not gzip", "gzip stream is cut short or damaged"),
    (b'{"task_id": "starter/ski_runs", "text": "\xff"}\n', ":1: not UTF-8 at byte"),
]


@pytest.mark.parametrize(("data", "reason"), DAMAGED, ids=[reason for _, reason in DAMAGED])
def test_a_damaged_file_is_refused(starter, tmp_path, query, data, reason):
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(data)
    with pytest.raises(BadInput, match=reason) as error:
        import_generations(path, **GENERIC)
    assert str(error.value).startswith(str(path))
    assert query("select count(*) from raw.generation") == [(0,)]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("bigcode", '{"a": 1}', "expected a list of lists"),
        ("bigcode", '[["x"], "y"]', ":1: expected a list, found a string"),
        ("bigcode", '[["x", 3]]', r":0\[1\]: the field 'sample' is a number"),
        ("bigcode", json.dumps([[]] * 48 + [["x"]]), "there is no problem 48"),
        ("bigcode", "[[]]", "no samples found"),
        ("codet", '{"prompt": "p", "samples": "x"}', "'samples' is not a list"),
        ("codet", '{"prompt": "p", "samples": ["x"]}', "'p' belongs to no task of starter"),
        ("humaneval", '{"task_id": "a"}', "'completion' is missing"),
        ("evalplus", '{"task_id": "a"}', "needs the field 'solution' or 'completion'"),
        (
            "ldb",
            '{"task_id": "a", "prompt": "p", "canonical_solution": "", "solution": 1}',
            "'solution' is a number",
        ),
        ("vllm", '{"task_id": "a", "completion": "x"}', "'completion' is a string"),
        (
            "vllm",
            '{"task_id": "a", "completion": {"text": "x", "token_ids": [1], "logprobs": [{}]}}',
            "no entry for the token 1",
        ),
        ("evalperf", "[]", "whose 'eval' holds the tasks"),
    ],
)
def test_other_formats_refuse_what_does_not_fit(starter, tmp_path, query, name, content, reason):
    path = written(tmp_path, content)
    with pytest.raises(BadInput, match=reason) as error:
        import_generations(path, **{**GENERIC, "format": name})
    assert str(error.value).startswith(str(path))
    assert query("select count(*) from raw.generation") == [(0,)]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"format": "x"}, "there is no 'x'; available: humaneval"),
        (
            {"dataset": "humaneval"},
            "'humaneval' is not in the warehouse; available: starter; run `assay",
        ),
        ({"dataset": "x'; drop table raw.run; --"}, "there is no dataset"),
        ({"lm": " "}, "not a name"),
        ({"lm": "a\nb"}, "not a name"),
        ({"truncate": "x"}, "no keeping rule 'x'"),
        ({"truncate": "stop"}, "at least one stop string"),
        ({"temperature": -1.0}, "temperature: -1.0 is not in"),
        ({"temperature": math.nan}, "temperature: nan is not a finite"),
        ({"top_p": 1.5}, "top_p: 1.5 is not in"),
        ({"max_tokens": 0}, "max_tokens: 0 is not in"),
        ({"first_position": -1}, "first_position: -1 is not in"),
    ],
)
def test_options_that_make_no_sense(starter, tmp_path, options, reason):
    path = written(tmp_path, GOOD)
    with pytest.raises(BadInput, match=reason):
        import_generations(path, **{**GENERIC, **options})


def test_importing_without_a_warehouse(home, tmp_path):
    with pytest.raises(BadInput, match="not in the warehouse"):
        import_generations(written(tmp_path, GOOD), **GENERIC)
    assert not home.exists()
