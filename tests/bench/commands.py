"""Print the CPU seconds of each command, start to end, beside a bare interpreter.

    python -m tests.bench.commands

The starter set is ingested and executed and its views are built first; then each command runs three
times, and the least counts. CPU seconds are user and system time of the process and its children.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ingest.datasets.starter import FOLDER
from runners.cli.main import COMMANDS
from tests.bench.frame import cpu_s

RUNS = 3
ASSAY = [sys.executable, "-m", "runners.cli.main"]
N_SAMPLES = 164


def main() -> None:
    """Prepare a warehouse, then time the commands."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        os.environ["ASSAY_HOME"] = str(home)
        samples = Path(folder) / "samples.jsonl"
        write_samples(samples)
        prepare()
        fresh = Path(folder) / "fresh"
        shutil.copytree(home, fresh, symlinks=True)
        print("cpu s  command")
        show("python -c pass", least_cpu_s([sys.executable, "-c", "pass"]))
        slowest = max(COMMANDS, key=lambda name: least_cpu_s([*ASSAY, name, "--help"]))
        show(f"{slowest} --help (the slowest)", least_cpu_s([*ASSAY, slowest, "--help"]))
        for words in (
            *("completion bash", "sql select(1)", "leaderboard", "status", "doctor"),
            *("ingest starter", "execute", "build", "publish"),
        ):
            show(words, least_cpu_s([*ASSAY, *words.split()]))
        arguments = ["--format", "generic", "--dataset", "starter", "--lm", "timed"]
        command = [*ASSAY, "--home", str(home), "import", str(samples), *arguments]
        show(f"import {N_SAMPLES} samples", least_cpu_s(command, restore=(fresh, home)))
        show("import them again", least_cpu_s(command))


def show(what: str, seconds: float) -> None:
    """Print one line."""
    print(f"{seconds:5.2f}  {what}", flush=True)


def write_samples(path: Path) -> None:
    """Write solutions of the starter set, each with a number for itself."""
    names = sorted(file.stem for file in FOLDER.glob("*.py"))
    with path.open("w", encoding="utf-8") as file:
        for number in range(N_SAMPLES):
            name = names[number % len(names)]
            text = f"def {name}(*given):\n    return {number}\n"
            file.write(json.dumps({"task_id": f"starter/{name}", "text": text}) + "\n")


def prepare() -> None:
    """Bring a warehouse to where every command has something to read and nothing to do."""
    for command in (
        "ingest starter",
        "generate --backend planted --lm coin --dataset starter -n 1 -o pass_rate=0.5",
        *("execute", "build", "publish"),
    ):
        subprocess.run([*ASSAY, *command.split()], check=True, stdout=subprocess.DEVNULL)


def least_cpu_s(command: list[str], restore: tuple[Path, Path] | None = None) -> float:
    """Return the least CPU time of a few runs; each begins with the folder that is given back."""
    spent = []
    for _ in range(RUNS):
        if restore:
            shutil.rmtree(restore[1])
            shutil.copytree(*restore, symlinks=True)
        before = cpu_s(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        spent.append(cpu_s(resource.RUSAGE_CHILDREN) - before)
    return min(spent)


if __name__ == "__main__":
    main()
