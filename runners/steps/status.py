"""What is in the warehouse, what is still to do, and how the last runs ended."""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import duckdb

from runners.progress import State, under_way
from warehouse import settings
from warehouse.errors import AssayError
from warehouse.places import n_bytes
from warehouse.snapshot import snapshots
from warehouse.store.connection import reading
from warehouse.store.spool import leftovers, spooled
from warehouse.views.build import fingerprint

DATASETS = """
select
    release.dataset,
    release.version,
    release.n_problems,
    count(distinct admission.problem_id) filter (admission.mode <> 'rejected') as n_admitted,
    count(distinct admission.problem_id)
    - count(distinct admission.problem_id) filter (admission.mode <> 'rejected') as n_rejected
from raw.dataset_release as release
left join raw.problem as problem using (release_id)
left join raw.admission as admission using (problem_id)
group by all
order by all
"""

GENERATIONS = """
with judged as (
    select distinct evaluation.generation_id
    from raw.evaluation as evaluation
    inner join facts.program_settled as settled using (program_id)
)

select
    problem.dataset,
    language_model.lm,
    language_model.simulated,
    count_if(generation.parent_generation_id is null) as n_generations,
    count_if(generation.parent_generation_id is not null) as n_reflections,
    count_if(judged.generation_id is not null) as n_judged,
    count_if(
        executable.generation_id is not null
        and rejected.problem_id is null
        and judged.generation_id is null
    ) as n_pending
from raw.generation as generation
inner join raw.problem as problem using (problem_id)
inner join raw.language_model as language_model using (lm_id)
left join facts.generation_executable as executable using (generation_id)
left join judged using (generation_id)
left join facts.problem_rejected as rejected on generation.problem_id = rejected.problem_id
group by all
order by all
"""

REJECTED = """
with waiting as (
    select problem_id, count(*) as n_generations
    from facts.generation_executable
    group by problem_id
)

select
    problem.dataset,
    coalesce(
        nullif(regexp_extract(rejected.reason, 'reference [a-z_]+|the tests pass|no output'), ''),
        left(rejected.reason, 60)
    ) as reason,
    count(*) as n_problems,
    cast(coalesce(sum(waiting.n_generations), 0) as bigint) as n_generations
from facts.problem_rejected as rejected
inner join raw.problem as problem using (problem_id)
left join waiting using (problem_id)
group by all
order by all
"""

# Answers to problems that were rejected become no programs.
PENDING = """
with generation as (
    select generation_id, problem_id
    from facts.generation_executable
    anti join facts.problem_rejected using (problem_id)
)

select
    (
        select count(*)
        from generation
        anti join raw.evaluation as evaluation using (generation_id)
    ),
    (select count(*) from facts.program_due),
    (
        select count(*)
        from raw.problem as problem
        anti join raw.admission as admission using (problem_id)
        semi join generation using (problem_id)
    )
"""

RUNS = """
select
    run.kind,
    strftime(run.started_at, '%Y-%m-%d %H:%M:%S') as started_utc,
    round(epoch(run_finish.finished_at) - epoch(run.started_at), 1) as seconds,
    coalesce(run_finish.status, 'unfinished') as status,
    left(run.git_commit, 10) as commit
from raw.run as run
left join raw.run_finish as run_finish using (run_id)
order by run.started_at desc
limit 10
"""


def status() -> dict[str, Any]:
    """Return counts, pending work, the last runs and the snapshot's age, as JSON values."""
    with reading() as con:
        datasets = _rows(con, DATASETS)
        generations = _rows(con, GENERATIONS)
        rejected = _rows(con, REJECTED)
        pending = con.execute(PENDING).fetchone() or (0, 0, 0)
        runs = _rows(con, RUNS)
        state = fingerprint(con)
        n_builds = _n_builds(con)
        is_built = _is_built(con, state)
    n_unplanned, n_unexecuted, n_unadmitted = (int(count) for count in pending)
    n_shards = leftovers()
    steps = [_step(state) for state in under_way()]
    to_do = [
        *_told(n_shards, "spooled shards of an interrupted run: the next run appends them"),
        *_told(n_unplanned, "generations not yet turned into programs: `assay execute`"),
        *_told(n_unexecuted, "programs without a verdict: `assay execute`"),
    ]
    if not n_builds:
        to_do.append("the views are not built yet: `assay build`")
    elif not is_built:
        to_do.append("the views are older than the rows: `assay build`")
    return {
        "under_way": steps,
        "spooled": spooled(),
        "datasets": datasets,
        "generations": generations,
        "rejected": rejected,
        "pending": {
            "generations": n_unplanned,
            "programs": n_unexecuted,
            "problems_not_admitted": n_unadmitted,
            "spooled_shards": n_shards,
            "build": not is_built,
        },
        "to_do": to_do,
        "runs": runs,
        "snapshot": _snapshot(),
        "nightly": _nightly(),
        "disk": disk(),
    }


def views_are_current() -> bool:
    """Return whether the views were built from the rows that are there now."""
    with reading() as con:
        return _is_built(con, fingerprint(con))


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


def _step(state: State) -> dict[str, Any]:
    """Return how far a step of another process is, as JSON values."""
    began = datetime.fromisoformat(state.started_at)
    return {**asdict(state), "seconds": round((datetime.now(UTC) - began).total_seconds())}


def _rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    cursor = con.execute(sql)
    names = [str(column[0]) for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _n_builds(con: duckdb.DuckDBPyConnection) -> int:
    there = con.execute(
        "select count(*) from duckdb_tables() "
        "where schema_name = 'meta' and table_name = 'view_build'"
    ).fetchone()
    if not there or not there[0]:
        return 0
    found = con.execute("select count(*) from meta.view_build").fetchone()
    return int(found[0]) if found else 0


def _is_built(con: duckdb.DuckDBPyConnection, state: str) -> bool:
    if not _n_builds(con):
        return False
    # compared here: a query with a parameter makes DuckDB load pandas
    return (state,) in con.execute("select fingerprint from meta.view_build").fetchall()


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
    path = settings.home() / "nightly.jsonl"
    if not path.exists():
        return None
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines:
        return None
    night = json.loads(lines[-1])
    failed = [step["name"] for step in night["steps"] if step["error"]]
    end = f"failed: {', '.join(failed)}" if failed else "all steps done"
    return {
        "finished_at": night["finished_at"],
        "failed": failed,
        "state": f"{night['config']}, {night['finished_at'][:19]} UTC, {end}",
    }
