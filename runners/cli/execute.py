"""``assay execute``."""

import click

from runners.cli.options import as_json, no_progress

# As in runners.sandbox.probe, which is too heavy to import for --help; a test compares them.
LEVELS = ("auto", "ns+seccomp", "ns1+seccomp", "seccomp+landlock", "seccomp", "rlimits", "none")


@click.command(
    epilog="""\b
Examples:
  assay execute
  assay execute --dataset humaneval --workers 8
  assay execute --dataset humaneval --rescore humaneval_plus
"""
)
@click.option("--dataset", help="Only generations of this dataset.")
@click.option("--rescore", metavar="DATASET", help="Judge them by the tests of this dataset.")
@click.option(
    "--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Programs at once."
)
@click.option(
    "--isolation",
    type=click.Choice(LEVELS),
    default="auto",
    show_default=True,
    help="auto takes the best safe level and refuses where there is none; "
    "none runs untrusted programs as they are.",
)
@click.option(
    "--policy",
    type=click.Choice(["calibrated", "compat"]),
    default="calibrated",
    show_default=True,
    help="Limits scaled from the reference's own time, or those of earlier harnesses.",
)
@click.option("--limit", type=click.IntRange(min=1), help="At most so many programs.")
@no_progress
@as_json
def command(
    dataset: str | None,
    rescore: str | None,
    workers: int,
    isolation: str,
    policy: str,
    limit: int | None,
    progress: bool,
    as_json: bool,
) -> None:
    """Run what is pending in the sandbox and record the verdicts.

    Each distinct program runs once. The reference solutions run along as canaries: where one fails,
    the run is marked and the exit code is 6. Cut off at any point, the next call goes on.
    """
    from runners.cli.reports import print_reports
    from runners.execute import execute
    from warehouse.errors import CheckFailed

    report = execute(
        dataset=dataset,
        rescore=rescore,
        workers=workers,
        isolation=isolation,
        policy=policy,
        limit=limit,
        progress=progress,
    )
    print_reports([("execute", report)], as_json=as_json)
    if report.failing_canaries:
        raise CheckFailed("reference solutions failed: " + "; ".join(report.failing_canaries[:5]))
