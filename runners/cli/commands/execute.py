"""``assay execute``."""

from typing import Any

import click

from models import words
from runners.cli.options import (
    COUNT,
    CPU_SECONDS,
    MEMORY_MB,
    WORKERS,
    Number,
    as_json,
    given,
    no_progress,
)
from runners.specs import ISOLATIONS, ExecuteSpec


@click.command(
    epilog="""\b
Examples:
  assay execute
  assay execute --dataset humaneval --workers 8
  assay execute --dataset humaneval --rescore humaneval_plus
  assay execute --cpu-limit 10 --memory-limit 2048
  assay execute --try-limits 4
"""
)
@click.option("--dataset", help="Only generations of this dataset.")
@click.option("--rescore", metavar="DATASET", help="Judge them by the tests of this dataset.")
@click.option("--workers", type=WORKERS, default=2, show_default=True, help="Programs at once.")
@click.option(
    "--isolation",
    type=click.Choice(ISOLATIONS),
    default="auto",
    show_default=True,
    help="auto takes the best safe level and refuses where there is none; "
    "none runs untrusted programs as they are.",
)
@click.option(
    "--policy",
    type=click.Choice(words.POLICIES),
    default="calibrated",
    show_default=True,
    help="calibrated: the CPU limit of the dataset's own harness, or 20 times the CPU time of the "
    "reference, capped at 10 s + 5 times it, whichever is more. fast: 20 times the CPU time of the "
    "reference with the same cap, but at least 1 s for all tests. compat: 3 s of wall time.",
)
@click.option(
    "--cpu-limit",
    type=CPU_SECONDS,
    help="CPU limit in seconds for all tests of a program; replaces the policy's limit.",
)
@click.option(
    "--test-cpu-limit",
    type=CPU_SECONDS,
    help="CPU limit in seconds for one test; replaces the policy's limit.",
)
@click.option(
    "--memory-limit",
    type=MEMORY_MB,
    metavar="MB",
    help="Memory limit (address space) in MB; the default is 1024.",
)
@click.option(
    "--reference-cpu-limit",
    type=CPU_SECONDS,
    default=60.0,
    show_default=True,
    help="CPU seconds of a reference, beyond which its problem is rejected.",
)
@click.option("--retry-rejected", is_flag=True, help="Measure rejected references again.")
@click.option(
    "--try-limits",
    type=Number(min=1, min_open=True, max=100),
    metavar="FACTOR",
    help="Afterwards rerun the programs that reached a limit, with this multiple of their limits; "
    "no verdict changes.",
)
@click.option("--limit", type=COUNT, help="Execute at most this many programs.")
@no_progress
@as_json
def command(progress: bool, as_json: bool, **options: Any) -> None:
    """Run what is pending in the sandbox and record the verdicts.

    Each distinct program runs once, and again alone where it ends near a CPU limit. The reference
    solutions run as canaries. If one fails twice, the run is marked and the exit code is 6. If
    interrupted, run the same command again to continue.
    """
    from runners.cli.reports import print_work
    from runners.steps.execute import execute
    from warehouse.errors import CheckFailed

    report = execute(given(ExecuteSpec, options), progress=progress)
    pending = report.n_planned or report.n_generations or report.n_tried_longer
    print_work("execute", report, pending=bool(pending), as_json=as_json)
    if report.failing_canaries:
        raise CheckFailed("reference solutions failed: " + "; ".join(report.failing_canaries[:5]))
