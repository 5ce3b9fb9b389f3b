"""The import formats, each from a small file written here and from the real ones."""

import json
import math
from collections import Counter

import pytest

from ingest.imports import bigcode, codet, evalperf, evalplus, ldb, mapcoder, vllm
from ingest.imports import humaneval as humaneval_format
from ingest.samples import Sample
from tests.data import CODET, published_verdicts, shared, tasks_by_prompt
from tests.support.samples import written
from tests.support.steps import import_generations
from warehouse.errors import BadInput


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
    assert sample.top_logprobs == [[("a", -0.5), ("x", -2.0)], [("b", 0.0)]]


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
    samples, tasks = list(codet.read(shared(CODET))), tasks_by_prompt()
    assert len(samples) == 11_000
    assert {(tasks[s.prompt], s.sample_index) for s in samples} == published_verdicts().keys()


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


def test_mapcoder_keeps_each_try_and_all_but_the_last_failed(tmp_path):
    path = written(
        tmp_path,
        {"task_id": 12, "source_codes": ["a", "b"], "is_solved": True, "name": "x"},
        {"task_id": "apps/3", "source_codes": ["c"], "is_solved": False},
        {"task_id": "apps/3", "source_codes": []},
        {"task_id": "apps/3", "source_codes": ["d", "e"]},
    )
    assert [(s.row, s.task_id, s.text, s.claimed_pass) for s in mapcoder.read(path)] == [
        (1, "12", "a", False),
        (1, "12", "b", True),
        (2, "apps/3", "c", False),
        (4, "apps/3", "d", None),
        (4, "apps/3", "e", None),
    ]


@pytest.mark.parametrize(("way", "n_solved"), [("CoT", 17), ("Direct", 19)])
def test_the_real_mapcoder_results(way, n_solved):
    samples = list(mapcoder.read(shared(f"generations/mapcoder_apps/GPT4-Turbo-{way}-APPS.jsonl")))
    assert (len(samples), len({s.task_id for s in samples})) == (150, 128)
    assert sum(s.claimed_pass for s in samples) == n_solved
