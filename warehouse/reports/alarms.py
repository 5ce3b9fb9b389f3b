"""New alarms of the view alerts, each as a line that says what, where, how much and what to do."""

from collections.abc import Collection
from dataclasses import dataclass

from warehouse.reports.query import query
from warehouse.snapshot.query import opened

ADVICE = {
    "log_cpu": "is the machine busy, or another one? `assay doctor`",
    "failing_references": "what their problems were given does not count; `assay doctor`",
    "isolation": "the machine has changed: `assay doctor`",
    "integrity": "tests ran beside the programs, or no longer: see execution_health",
    "judge_version": "verdicts of both nights were made by different rules",
    "problems": "were samples lost? see generation_health",
    "no_verdict": "why are there no verdicts? see execution_health",
}
"""What to do about a metric."""

OTHERWISE = "has the language model changed? compare its samples of both nights"


@dataclass(frozen=True)
class Alarm:
    """One new alarm: its key, whether it is of the newest night, and its line."""

    key: str
    is_newest: bool
    line: str


def fresh_alarms() -> list[Alarm]:
    """Return the alarms that were new in their night, of subjects without one the night before."""
    with opened() as reader:
        if "alerts" not in reader.versions():
            return []
        result = reader.one(query("alarms/fresh"))
    found = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
    return [
        Alarm(
            " ".join((row["run_id"], row["subject_id"], row["metric"])),
            row["is_newest"],
            _line(row),
        )
        for row in found
    ]


def untold(alarms: Collection[Alarm], told: Collection[str] | None) -> list[Alarm]:
    """Return the alarms not printed before; where none ever was, those of newest nights."""
    if told is None:
        return [alarm for alarm in alarms if alarm.is_newest]
    return [alarm for alarm in alarms if alarm.key not in told]


def _line(row: dict[str, object]) -> str:
    """Return what, where, how much, and what to do."""
    metric = str(row["metric"])
    where = f"{row['who']} on {row['dataset']}"
    where += f" ({row['setting']})" if row["setting"] else ""
    if row["value"] is None:
        change = f"is {row['detail']}"
    else:
        change = f"is {row['direction']} to {row['value']:.4g} from {row['reference_value']:.4g}"
    sure = f", {row['n_problems']} problems"
    if row["e_value"] is not None:
        sure += f", e-value {row['e_value']:.3g} (alarm from {row['threshold']:.3g})"
    elif row["value"] is not None:
        sure += f": {row['detail']}"
    advice = ADVICE.get(metric, OTHERWISE)
    return f"{metric} of {where}, night {row['night_no']}: {change}{sure}; {advice}"
