"""The same samples twice, once beside two busy loops: does any verdict change?

``python -m tests.bench.stability`` imports the 11,000 CodeGen samples into two fresh warehouses by
the commands a user gives. It executes both, and compares every verdict, also with the verdicts that
were published with the samples. Both runs have the machine's processors; the second shares them.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.data import CODET, FILES, PROMPTS, ROOT, data_root, published_verdicts, shared

LOOP = "while True: pass"

Sample = tuple[str, int]

OUTCOMES = """
    select problem.task_id, generation.sample_index, outcome.verdict, outcome.attempt,
        outcome.cpu_s, admission.cpu_limit_s
    from raw.generation as generation
    inner join raw.evaluation as evaluation using (generation_id)
    inner join raw.problem as problem on evaluation.problem_id = problem.problem_id
    inner join raw.program as program using (program_id)
    inner join raw.admission as admission using (admission_id)
    inner join raw.outcome as outcome using (program_id)
    qualify row_number() over (
        partition by generation.generation_id
        order by outcome.verdict = 'harness_fault', outcome.attempt desc
    ) = 1
"""


@dataclass(frozen=True)
class Judged:
    """One execution of all samples."""

    seconds: float
    verdicts: dict[Sample, str]
    n_again: int  # samples whose program was tried more than once
    most_cpu: float  # the largest share of its limit that a passing program took

    def __str__(self) -> str:
        tally = ", ".join(f"{n} {verdict}" for verdict, n in self.tally.most_common())
        return (
            f"{self.seconds:.0f} s, {tally}; {self.n_again} tried again; "
            f"passes took at most {self.most_cpu:.1%} of their limit"
        )

    @property
    def tally(self) -> Counter[str]:
        """How many samples got which verdict."""
        return Counter(self.verdicts.values())


def main() -> None:
    """Judge twice, print what is found, and end with status 1 where a verdict changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loops", type=int, default=2, help="busy loops beside the second run")
    parser.add_argument("--folder", type=Path, default=ROOT / ".bench" / "stability")
    parser.add_argument("options", nargs="*", help="more options of `assay execute`, after --")
    arguments = parser.parse_args()
    quiet = judged(arguments.folder / "quiet", arguments.options)
    print(f"alone:                  {quiet}", flush=True)
    with busy(arguments.loops):
        loaded = judged(arguments.folder / "loaded", arguments.options)
    print(f"beside {arguments.loops} busy loops:    {loaded}")
    changed = changes(quiet.verdicts, loaded.verdicts)
    print(f"verdicts that changed:  {len(changed)} of {len(quiet.verdicts)}")
    report(changed)
    labels = published_verdicts()
    other = changes(
        {sample: passes(verdict) for sample, verdict in quiet.verdicts.items()},
        {sample: passes(verdict) for sample, verdict in labels.items()},
    )
    n_passed = sum(passes(verdict) == "passed" for verdict in labels.values())
    print(f"published:              {n_passed} passed; ours differ on {len(other)}")
    report(other)
    if changed:
        sys.exit(1)


def judged(home: Path, options: list[str]) -> Judged:
    """Import the samples into a fresh warehouse, execute them, and read the outcomes."""
    shutil.rmtree(home, ignore_errors=True)
    humaneval = str(shared(FILES["humaneval"]))
    assay(home, "ingest", "humaneval", "--path", humaneval)
    source = ["--format", "codet", "--dataset", "humaneval", "--lm", "CodeGen-16B"]
    assay(home, "import", str(shared(CODET)), *source, "--prompts", str(shared(PROMPTS)))
    began = time.monotonic()
    assay(home, "execute", "--dataset", "humaneval", *options)
    seconds = time.monotonic() - began
    rows = outcomes(home)
    shares = [cpu_s / limit_s for _, _, verdict, _, cpu_s, limit_s in rows if verdict == "passed"]
    return Judged(
        seconds=seconds,
        verdicts={(task, index): verdict for task, index, verdict, *_ in rows},
        n_again=sum(attempt > 1 for _, _, _, attempt, _, _ in rows),
        most_cpu=max(shares, default=0.0),
    )


def assay(home: Path, *arguments: str) -> None:
    """Run one command of Assay; its failure ends this program."""
    environment = {**os.environ, "ASSAY_HOME": str(home), "ASSAY_DATA": str(data_root())}
    command = [sys.executable, "-m", "runners.cli.main", *arguments]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)


def outcomes(home: Path) -> list[tuple[str, int, str, int, float, float]]:
    """Return the last outcome of each sample."""
    import duckdb

    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as con:
        return con.execute(OUTCOMES).fetchall()


@contextlib.contextmanager
def busy(n: int) -> Iterator[None]:
    """Keep ``n`` processors busy meanwhile."""
    loops = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(n)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def passes(verdict: str) -> str:
    """Return a verdict as passed or not."""
    return "passed" if verdict == "passed" else "not passed"


def changes(one: dict[Sample, str], other: dict[Sample, str]) -> dict[Sample, tuple[str, str]]:
    """Return the samples of which two runs say different things; both have the same samples."""
    assert one.keys() == other.keys()
    return {sample: (one[sample], other[sample]) for sample in one if one[sample] != other[sample]}


def report(found: dict[Sample, tuple[str, str]]) -> None:
    """Print samples and what is said of them."""
    for (task, index), (first, second) in sorted(found.items()):
        print(f"  {task} sample {index}: {first}, {second}")


if __name__ == "__main__":
    main()
