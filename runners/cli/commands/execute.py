"""``assay execute``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import as_json, given, no_progress, option
from runners.specs import ExecuteSpec

add = partial(option, ExecuteSpec)


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
@add("--dataset", help="Only generations of this dataset.")
@add("--rescore", metavar="DATASET", help="Judge them by the tests of this dataset.")
@add("--workers", help="Programs at once.")
@add(
    "--isolation",
    help="auto takes the best safe level and refuses where there is none; "
    "none runs untrusted programs as they are.",
)
@add(
    "--policy",
    help="calibrated: the CPU limit of the dataset's own harness, or 20 times the CPU time of the "
    "reference, capped at 10 s + 5 times it, whichever is more. fast: 20 times the CPU time of the "
    "reference with the same cap, but at least 1 s for all tests. compat: 3 s of wall time.",
)
@add(
    "--cpu-limit",
    help="CPU limit in seconds for all tests of a program; replaces the policy's limit.",
)
@add("--test-cpu-limit", help="CPU limit in seconds for one test; replaces the policy's limit.")
@add(
    "--memory-limit",
    metavar="MB",
    help="Memory limit (address space) in MB; the default is 1024, and 2048 over projects.",
)
@add(
    "--reference-cpu-limit",
    help="CPU seconds of a reference, beyond which its problem is rejected.",
)
@add("--retry-rejected", help="Measure rejected references again.")
@add(
    "--try-limits",
    metavar="FACTOR",
    help="Afterwards rerun the programs that reached a limit, with this multiple of their limits; "
    "no verdict changes.",
)
@add("--limit", help="Execute at most this many programs.")
@no_progress
@as_json
def command(progress: bool, as_json: bool, **options: Any) -> None:
    """Run what is pending in the sandbox and record the verdicts.

    Each distinct program runs once, and again alone where it ends near a CPU limit. The reference
    solutions run as canaries. If one fails twice, the run is marked and the exit code is 6. A
    project that cannot be judged here has a line, and the exit code is 1. If interrupted, run the
    same command again to continue.
    """
    from runners.cli.reports import print_work
    from runners.steps.execute import execute
    from warehouse.errors import AssayError, CheckFailed

    report = execute(given(ExecuteSpec, options), progress=progress)
    pending = report.n_planned or report.n_generations or report.n_tried_longer
    print_work("execute", report, pending=bool(pending), as_json=as_json)
    for line in report.projects_not_judged:
        click.echo(f"not judged: {line}", err=True)
    if report.failing_canaries:
        raise CheckFailed("reference solutions failed: " + "; ".join(report.failing_canaries[:5]))
    if report.projects_not_judged:
        raise AssayError(
            f"programs of {len(report.projects_not_judged)} projects or datasets could not be "
            "judged: see above"
        )
