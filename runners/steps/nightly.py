"""The whole journey, unattended: from files and models to a published snapshot.

Every step does only what is missing, so that a night with nothing new costs seconds and a night
cut off continues where it stopped. Nothing is published when a step failed.
"""

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from runners.steps.night_config import Planned, read_config
from warehouse import settings
from warehouse.errors import AssayError
from warehouse.reports import alarms
from warehouse.store.locks import alone

LOG = "nightly.jsonl"


@dataclass
class Step:
    """One step of a night: what it was, how long it took, what it did or why it failed."""

    name: str
    seconds: float
    result: dict[str, Any] = field(default_factory=dict)
    error: str | None = None


@dataclass
class NightlyReport:
    """All steps of a night, a line for each new alarm, and the keys of all that were printed."""

    config: str
    steps: list[Step] = field(default_factory=list)
    seconds: float = 0.0
    new_alarms: list[str] = field(default_factory=list)
    told_alarms: list[str] | None = None

    @property
    def failures(self) -> list[Step]:
        """The steps that failed."""
        return [step for step in self.steps if step.error]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


class Listener(Protocol):
    """Hears of each step as it begins and as it ends."""

    def begins(self, name: str) -> None:
        """Hear of a step that begins."""

    def ended(self, step: Step) -> None:
        """Hear of a step that ended."""


def nightly(
    config: Path, *, progress: bool = True, listener: Listener | None = None
) -> NightlyReport:
    """Run every step of a configuration file.

    Raises BadInput for a configuration that does not fit, before anything is done, and Locked when
    another nightly runs. Steps that fail are in the report, and so are new alarms; the caller turns
    them into an exit. The next night that does not fail prints the alarms of one that did.
    """
    steps = read_config(config)
    with alone("nightly", "a nightly"):
        report = run_steps(str(config), steps, progress=progress, listener=listener)
        report.told_alarms = _told_alarms()
        if not report.failures:
            found = alarms.fresh_alarms()
            report.new_alarms = [each.line for each in alarms.untold(found, report.told_alarms)]
            report.told_alarms = [alarm.key for alarm in found]
        _log(report)
    return report


def run_steps(
    config: str,
    steps: Sequence[Planned],
    *,
    progress: bool = True,
    listener: Listener | None = None,
    to_the_end: bool = True,
) -> NightlyReport:
    """Run steps one after the other, ``to_the_end`` or to the first that fails.

    Nothing is published when one failed.
    """
    report = NightlyReport(config=config)
    began = time.monotonic()
    for planned in steps:
        if listener:
            listener.begins(planned.name)
        if planned.name == "publish" and report.failures:
            step = Step(planned.name, 0.0, error="left undone: an earlier step failed")
        else:
            step = _run(planned, progress)
        report.steps.append(step)
        if listener:
            listener.ended(step)
        if step.error and not to_the_end:
            break
    report.seconds = time.monotonic() - began
    return report


def _run(planned: Planned, progress: bool) -> Step:
    name = planned.name
    began = time.monotonic()
    try:
        result = _facts(planned.run(progress=progress))
    except AssayError as error:
        return Step(name, time.monotonic() - began, error=str(error))
    except OSError as error:
        reason = f"{error.strerror or error}: {error.filename}" if error.filename else str(error)
        return Step(name, time.monotonic() - began, error=reason)
    except Exception as error:  # a fault of ours in one step: the night continues, and says so
        reason = f"unexpected {type(error).__name__}: {error}"
        return Step(name, time.monotonic() - began, error=" ".join(reason.split()))
    step = Step(name, time.monotonic() - began, result)
    if result.get("lost") and not _any_drawn(result):
        step.error = f"nothing was drawn: {result.get('why_lost')}"
    errors = result.get("errors", {})
    if errors and (getattr(planned.spec, "names", ()) or len(errors) == result["n_projects"]):
        step.error = "; ".join(f"{name}: {reason}" for name, reason in errors.items())
    if result.get("failing_canaries"):
        step.error = "reference solutions failed here: " + "; ".join(result["failing_canaries"][:5])
    elif result.get("projects_not_judged"):
        step.error = "programs not judged: " + "; ".join(result["projects_not_judged"][:5])
    return step


def _facts(report: Any) -> dict[str, Any]:
    """Return what a step reports; of a list with a report of each project, counts and errors."""
    if not isinstance(report, list):
        return asdict(report)
    counts: Counter[str] = Counter()
    for each in report:
        counts.update({name: n for name, n in asdict(each).items() if name.startswith("n_")})
    errors = {each.wanted: each.error for each in report if each.error}
    return {"n_projects": len(report), **counts, "errors": errors}


def _any_drawn(result: dict[str, Any]) -> bool:
    return bool(result.get("n_drawn") or result.get("n_asked") or result.get("n_present"))


def last_night() -> dict[str, Any] | None:
    """Return what the last night logged; a line that was cut off is passed over."""
    path = settings.home() / LOG
    lines = path.read_bytes().splitlines() if path.is_file() else []
    for line in reversed(lines):
        try:
            night = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(night, dict) and night.keys() >= {"finished_at", "config", "steps"}:
            return night
    return None


def _told_alarms() -> list[str] | None:
    """Return the alarms that earlier nights printed; None where none could."""
    return (last_night() or {}).get("told_alarms")


def _log(report: NightlyReport) -> None:
    line = {"finished_at": datetime.now(UTC).isoformat(), **report.as_dict()}
    path = settings.home() / LOG
    is_cut = path.is_file() and not path.read_bytes().endswith(b"\n") and path.stat().st_size > 0
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" * is_cut + json.dumps(line, default=str) + "\n")
