"""The public datasets, from their real files: counts, facts, and references that pass."""

import ast
import contextlib
import functools
import gzip
import hashlib
import http.server
import io
import json
import subprocess
import sys
import threading
import warnings
from dataclasses import replace

import pytest

from ingest.datasets import DATASETS, humaneval, mbpp, mbpp_plus
from ingest.files import json_lines
from ingest.loader import checked
from ingest.parsing import parse
from ingest.problems.asserts import assert_sources
from models.plain.codec import decode
from runners.cli.main import run
from tests.data import FILES, shared
from tests.support.sql import rows
from tests.support.steps import ingest_dataset
from warehouse.errors import AssayError, BadInput


@functools.cache
def problems(name):
    path = shared(FILES[name])
    return checked(DATASETS.load(name).read(path), path)


def runs(program, name_space=None):
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(program, {} if name_space is None else name_space)


def published(monkeypatch, source):
    """Make another source that of HumanEval."""
    monkeypatch.setattr(humaneval, "DATASET", replace(humaneval.DATASET, source=source))
    return source


def test_every_dataset_says_what_it_is():
    for name in DATASETS:
        source = DATASETS.load(name).source
        assert source.dataset == name
        assert source.license
        assert source.version
        assert (source.url is None) == (name == "starter")
        unpinned = ("starter", "manysstubs4j", "codecontests", "apps", "arcade")
        assert (source.sha256 is None) == (name in unpinned)


@pytest.mark.parametrize(
    ("name", "n_problems", "n_tests"),
    [
        ("humaneval", 164, 1181),
        ("humaneval_plus", 164, 124253),
        ("mbpp", 974, 2922),
        ("mbpp_sanitized", 427, 1324),
        ("mbpp_plus", 378, 41015),
    ],
)
def test_counts(name, n_problems, n_tests):
    found = problems(name)
    assert (len(found), sum(len(problem.tests) for problem in found)) == (n_problems, n_tests)


@pytest.mark.long
@pytest.mark.parametrize("name", ["mbpp", "mbpp_sanitized"])
def test_mbpp_references_pass_in_their_new_form(name):
    failed = []
    for problem in problems(name):
        program = problem.prompt + problem.reference + problem.suffix
        try:
            runs(f"{program}\n{problem.setup_code}\n{problem.test_code}")
        except Exception as error:
            failed.append((problem.task_id, repr(error)))
    assert failed == []


def test_mbpp_facts():
    programs = [
        parse(problem.prompt + problem.reference + problem.suffix) for problem in problems("mbpp")
    ]
    imports = ast.Import | ast.ImportFrom
    definitions = ast.FunctionDef | ast.ClassDef
    assert sum(any(isinstance(n, imports) for n in ast.walk(tree)) for tree in programs) == 194
    assert sum(sum(isinstance(n, definitions) for n in tree.body) > 1 for tree in programs) == 44


def test_mbpp_prompts_end_in_the_description_and_setup_follows_the_code():
    found = {problem.task_id: problem for problem in problems("mbpp")}
    tree = found["MBPP/367"]
    assert tree.entry_point == "is_tree_balanced"
    assert tree.prompt.startswith("class Node:")
    assert tree.prompt.endswith(
        'def is_tree_balanced(root):\n    """\n'
        '    Write a function to check if a binary tree is balanced or not.\n    """\n'
    )
    assert tree.setup_code.startswith("root = Node(1)")
    assert all("\r" not in problem.prompt + problem.reference for problem in found.values())
    assert [p.task_id for p in found.values() if p.setup_code] == ["MBPP/367", "MBPP/927"]


def test_mbpp_marks_the_75_tasks_left_out_elsewhere():
    tagged = {p.task_id for p in problems("mbpp") if "mbpp_cal75" in p.tags}
    assert tagged == {f"MBPP/{number}" for number in mbpp.cal75()}
    assert len(tagged) == 75
    assert 974 - len(tagged) == 899


def test_mbpp_cal75_reasons_that_need_no_running():
    reasons = mbpp.cal75()
    named_test = {n for n, reason in reasons.items() if reason == "function_name_begins_with_test"}
    mixed = {n for n, reason in reasons.items() if reason == "body_mixes_tabs_and_spaces"}
    functions = {p.task_id: p.entry_point for p in problems("mbpp")}
    assert all(functions[f"MBPP/{number}"].startswith("test") for number in named_test)
    code = {v["task_id"]: v["code"] for _, v in json_lines(shared(FILES["mbpp"]))}
    for number in mixed:
        indents = {line[: len(line) - len(line.lstrip())] for line in code[number].split("\r\n")}
        assert any("\t" in indent and " " in indent for indent in indents), number
    assert (len(named_test), len(mixed)) == (3, 5)


@pytest.mark.slow
def test_mbpp_cal75_is_what_running_gives():
    full = {v["task_id"]: v for _, v in json_lines(shared(FILES["mbpp"]))}
    failing = set()
    for task in json.loads(shared(FILES["mbpp_sanitized"]).read_text(encoding="utf-8")):
        other = full[task["task_id"]]
        parts = [other["code"], *task["test_imports"], other["test_setup_code"], *task["test_list"]]
        program = "\n".join(part.replace("\r\n", "\n") for part in parts)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
        if done.returncode:
            failing.add(task["task_id"])
    reason = "full_code_fails_sanitized_tests"
    assert failing == {number for number, why in mbpp.cal75().items() if why == reason}
    assert len(failing) == 67


def test_humaneval_references_pass_their_own_tests():
    for problem in problems("humaneval"):
        program = problem.prompt + problem.reference + problem.test_code
        runs(f"{program}\ncheck({problem.entry_point})\n")


@pytest.mark.parametrize("name", ["humaneval_plus", "mbpp_plus"])
def test_evalplus_references_answer_their_base_inputs(name):
    for problem in problems(name):
        space: dict[str, object] = {"__name__": "candidate"}
        runs(problem.prompt + problem.reference + problem.suffix, space)
        function = space[problem.entry_point]
        for test in problem.tests:
            if test.suite == "base":
                function(*decode(test.body))


def test_mbpp_plus_base_inputs_meet_their_contracts():
    """The contract of a task asserts the types of its arguments: rebuilt ones must meet it."""
    contracts = {v["task_id"]: v for _, v in json_lines(shared(FILES["mbpp_plus"]))}
    rebuilt = refused = 0
    for problem in problems("mbpp_plus"):
        number = int(problem.task_id.rpartition("/")[2])
        if number not in mbpp_plus.REBUILD:
            continue
        rebuilt += 1
        source = problem.prompt + problem.reference
        tree = ast.parse(source)
        function = [n for n in tree.body if getattr(n, "name", "") == problem.entry_point][-1]
        body = ast.parse("if 1:\n" + _indented(contracts[problem.task_id]["contract"])).body[0]
        function.body = [*body.body, ast.Return(ast.Constant(True))]
        space: dict[str, object] = {}
        exec(compile(ast.fix_missing_locations(tree), problem.task_id, "exec"), space)
        for test in problem.tests:
            try:
                space[problem.entry_point](*decode(test.body))
            except AssertionError:
                refused += 1
    assert (rebuilt, refused) == (52, 0)


def _indented(contract):
    lines = [line for line in contract.split("\n") if line.strip()]
    width = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return "".join(f"    {line[width:]}\n" for line in lines) or "    pass\n"


def test_comparison_rules_are_known_to_the_judge():
    compare = pytest.importorskip("runners.judging.sandbox.compare")
    used = {p.compare for name in ("humaneval_plus", "mbpp_plus") for p in problems(name)}
    assert used == {*("evalplus", "poly_root", "set", "not_none", "digit_distance", "surface_area")}
    assert used <= set(compare.COMPARISONS)
    assert set(mbpp_plus.COMPARE.values()) <= set(compare.COMPARISONS)


def test_asserts_are_counted_in_source_order():
    code = (
        "def check(f):\n    for x in [1]:\n        assert f(x)\n    assert f(2), 'no'\nassert 1\n"
    )
    assert assert_sources(code) == ["assert f(x)", "assert f(2), 'no'", "assert 1"]


TASK = {
    "task_id": "Made/0",
    "prompt": "def f(x):\n",
    "entry_point": "f",
    "canonical_solution": "    return x\n",
    "test": "def check(candidate):\n    assert candidate(1) == 1\n",
}


def made(tmp_path, *tasks):
    path = tmp_path / "made.jsonl"
    path.write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"test": None}, "'test' is null"),
        ({"test": "def check(c):\n    return 1\n"}, "no tests"),
        ({"test": "assert ("}, "do not parse"),
        ({"canonical_solution": "    return (\n"}, "reference of task Made/0 does not parse"),
        ({"entry_point": "g"}, "does not define 'g'"),
        ({"prompt": "def f(x):\n    '\0'\n"}, "NUL"),
        ({"task_id": "made/1"}, "already in row 1"),
    ],
)
def test_a_task_that_does_not_fit_is_refused_and_nothing_kept(home, tmp_path, change, reason):
    path = made(tmp_path, {**TASK, "task_id": "Made/1"}, {**TASK, **change})
    with pytest.raises(BadInput, match=reason) as error:
        ingest_dataset("humaneval", path, unpinned=True)
    assert str(error.value).startswith(f"{path}:2: ")
    assert not (home / "warehouse.duckdb").exists()


def test_another_file_than_the_pinned_one_needs_saying_so(home, tmp_path, query):
    path = made(tmp_path, TASK)
    with pytest.raises(
        BadInput, match=f"{path}: sha256 is [0-9a-f]+, not {humaneval.SOURCE.sha256}"
    ):
        ingest_dataset("humaneval", path)
    with pytest.raises(BadInput, match="not the expected 00"):
        ingest_dataset("humaneval", path, sha256="0" * 64)
    report = ingest_dataset("humaneval", path, unpinned=True)
    assert ingest_dataset("humaneval", path, sha256=report.sha256).release_id == report.release_id
    assert query("select version, n_problems from raw.dataset_release") == [
        ("6d43fb9 (not the pinned file)", 1)
    ]


def test_unknown_dataset_and_missing_file(home, tmp_path):
    with pytest.raises(BadInput, match="no dataset 'x'; available: starter, humaneval"):
        ingest_dataset("x")
    with pytest.raises(BadInput, match=r"gone\.jsonl: no such file"):
        ingest_dataset("humaneval", tmp_path / "gone.jsonl")


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "served"
    folder.mkdir()
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with http.server.HTTPServer(
        ("127.0.0.1", 0), functools.partial(quiet, directory=folder)
    ) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{served.server_port}"
        served.shutdown()


def test_download_is_cached_and_checked(home, server, monkeypatch):
    folder, address = server
    data = gzip.compress(json.dumps(TASK).encode())
    (folder / "HumanEval.jsonl.gz").write_bytes(data)
    right = replace(
        humaneval.SOURCE,
        url=f"{address}/HumanEval.jsonl.gz",
        sha256=hashlib.sha256(data).hexdigest(),
    )
    published(monkeypatch, replace(right, sha256="0" * 64))
    with pytest.raises(BadInput, match="is not the release humaneval 6d43fb9: its checksum"):
        ingest_dataset("humaneval")
    published(monkeypatch, replace(right, url=f"{address}/gone.gz"))
    with pytest.raises(
        AssayError, match=r"gone\.gz: could not be downloaded: the server answered 404"
    ):
        ingest_dataset("humaneval")
    published(monkeypatch, right)
    assert ingest_dataset("humaneval").n_problems == 1
    (folder / "HumanEval.jsonl.gz").unlink()
    assert ingest_dataset("humaneval").added["problem"] == 0


@pytest.fixture
def pinned(home, tmp_path, monkeypatch):
    data = gzip.compress(json.dumps(TASK).encode())
    found = replace(humaneval.SOURCE, sha256=hashlib.sha256(data).hexdigest())
    published(monkeypatch, replace(found, url="http://127.0.0.1:1/H.jsonl.gz"))
    folder = tmp_path / "data" / "deep"
    folder.mkdir(parents=True)
    (folder / "renamed.jsonl.gz").write_bytes(data)
    (folder / "H.jsonl.gz").write_bytes(b"of that name, and another file")
    return tmp_path / "data"


def test_a_dataset_is_looked_for_in_the_folder_of_data_first(pinned, monkeypatch, capsys):
    monkeypatch.setenv("ASSAY_DATA", str(pinned))
    assert run(["ingest", "humaneval"]) == 0
    assert "problems 1" in capsys.readouterr().out
    ((stored,),) = rows("select settings from raw.run")
    assert json.loads(stored)["path"] == str(pinned / "deep" / "renamed.jsonl.gz")


NO_NETWORK = {
    "http://127.0.0.1:1/H.jsonl.gz": "the server refused the connection",
    "http://no-such-host.invalid/H.jsonl.gz": "the name of the server cannot be looked up",
}


@pytest.mark.parametrize("url", NO_NETWORK)
def test_no_network_is_one_sentence(url, pinned, monkeypatch, capsys):
    monkeypatch.delenv("ASSAY_DATA", raising=False)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    published(monkeypatch, replace(humaneval.DATASET.source, url=url))
    assert run(["ingest", "humaneval"]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith(f"error: {url}: could not be downloaded: {NO_NETWORK[url]}")
    assert shown.endswith("with --path, or the folder that holds it with ASSAY_DATA\n")
    assert shown.count("\n") == 1
    assert "urllib3" not in shown
    assert "object at 0x" not in shown


def test_a_folder_of_data_that_is_not_there_is_named(pinned, monkeypatch, capsys):
    monkeypatch.setenv("ASSAY_DATA", str(pinned / "nowhere"))
    assert run(["ingest", "humaneval"]) == 3
    assert (
        capsys.readouterr().err
        == f"error: {pinned / 'nowhere'}: no such folder (named by ASSAY_DATA)\n"
    )
