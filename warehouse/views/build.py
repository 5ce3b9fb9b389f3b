"""Build the views: by dbt, by statements that it sent before, or not at all if nothing changed."""

import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, cast

import duckdb

from warehouse import settings
from warehouse.errors import BadInput, CheckFailed, Locked
from warehouse.facts.query import column_of
from warehouse.parameters import Spec
from warehouse.store import migrations
from warehouse.store.builds import (
    forget_builds,
    is_built,
    n_rows,
    remember_build,
    remember_rows,
    rows_built,
)
from warehouse.store.connection import holder, writing
from warehouse.views.nodes import nodes_of
from warehouse.views.part import part_of, unknown_selection
from warehouse.views.project import dbt_dir, project_dir, project_state
from warehouse.views.statements import keeping, sending
from warehouse.views.statements.keeping import Built, StatementStore

UNIT_TEST = "unit_test"

ENOUGH_MEMORY = 4 * 2**30
"""Bytes that are enough for ten million generations, in a file of ten GB (docs/decisions/0027)."""


@dataclass(frozen=True)
class BuildReport:
    """What a build did; ``fresh``: whether anything had changed, so that it did anything."""

    fresh: bool
    seconds: float
    views: list[str] = field(default_factory=list)
    tests_passed: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class BuildSpec(Spec):
    """Which views are built: a part, by their names, or all; ``force``: even if up to date."""

    select: Annotated[str | None, unknown_selection] = None
    force: bool = False


def build(
    spec: BuildSpec,
    path: Path | None = None,
    *,
    unit_tests: bool = False,
) -> BuildReport:
    """Build and test the views of a warehouse; the file is free again on return.

    Nothing happens when raw rows, dbt project and library versions are those of the last good
    build. The build of a part is not remembered. ``unit_tests`` also runs dbt's unit tests, in a
    build of all; they look at the project and not at the rows.

    Raises CheckFailed naming the views that failed to build and the data tests that failed. Raises
    AssayError, before anything is built, where a part reads views that are not there.
    """
    path = (path or settings.warehouse_path()).absolute()
    with _one_build(path.parent):
        return _build(spec, path, unit_tests)


def _build(spec: BuildSpec, path: Path, unit_tests: bool) -> BuildReport:
    started = time.monotonic()
    with writing(path) as con:
        state = fingerprint(con)
        if is_built(con, state) and not spec.force:
            return BuildReport(fresh=False, seconds=time.monotonic() - started)
        before = _rows_before(con) if spec.select is None and not spec.force else None
        forget_builds(con)
        rows = _rows(con)
    if spec.select is None:
        views, passed, warnings = _all_built(path, unit_tests, before)
    else:
        views, passed, warnings = _part_built(path, spec.select)
    seconds = time.monotonic() - started
    if spec.select is None:
        with writing(path) as con:
            remember_build(con, state, seconds, len(views), len(passed))
            remember_rows(con, _project(), rows)
    return BuildReport(True, seconds, views, passed, warnings)


@contextmanager
def _one_build(folder: Path) -> Iterator[None]:
    """Let one build at a time change the warehouses of a folder; others wait for it.

    A build of what is new takes a table that did not change as one whose readers are up to date.
    Another build between its steps could have made that table alone. Some file systems, such as
    NFS, lock no folders: there nobody waits.
    """
    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def fingerprint(con: duckdb.DuckDBPyConnection) -> str:
    """Hash what the views depend on. Raw rows are only ever added, so their number is enough."""
    digest = hashlib.sha256()
    for name, n in _rows(con).items():
        # a tuple of one, as ever: builds that are remembered stay known
        digest.update(f"{name}=({n},);".encode())
    digest.update(project_state().encode())
    return digest.hexdigest()


def _rows(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return the number of rows of each raw table."""
    return {name: n_rows(con, name) for name in column_of(con, "catalog/raw_tables")}


def _rows_before(con: duckdb.DuckDBPyConnection) -> dict[str, int] | None:
    """Return the rows of each raw table in the last build; None where all is to be built.

    So it is where that build did not end well, or where the project or raw tables have changed.
    """
    built = rows_built(con, _project())
    return built if built.keys() == set(column_of(con, "catalog/raw_tables")) else None


def _project() -> str:
    """Return the state of all that decides how rows become views, but the rows."""
    return f"{project_state()} {migrations.latest()}"


def _all_built(path: Path, unit_tests: bool, before: dict[str, int] | None) -> Built:
    """Send the statements that dbt once sent for such a build, or let dbt make it and keep them.

    With ``unit_tests`` dbt makes it always.
    """
    if unit_tests:
        with keeping.one_dbt():
            return _sort_results(_run_dbt(path, None, []))
    if (built := _sent_again(path, before)) is not None:
        return built
    with keeping.one_dbt() as waited:
        if waited and (built := _sent_again(path, before)) is not None:
            return built
        with keeping.listening() as found:
            results = _run_dbt(path, None, [UNIT_TEST])
        built = _sort_results(results)
        if built.views and not built.warnings:
            StatementStore(path.name).write(found, nodes_of(results), built)
    return built


def _sent_again(path: Path, before: dict[str, int] | None) -> Built | None:
    kept = StatementStore(path.name).find()
    return sending.send(path, kept, _memory(path), before) if kept else None


def _part_built(path: Path, select: str) -> Built:
    """Send the kept statements of a part; where one fails, let dbt make the part.

    dbt makes it too where no statements are kept, as after a change of a view. Before anything was
    built, a build of all without rows finds them, unless another view or its data test fails there.
    """
    of_all = StatementStore(path.name).find()
    with writing(path) as con:
        relations = sending.relations_of(con)
    if of_all is None and not relations:
        with tempfile.TemporaryDirectory() as folder, suppress(CheckFailed):
            build(BuildSpec(), Path(folder, path.name))
        of_all = StatementStore(path.name).find()
    if of_all is not None:
        part = part_of(select, of_all.nodes, relations)
        if (built := sending.send_part(path, of_all, part, _memory(path))) is not None:
            return built
    with keeping.one_dbt():
        built = _sort_results(_run_dbt(path, select, [UNIT_TEST]))
    if not built.views:
        raise BadInput(f"there is no view {select!r}")
    return built


def _run_dbt(path: Path, select: str | None, unwanted: list[str]) -> list[Any]:
    """Run dbt in this process; return its results."""
    place = dbt_dir()
    place.mkdir(parents=True, exist_ok=True)
    project = project_dir()
    where = ["--project-dir", str(project), "--profiles-dir", str(project)]
    where += ["--target-path", str(place / "target"), "--log-path", str(place / "logs")]
    part = [word for kind in unwanted for word in ("--exclude-resource-type", kind)]
    if select is not None:
        part += ["--select", *select.split(), "--indirect-selection", "buildable"]
    from dbt.adapters.duckdb.connections import DuckDBConnectionManager
    from dbt.cli.main import dbtRunner

    free = cast(Callable[[], None], DuckDBConnectionManager.close_all_connections)
    free()
    with _environment(**dbt_settings(path)), chdir(path.parent):
        try:
            result = _answer(dbtRunner(), path, ["build", *where, *part])
        finally:
            free()
    return list(getattr(result, "results", []))


def dbt_settings(path: Path) -> dict[str, str]:
    """Return the environment variables that dbt runs with.

    The file is named without its folder, so that what dbt has parsed serves any folder.
    """
    return {
        "ASSAY_DBT_PATH": path.name,
        "ASSAY_DBT_MEMORY": str(_memory(path)),
        "ASSAY_DBT_LEFT_OUT_COMPRESSION": sending.LEFT_OUT_COMPRESSION,
        "DO_NOT_TRACK": "1",
    }


def _answer(runner: Any, path: Path, arguments: list[str]) -> Any:
    """Return what a command of dbt gives back; raises what went wrong with it as a whole."""
    silent = ["--quiet", "--no-write-json", "--log-level", "none", "--log-level-file", "none"]
    done = runner.invoke([*silent, *arguments])
    if isinstance(done.exception, KeyboardInterrupt):
        raise done.exception
    if "Could not set lock on file" in str(done.exception):
        raise Locked(f"{path}: the warehouse is in use by {holder(str(done.exception))}")
    if done.exception is not None:
        raise CheckFailed(f"the views could not be built: {_message_of(done.exception)}")
    return done.result


def _sort_results(results: list[Any]) -> Built:
    views: list[str] = []
    tests: list[str] = []
    warnings: list[str] = []
    failures: list[str] = []
    for result in results:
        if result.node.resource_type == "operation" and str(result.status) == "success":
            continue
        name, status = result.node.name, str(result.status)
        name = getattr(result.node, "alias", None) or name
        is_test = result.node.resource_type in ("test", UNIT_TEST)
        if status in ("success", "pass"):
            (tests if is_test else views).append(name)
        elif status == "warn":
            warnings.append(name)
        elif status != "skipped":
            failures.append(f"{name} ({_message_of(result.message)})")
    if failures:
        raise CheckFailed(f"{len(failures)} failed: {'; '.join(failures[:5])}")
    return Built(views, tests, warnings)


def _memory(path: Path) -> int:
    """Return the MiB of memory that DuckDB may use before it spills to disk.

    It is 4 GiB, 8 GiB from a file of 16 GiB on, and doubles with each further doubling of the file.
    It never exceeds half of the machine's memory.
    """
    half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    size = path.stat().st_size if path.exists() else 0
    enough = ENOUGH_MEMORY << (size // (4 * ENOUGH_MEMORY)).bit_length()
    return max(2, min(half, enough) // 2**20)


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _message_of(error: object) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines)[:300] or "no message"
