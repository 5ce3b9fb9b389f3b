"""The import formats, each from a small file of its own and from the real ones."""

import gzip
import json
import math
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.imports import FORMATS, bigcode, codet, evalperf, evalplus, generic, ldb, vllm
from ingest.imports import humaneval as humaneval_format
from ingest.loader import ingest_dataset
from ingest.samples import Sample
from models.keys import text_key
from tests.data import shared
from tests.support.steps import import_generations
from warehouse.errors import BadInput


def written(folder: Path, *lines: object, name: str = "made.jsonl") -> Path:
    path = folder / name
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(text + "\n" for text in texts), encoding="utf-8")
    return path


def test_every_format_is_a_module_with_a_reader():
    import importlib

    for name in FORMATS:
        assert callable(importlib.import_module(FORMATS[name]).read)


def test_humaneval_samples(tmp_path):
    path = written(
        tmp_path,
        {"task_id": "HumanEval/0", "completion": "    return 1\n"},
        "",
        {"task_id": "HumanEval/0", "completion": "", "result": "failed", "passed": False},
    )
    assert list(humaneval_format.read(path)) == [
        Sample(row=1, task_id="HumanEval/0", text="    return 1\n"),
        Sample(row=3, task_id="HumanEval/0", text="", claimed_pass=False),
    ]


def test_evalplus_file_and_folder_agree(tmp_path):
    texts = {"HumanEval/0": ["a = 1", "a = 2"], "Mbpp/2": [f"b = {n}" for n in range(11)]}
    path = written(
        tmp_path, *({"task_id": t, "solution": s} for t, many in texts.items() for s in many)
    )
    folder = tmp_path / "samples"
    for task, many in texts.items():
        (folder / task.replace("/", "_")).mkdir(parents=True)
        for n, text in enumerate(many):
            (folder / task.replace("/", "_") / f"{n}.py").write_text(text, encoding="utf-8")
    from_file = list(evalplus.read(path))
    from_folder = list(evalplus.read(folder))
    assert [s.text for s in from_file] == [s.text for s in from_folder]
    assert {s.style for s in from_file + from_folder} == {"solution"}
    assert [s.sample_index for s in from_folder] == [0, 1, *range(11)]
    assert from_folder[2].task_id == "Mbpp_2"


def test_evalplus_completions(tmp_path):
    (sample,) = evalplus.read(written(tmp_path, {"task_id": "Mbpp/2", "completion": "x"}))
    assert (sample.style, sample.text) == ("completion", "x")


def test_bigcode_lists_belong_to_positions(tmp_path):
    path = written(tmp_path, [["a", "b"], [], ["c"]], name="generations.json")
    assert [(s.position, s.sample_index, s.text, s.style) for s in bigcode.read(path)] == [
        (0, 0, "a", "solution"),
        (0, 1, "b", "solution"),
        (2, 0, "c", "solution"),
    ]


def test_codet_samples_keep_their_prompt(tmp_path):
    path = written(tmp_path, {"prompt": "def f():\n", "samples": ["x", "y"]})
    assert [(s.prompt, s.sample_index, s.text) for s in codet.read(path)] == [
        ("def f():\n", 0, "x"),
        ("def f():\n", 1, "y"),
    ]


def test_vllm_by_name_and_by_position(tmp_path):
    record = {
        "text": "ab",
        "token_ids": [7, 8],
        "finish_reason": "stop",
        "cumulative_logprob": -0.5,
        "logprobs": [
            {"9": [-2.0, 2, "x"], "7": [-0.5, 1, "a"]},
            {"8": {"logprob": 5e-5, "rank": 1, "decoded_token": "b"}},
        ],
    }
    (sample,) = vllm.read(written(tmp_path, {"task_id": "HumanEval/0", "completion": record}))
    assert (sample.tokens, sample.logprobs) == (("a", "b"), (-0.5, 0.0))
    assert (sample.finish_reason, sample.n_completion_tokens) == ("stop", 2)
    assert json.loads(sample.top_logprobs) == [[["a", -0.5], ["x", -2.0]], [["b", 0.0]]]


def test_the_vllm_record_sums_to_its_cumulative_log_probability():
    path = shared(
        "generations/vllm_logprobs/human-eval-samples-Qwen2.5-Coder-7B-Instruct.first1.jsonl"
    )
    (sample,) = vllm.read(path)
    assert len(sample.tokens) == len(sample.logprobs) == sample.n_completion_tokens == 88
    assert abs(math.exp(sum(sample.logprobs)) - math.exp(sample.cumulative_logprob)) < 1e-9
    assert "".join(sample.tokens) == sample.text
    assert sample.finish_reason == "stop"


def test_the_real_codet_file_has_the_samples_that_were_judged():
    samples = list(codet.read(shared("generations/codet_codegen16B_humaneval.lines1-110.jsonl")))
    pairs = shared("generations/codet_HumanEval_for_code_generation.jsonl")
    with pairs.open(encoding="utf-8") as file:
        tasks = {value["prompt"]: value["task_id"] for value in map(json.loads, file)}
    with shared("labels/codet_codegen16B_verified.jsonl").open(encoding="utf-8") as file:
        judged = {(value["task_id"], value["sample"]) for value in map(json.loads, file)}
    assert len(samples) == 11_000
    assert {(tasks[s.prompt], s.sample_index) for s in samples} == judged


@pytest.mark.parametrize(("dataset", "count"), [("humaneval", 164), ("mbpp", 500)])
@pytest.mark.parametrize("lm", ["codellama", "gpt-3.5-turbo-0613", "starcoder"])
def test_the_real_ldb_seeds(dataset, count, lm):
    samples = list(ldb.read(shared(f"generations/ldb_seeds/{dataset}/{lm}.jsonl")))
    assert len(samples) == len({s.task_id for s in samples}) == count
    assert all(s.claimed_pass is not None and s.prompt for s in samples)


def test_ldb_solutions_stay_as_their_makers_ran_them(tmp_path):
    path = tmp_path / "seed.jsonl"
    line = {
        "task_id": "MBPP/244",
        "prompt": "def f(N): ...",
        "canonical_solution": "import math  \nfrom re import sub\ndef f(N):\n    import os\n",
        "solution": "def f(N): return math.sqrt(N)",
        "is_solved": True,
    }
    path.write_text(json.dumps(line) + "\n")
    (sample,) = ldb.read(path)
    assert sample.text == "def f(N): return math.sqrt(N)"
    assert sample.canonical_imports == "import math\nfrom re import sub\n"


def test_the_imports_rule_needs_a_format_with_solutions_of_its_own(starter, tmp_path):
    path = written(tmp_path, {"task_id": "starter/bee_dance", "solution": "x = 1"})
    with pytest.raises(BadInput, match="the format evalplus has none"):
        import_generations(
            path, format="evalplus", dataset="starter", lm="m", truncate="canonical_imports_v1"
        )


def test_the_real_evalperf_files_hold_two_datasets():
    folder = shared("generations/evalperf")
    for path in sorted(folder.glob("*.json")):
        counts = Counter(s.task_id.partition("/")[0] for s in evalperf.read(path))
        assert set(counts) == {"HumanEval", "Mbpp"}
        per_task = Counter(s.task_id for s in evalperf.read(path))
        assert max(per_task.values()) <= 20


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


GOOD = {"task_id": "starter/ski_runs", "text": "    return 0\n"}
TOKENS = {"tokens": ["    return", " 0\n"]}


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
    ({**GOOD, "text": "a\0b"}, "'text' has a NUL byte at character 1"),
    ({**GOOD, "text": "x" * 1_000_001}, "more than 1,000,000 bytes"),
    ({**GOOD, "text": "é" * 500_001}, "more than 1,000,000 bytes"),
    ({**GOOD, "text": "x" * 50_000_000}, "more than 1,000,000 bytes"),
    ('{"task_id": "starter/ski_runs", "text": "\\ud800"}', "half a surrogate pair"),
    ({**GOOD, "sample_idx": 0}, "unknown field 'sample_idx'"),
    ({**GOOD, "sample_index": -1}, "'sample_index' must be a whole number"),
    ({**GOOD, "sample_index": 1.5}, "'sample_index' must be a whole number"),
    ({**GOOD, "sample_index": True}, "'sample_index' must be a whole number"),
    ({**GOOD, "sample_index": 2**31}, "'sample_index' must be a whole number"),
    ({**GOOD, "latency_s": -1}, "'latency_s' is below 0"),
    ('{"task_id": "a", "text": "b", "latency_s": NaN}', "nan, not a finite number"),
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
        import_generations(path, format="generic", dataset="starter", lm="m")
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
        import_generations(path, format="generic", dataset="starter", lm="m")
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
        import_generations(path, format=name, dataset="starter", lm="m")
    assert str(error.value).startswith(str(path))
    assert query("select count(*) from raw.generation") == [(0,)]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"format": "x"}, "no import format 'x'; available: humaneval"),
        (
            {"dataset": "humaneval"},
            "'humaneval' is not in the warehouse; available: starter; run `assay",
        ),
        ({"dataset": "x'; drop table raw.run; --"}, "is not in the warehouse"),
        ({"lm": " "}, "not a name"),
        ({"lm": "a\nb"}, "not a name"),
        ({"truncate": "x"}, "no truncation rule 'x'"),
        ({"truncate": "stop"}, "at least one stop string"),
        ({"temperature": -1.0}, "temperature -1.0 is not in"),
        ({"temperature": math.nan}, "temperature nan is not in"),
        ({"top_p": 1.5}, "top_p 1.5 is not in"),
        ({"max_tokens": 0}, "max_tokens 0 is not in"),
        ({"first_position": -1}, "first position -1 is below 0"),
    ],
)
def test_options_that_make_no_sense(starter, tmp_path, options, reason):
    path = written(tmp_path, GOOD)
    with pytest.raises(BadInput, match=reason):
        import_generations(
            path, **{"format": "generic", "dataset": "starter", "lm": "m", **options}
        )


def test_importing_without_a_warehouse(home, tmp_path):
    with pytest.raises(BadInput, match="not in the warehouse"):
        import_generations(written(tmp_path, GOOD), format="generic", dataset="starter", lm="m")
    assert not home.exists()


ALL = """
    select task_id, style, sample_index, raw_text, kept_text, kept_rule, prompt_kind, v.kind,
        g.text_key, claimed_pass, list_transform(tokens, lambda x: x), logprobs, kept
    from raw.generation as g
    join raw.generation_text using (generation_id)
    join raw.problem using (problem_id)
    join raw.variant as v using (variant_id)
    join raw.setting using (setting_id)
    left join raw.token_logprob using (generation_id)
    order by all
"""


def rows(count: int) -> list[dict[str, object]]:
    names = ["ski_runs", "Water_Meter", "tide_marks"]
    return [
        {
            "task_id": f"Starter/{names[n % 3]}",
            "sample_index": n // 3,
            "text": f"    return {n}\n",
            "tokens": ["    return ", f"{n}\n", "<end>"],
            "logprobs": [-1.5, -0.25, -0.125],
            "claimed_pass": n % 2 == 0,
        }
        for n in range(count)
    ]


def test_rows_carry_what_the_file_says(starter, tmp_path, query):
    path = written(tmp_path, *rows(3))
    report = import_generations(path, format="generic", dataset="starter", lm="m", temperature=0)
    assert (report.n_samples, report.n_problems, report.n_repeated) == (3, 3, 0)
    assert report.added["generation"] == report.added["token_logprob"] == 3
    found = query(ALL)
    assert found[0] == (
        *("starter/ski_runs", "completion", 0, "    return 0\n", "    return 0\n", "whole"),
        *("original", "original", text_key("    return 0\n"), True),
        *(["    return ", "0\n", "<end>"], [-1.5, -0.25, -0.125], [True, True, False]),
    )
    assert query("select lm, revision, simulated from raw.language_model") == [("m", "", False)]
    ((summary, inputs),) = query(
        "select summary, inputs from raw.run join raw.run_finish using (run_id) "
        "where kind = 'import'"
    )
    assert json.loads(summary)["n_samples"] == 3
    assert list(json.loads(inputs)) == [str(path)]


def test_order_of_rows_does_not_matter_and_twice_is_once(starter, tmp_path, query):
    given_rows = rows(30)
    options = {"format": "generic", "dataset": "starter", "lm": "m"}
    import_generations(written(tmp_path, *given_rows), **options)
    keys = "select generation_id, text_key from raw.generation order by all"
    before = query(keys)
    random.Random(3).shuffle(given_rows)
    report = import_generations(written(tmp_path, *given_rows, name="b.jsonl"), **options)
    assert report.n_samples == 30
    assert set(report.added.values()) == {0}
    assert query(keys) == before
    assert len(before) == 30


def test_a_longer_file_adds_only_what_is_new(starter, tmp_path, query):
    options = {"format": "generic", "dataset": "starter", "lm": "m"}
    import_generations(written(tmp_path, *rows(6)), **options)
    report = import_generations(written(tmp_path, *rows(9)), **options)
    assert report.added["generation"] == report.added["generation_text"] == 3
    assert report.added["language_model"] == report.added["setting"] == 0


def test_a_sample_repeated_word_for_word_counts_once(starter, tmp_path, query):
    path = written(tmp_path, *rows(2), *rows(1))
    report = import_generations(path, format="generic", dataset="starter", lm="m")
    assert (report.n_samples, report.n_repeated, report.added["generation"]) == (3, 1, 2)


def test_another_text_for_a_sample_in_the_warehouse_is_refused(starter, tmp_path, query):
    options = {"format": "generic", "dataset": "starter", "lm": "m"}
    import_generations(written(tmp_path, *rows(3)), **options)
    changed = rows(4)
    changed[2] = {**GOOD, "task_id": "starter/tide_marks", "sample_index": 0}
    path = written(tmp_path, *reversed(changed), name="changed.jsonl")
    with pytest.raises(BadInput, match=r"changed\.jsonl:2: sample 0 .* with another text"):
        import_generations(path, **options)
    assert query("select count(*) from raw.generation") == [(3,)]
    assert import_generations(path, **options, label="second").added["generation"] == 4


def test_another_truncation_of_samples_in_the_warehouse_is_refused(starter, tmp_path):
    options = {"format": "generic", "dataset": "starter", "lm": "m"}
    path = written(tmp_path, *rows(3))
    import_generations(path, **options)
    with pytest.raises(BadInput, match="already in the warehouse truncated by whole"):
        import_generations(path, **options, truncate="function_end_v2")


def test_a_planted_model_cannot_pass_for_a_real_one(starter, tmp_path):
    options = {"format": "generic", "dataset": "starter", "lm": "m"}
    import_generations(written(tmp_path, *rows(1)), **options, simulated=True)
    with pytest.raises(BadInput, match="'m' is known as simulated, not as real"):
        import_generations(written(tmp_path, *rows(2)), **options)


def test_truncation_marks_the_tokens_kept(starter, tmp_path, query):
    text = "    return 0\n\ndef g():\n    pass\n"
    row = {**GOOD, "text": text, "tokens": ["    return 0", "\n\n", text[14:]]}
    path = written(tmp_path, {**row, "logprobs": [-1, -2, -3]})
    import_generations(
        path, format="generic", dataset="starter", lm="m", truncate="function_end_v2"
    )
    ((raw, kept, rule, tokens_kept),) = query(
        "select raw_text, kept_text, kept_rule, kept from raw.generation_text "
        "join raw.token_logprob using (generation_id)"
    )
    assert (raw, kept, rule) == (text, "    return 0", "function_end_v2")
    assert tokens_kept == [True, False, False]


def test_a_solution_is_never_truncated(starter, tmp_path):
    path = written(tmp_path, {**GOOD, "style": "solution"})
    with pytest.raises(BadInput, match="a solution is a whole program"):
        import_generations(
            path, format="generic", dataset="starter", lm="m", truncate="function_end_v1"
        )


def test_codet_prompts_become_variants_through_the_pairs(starter, tmp_path, query):
    samples = written(
        tmp_path,
        {"prompt": "def ski_runs(p):\n", "samples": ["    return 1", "    return 2"]},
        {"prompt": "def water_meter(r, d):\n", "samples": ["    return 3"]},
    )
    pairs = written(
        tmp_path,
        {"task_id": "starter/water_meter", "prompt": "def water_meter(r, d):\n", "more": 1},
        {"task_id": "STARTER/ski_runs", "prompt": "def ski_runs(p):\n"},
        name="pairs.jsonl",
    )
    options = {"format": "codet", "dataset": "starter", "lm": "m"}
    with pytest.raises(BadInput, match=":1: the prompt 'def ski_runs"):
        import_generations(samples, **options)
    first = import_generations(samples, **options, prompts=pairs)
    assert (first.added["variant"], first.added["setting"]) == (2, 1)
    assert query(
        "select task_id, v.prompt, sample_index, raw_text from raw.generation "
        "join raw.generation_text using (generation_id) join raw.variant as v using (variant_id) "
        "join raw.problem as p on v.problem_id = p.problem_id "
        "where kind = 'codet' order by all"
    ) == [
        ("starter/ski_runs", "def ski_runs(p):\n", 0, "    return 1"),
        ("starter/ski_runs", "def ski_runs(p):\n", 1, "    return 2"),
        ("starter/water_meter", "def water_meter(r, d):\n", 0, "    return 3"),
    ]
    again = import_generations(samples, **options)  # the prompts are known now
    assert set(again.added.values()) == {0}


def test_a_prompt_of_two_tasks_is_refused(starter, tmp_path):
    samples = written(tmp_path, {"prompt": "p", "samples": ["x"]})
    pairs = [{"task_id": f"starter/{name}", "prompt": "p"} for name in ("ski_runs", "tide_marks")]
    with pytest.raises(BadInput, match="belongs to starter/ski_runs and starter/tide_marks"):
        import_generations(
            samples,
            format="codet",
            dataset="starter",
            lm="m",
            prompts=written(tmp_path, *pairs, name="pairs.jsonl"),
        )


def test_bigcode_positions_may_begin_later(starter, tmp_path, query):
    path = written(tmp_path, [["x"], ["y"]])
    import_generations(path, format="bigcode", dataset="starter", lm="m", first_position=46)
    assert query(
        "select position, raw_text from raw.generation join raw.problem using (problem_id) "
        "join raw.generation_text using (generation_id) order by 1"
    ) == [(46, "x"), (47, "y")]


def test_evalperf_is_marked_as_selected_and_may_skip_tasks(starter, tmp_path, query):
    profiled = {"profiled": [{"solution": "a"}, {"solution": "b"}]}
    tasks = {"starter/ski_runs": profiled, "Other/1": profiled, "Other/2": {"profiled": None}}
    path = written(tmp_path, {"eval": tasks})
    options = {"format": "evalperf", "dataset": "starter", "lm": "m"}
    with pytest.raises(BadInput, match=r"Other/1\[0\]: unknown task"):
        import_generations(path, **options)
    report = import_generations(path, **options, skip_unknown=True)
    assert (report.n_samples, report.n_skipped) == (2, 2)
    assert query("select resampled, style from raw.setting") == [(True, "solution")]


def test_task_ids_match_in_any_case_across_spellings(home, tmp_path, query):
    ingest_dataset("humaneval", shared("datasets/humaneval/HumanEval.jsonl.gz"))
    spellings = ["HumanEval/0", "humaneval/1", "HUMANEVAL_2", "3"]
    path = written(tmp_path, *({"task_id": name, "text": "x"} for name in spellings))
    import_generations(path, format="generic", dataset="humaneval", lm="m")
    assert query(
        "select task_id from raw.generation join raw.problem using (problem_id) order by position"
    ) == [(f"HumanEval/{n}",) for n in range(4)]
