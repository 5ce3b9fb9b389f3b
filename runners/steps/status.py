"""What is in the warehouse, what is still to do, and how the last runs ended."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import duckdb

from runners.judging.policies import Policy, rules_of
from runners.progress import State, under_way
from runners.steps.nightly import last_night
from runners.tasks import TASKS
from runners.tasks.base import program_rules
from warehouse import settings
from warehouse.errors import AssayError
from warehouse.facts import state
from warehouse.places import n_bytes
from warehouse.snapshot import snapshots
from warehouse.store.connection import reading
from warehouse.store.spool import leftovers, spooled
from warehouse.views.build import fingerprint


def status() -> dict[str, Any]:
    """Return counts, pending work, the last runs and the snapshot's age, as JSON values.

    Pending is what `assay execute` without options would do.
    """
    with reading() as con:
        _set_rules(con)
        datasets = state.dataset_states(con)
        generations = state.generation_states(con)
        rejected = state.rejected_states(con)
        pending = state.pending_state(con)
        runs = state.last_runs(con)
        builds = state.built_from(con)
        is_built = fingerprint(con) in builds
    n_shards = leftovers()
    steps = [_step(step) for step in under_way()]
    to_do = [
        *_told(n_shards, "spooled shards of an interrupted run: the next run appends them"),
        *_told(pending.n_unplanned, "generations not yet turned into programs: `assay execute`"),
        *_told(pending.n_unexecuted, "programs without a verdict: `assay execute`"),
    ]
    if not builds:
        to_do.append("the views are not built yet: `assay build`")
    elif not is_built:
        to_do.append("the views are older than the rows: `assay build`")
    return {
        "under_way": steps,
        "spooled": spooled(),
        "datasets": [vars(row) for row in datasets],
        "generations": [vars(row) for row in generations],
        "rejected": [vars(row) for row in rejected],
        "pending": {
            "generations": pending.n_unplanned,
            "programs": pending.n_unexecuted,
            "problems_not_admitted": pending.n_unadmitted,
            "spooled_shards": n_shards,
            "build": not is_built,
        },
        "to_do": to_do,
        "runs": [vars(row) for row in runs],
        "snapshot": _snapshot(),
        "nightly": _nightly(),
        "disk": disk(),
    }


def samples_wait() -> bool:
    """Return whether there are samples of which `assay execute` has yet to make programs."""
    with reading() as con:
        _set_rules(con)
        return state.pending_state(con).n_unplanned > 0


def views_are_current() -> bool:
    """Return whether the views were built from the rows that are there now."""
    with reading() as con:
        return fingerprint(con) in state.built_from(con)


def disk() -> dict[str, int]:
    """Return how many bytes each part of the home takes."""
    home = settings.home()
    database = settings.warehouse_path()
    parts = {
        "warehouse": [*home.glob(f"{database.name}*")],
        "snapshots": [settings.snapshot_dir()],
        "spool": [settings.spool_dir()],
        "refused": [home / "refused"],
        "cache": [settings.cache_dir()],
        "exports": [settings.export_dir()],
    }
    return {name: sum(map(n_bytes, paths)) for name, paths in parts.items()}


def _set_rules(con: duckdb.DuckDBPyConnection) -> None:
    """Set what `assay execute` without options goes by."""
    state.set_rules(con, rules_of(Policy().label), asked=list(TASKS), run=list(program_rules()))


def _step(step: State) -> dict[str, Any]:
    """Return how far a step of another process is, as JSON values."""
    began = datetime.fromisoformat(step.started_at)
    return {**asdict(step), "seconds": round((datetime.now(UTC) - began).total_seconds())}


def _told(count: int, what: str) -> list[str]:
    return [f"{count:,} {what}"] if count else []


def _snapshot() -> dict[str, Any]:
    try:
        snapshot = snapshots.current()
    except AssayError:
        return {"snapshot_id": None, "age_s": None, "state": "none yet: `assay publish`"}
    made = datetime.fromisoformat(snapshot.manifest["created_at"])
    age_s = (datetime.now(UTC) - made).total_seconds()
    return {
        "snapshot_id": snapshot.snapshot_id,
        "age_s": round(age_s),
        "state": f"{snapshot.snapshot_id}, {_age(age_s)} old",
    }


def _age(seconds: float) -> str:
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"


def _nightly() -> dict[str, Any] | None:
    """Return the end of the last night, from its log."""
    night = last_night()
    if night is None:
        return None
    failed = [step["name"] for step in night["steps"] if step["error"]]
    end = f"failed: {', '.join(failed)}" if failed else "all steps done"
    new = night.get("new_alarms", [])
    end += f", new alarms: {len(new)}" if new else ""
    return {
        "finished_at": night["finished_at"],
        "failed": failed,
        "new_alarms": new,
        "state": f"{night['config']}, {night['finished_at'][:19]} UTC, {end}",
    }
