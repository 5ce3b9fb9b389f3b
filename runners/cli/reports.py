"""Reports of the pipeline's steps, as one line each or as JSON."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import click

# What a reader of one line does not need; --json has all.
UNSAID = {"sha256", "release_id", "fresh", "snapshot_id", "provenance", "removed"}


def print_reports(
    reports: Iterable[tuple[str, Any]], *, as_json: bool, next_step: str | None = None
) -> None:
    """Print each (label, report), and what to do next; a report is a dataclass or a mapping."""
    from warehouse.values import to_json

    facts = []
    for label, report in reports:
        values = dict(report) if isinstance(report, Mapping) else asdict(report)
        facts.append(values)
        if not as_json:
            click.echo(f"{label}: {summary(values)}")
    if as_json:
        click.echo(to_json(facts[0] if len(facts) == 1 else facts))
    elif next_step:
        click.echo(f"next: {next_step}")


def print_work(
    label: str, report: Any, *, pending: bool, as_json: bool, before: str | None = None
) -> None:
    """Print what a step did with what was pending; building is next where rows came or are newer.

    ``pending`` says whether there was anything to do. ``before`` is a command that has to run
    before this one finds something to do.
    """
    from runners.steps.status import views_are_current

    next_step = before or (None if as_json or views_are_current() else "assay build")
    if pending or as_json:
        print_reports([(label, report)], as_json=as_json, next_step=next_step)
        return
    left = {name: value for name, value in asdict(report).items() if value and name != "seconds"}
    click.echo("; ".join([f"{label}: nothing was pending", *([summary(left)] if left else [])]))
    if next_step:
        click.echo(f"next: {next_step}")


def failed_by_loss(what: str, report: Mapping[str, Any]) -> int:
    """Say what was not drawn, and return the exit code."""
    lost = report["lost"]
    if lost:
        click.echo(
            f"error: {sum(lost.values()):,} {what} were not drawn: {report['why_lost']}; "
            "run the same command again to retry them",
            err=True,
        )
    return 1 if lost else 0


def summary(values: Mapping[str, Any]) -> str:
    """Return the facts of a report on one line; lists are counted, empty things left out."""
    if values.get("fresh") is False:
        return "nothing changed"
    parts = []
    for name, value in values.items():
        if name == "cost_usd" and value is not None:
            value = f"{value:.6g}"  # a cent is much, and a tenth of one is something
        word = name.removeprefix("n_").replace("_", " ")
        if name in UNSAID or value is None or value == "" or value in ({}, [], ()):
            continue
        if isinstance(value, Mapping):
            inner = ", ".join(f"{key} {_shown(item)}" for key, item in value.items() if item)
            parts.append(f"{word} ({inner})" if inner else f"{word} nothing")
        elif isinstance(value, list | tuple):
            parts.append(f"{len(value)} {word}")
        else:
            parts.append(f"{word} {_shown(value)}")
    return ", ".join(parts) or "nothing to do"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.1f}" if isinstance(value, float) else str(value)
