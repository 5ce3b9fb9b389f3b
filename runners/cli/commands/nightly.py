"""``assay nightly``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from runners.cli.options import PATH, as_json, no_progress

if TYPE_CHECKING:
    from runners.steps.nightly import Step


class Printed:
    """Prints each step as it begins and as it ends."""

    def begins(self, name: str) -> None:
        """Say what begins."""
        click.echo(f"   begins  {name}")

    def ended(self, step: "Step") -> None:
        """Say what was done, or why it was not."""
        from runners.cli.reports import summary

        done = f"FAILED: {step.error}" if step.error else summary(step.result)
        click.echo(f"{step.seconds:7.1f} s  {step.name}: {done}")


@click.command(
    epilog="""\b
Examples:
  assay nightly --config configs/demo.toml
  ASSAY_DATA=data assay nightly --config configs/humaneval.toml

\b
Sample cron line:
  15 2 * * *  assay --home /srv/assay nightly --config /srv/assay/nightly.toml --no-progress
"""
)
@click.option(
    "--config",
    type=PATH,
    required=True,
    help="TOML: [[ingest]], [[import]], [[generate]], [execute], [[export]], ...",
)
@no_progress
@as_json
def command(config: Path, progress: bool, as_json: bool) -> None:
    """Run every step from ingest to export, and only the work that is missing.

    Only a [[generate]] section with more = true draws new samples each time. They show whether a
    language model has changed. A metric that is no longer what it was in the last nights is an
    alarm. It is printed once, and the view alerts keeps it.

    The whole configuration is checked first: every mistake is named with its line, the exit code is
    3, and nothing is run. A section with a list of datasets runs one step for each. Nothing is
    published when a step failed; the last snapshot stays. The exit code is 1 when a step failed,
    and 4 when another nightly is running. It is 7 when all steps succeeded and a new
    alarm was printed. If interrupted, run the same command again to continue.
    """
    from runners.steps.nightly import nightly
    from warehouse.errors import AssayError, NewAlarms
    from warehouse.reports import board
    from warehouse.reports.specs import LeaderboardSpec
    from warehouse.values import to_json

    report = nightly(config, progress=progress, listener=None if as_json else Printed())
    if as_json:
        click.echo(to_json(report.as_dict()))
    else:
        click.echo(f"{report.seconds:7.1f} s  in all\n")
        if not report.failures:
            board.show(board.board_of(LeaderboardSpec()))
        for line in report.new_alarms:
            click.echo(f"alarm: {line}")
    if report.failures:
        names = ", ".join(step.name for step in report.failures)
        raise AssayError(f"{len(report.failures)} of {len(report.steps)} steps failed: {names}")
    if report.new_alarms:
        n = len(report.new_alarms)
        what = "an alarm is new" if n == 1 else f"{n} alarms are new"
        raise NewAlarms(f'{what}: `assay sql "select * from alerts where is_new"` shows all')
