"""Programs per second: Assay beside the ways it replaces, on the same programs in the same run.

``python -m tests.bench.execution`` takes HumanEval's references and four wrong bodies each, all of
which end by themselves; ``--real`` takes the 11,000 CodeGen samples with calibrated limits. The
runners take turns and each figure is the median of the rounds.
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.bench.frame import cpu_s
from tests.bench.others.execution import (
    BENCH,
    bare_fork,
    evalplus,
    human_eval_way,
    prepare_evalplus,
)
from tests.data import (
    CODET,
    ROOT,
    humaneval_by_task,
    json_rows,
    published_verdicts,
    tasks_by_prompt,
)

WRONG = (
    "    pass\n",
    "    raise ValueError('wrong')\n",
    "    return (\n",
    "    return 'a wrong constant'\n",
)


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
        prepare_evalplus(work)
    rounds = 1 if arguments.real else arguments.rounds
    _print(names, _rounds(names, rounds, arguments), len(work), arguments)


def synthetic(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """References and wrong bodies; a comment makes every text distinct."""
    for problem in humaneval_by_task().values():
        bodies = [problem["canonical_solution"]] * arguments.references + list(WRONG)
        for number, body in enumerate(bodies):
            right = number < arguments.references
            yield _work(problem, number, f"{body}\n# copy {number}\n", right)


def real_samples(per_problem: int) -> Iterator[dict[str, Any]]:
    """CodeT's CodeGen-16B samples with their independently executed verdicts."""
    problems, tasks, verdicts = humaneval_by_task(), tasks_by_prompt(), published_verdicts()
    for row in json_rows(CODET):
        problem = problems[tasks[row["prompt"]]]
        for number, completion in enumerate(row["samples"][:per_problem]):
            right = verdicts[problem["task_id"], number] == "passed"
            yield _work(problem, number, completion, right)


def _work(problem: dict[str, Any], number: int, completion: str, right: bool) -> dict[str, Any]:
    return {
        "key": f"{problem['task_id']}:{number}",
        "task_id": problem["task_id"],
        "entry_point": problem["entry_point"],
        "test": problem["test"],
        "source": problem["prompt"] + completion,
        "right": right,
    }


def _rounds(
    names: list[str], rounds: int, arguments: argparse.Namespace
) -> dict[str, list[dict[str, Any]]]:
    """Run the runners in turn, each in a separate process."""
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
    report = {"seconds": seconds, "cpu_s": cpu_s(), "wrongly": len(passed ^ right)}
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
