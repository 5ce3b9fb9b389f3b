"""Append-only writing: gated, in one short transaction, adding only what is not there."""

from collections.abc import Iterable
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from models.base import Row
from models.tables import TABLES, Generation
from warehouse.checks import gate
from warehouse.errors import AssayError, BadInput, CheckFailed
from warehouse.frames import Frames, frames_of, key_of, name_of
from warehouse.store.connection import writing

# Two rows under one key that differ here contradict each other: the newcomer is refused.
IDENTITY: dict[type[Row], str] = {Generation: "text_key"}


def append_frames(
    frames: Frames, run_id: str, *, provenance: Iterable[Row] = (), path: Path | None = None
) -> dict[str, int]:
    """Append the rows that are new and return their number per table.

    ``provenance`` (the run's own row) is written along when anything is new. Raises CheckFailed,
    after storing the reasons and offending rows, when a frame breaks its suite: then no row of
    any frame is kept. Raises BadInput when a row contradicts one that is there.
    """
    fresh: Frames = {}
    with writing(path) as con:
        for table in TABLES:
            if table in frames and frames[table].num_rows:
                _refuse_contradictions(con, table, frames[table])
                new = _only_new(con, table, frames[table])
                if new.num_rows:
                    fresh[table] = new
        if not fresh:
            return {name_of(table): 0 for table in frames}
        verdicts = [gate.check(table, frame, run_id) for table, frame in fresh.items()]
        results: list[Row] = [row for verdict in verdicts for row in verdict.results]
        failures = [verdict.failure for verdict in verdicts if verdict.failure]
        if failures:
            rejects = [row for verdict in verdicts for row in verdict.rejects]
            _insert_all(con, frames_of([*provenance, *results, *rejects]))
            raise CheckFailed(failures[0])
        added = _insert_all(con, {**frames_of([*provenance, *results]), **fresh})
    return {name_of(table): added.get(name_of(table), 0) for table in frames}


def store(rows: Iterable[Row], path: Path | None = None) -> None:
    """Write rows of our own making, such as the end of a run, without the gate."""
    with writing(path) as con:
        _insert_all(con, frames_of(rows))


def _insert_all(con: duckdb.DuckDBPyConnection, frames: Frames) -> dict[str, int]:
    added = {}
    con.begin()
    try:
        for table in TABLES:
            if table in frames:
                added[name_of(table)] = _insert(con, table, frames[table])
        con.commit()
    except duckdb.Error as error:
        # the transaction is gone with the connection, which the caller closes
        reason = str(error).splitlines()[0]
        raise AssayError(f"the warehouse took nothing of this append: {reason}") from error
    return added


def _insert(con: duckdb.DuckDBPyConnection, table: type[Row], frame: pa.Table) -> int:
    con.register("incoming", frame)
    [(added,)] = con.execute(
        f"insert into raw.{name_of(table)} by name select * from incoming on conflict do nothing"
    ).fetchall()
    con.unregister("incoming")
    return int(added)


def _only_new(con: duckdb.DuckDBPyConnection, table: type[Row], frame: pa.Table) -> pa.Table:
    """Return the rows whose key is not in the table, once each, in order."""
    keys = ", ".join(key_of(table))
    con.register("incoming", frame.append_column("n__", pa.array(range(frame.num_rows))))
    chosen = con.sql(
        f"""
        select min(n__) as n__
        from incoming anti join raw.{name_of(table)} using ({keys})
        group by {keys}
        order by n__
        """
    ).to_arrow_table()
    con.unregister("incoming")
    if chosen.num_rows == frame.num_rows:
        return frame
    return frame.take(chosen["n__"])


def _refuse_contradictions(
    con: duckdb.DuckDBPyConnection, table: type[Row], frame: pa.Table
) -> None:
    column = IDENTITY.get(table)
    if column is None:
        return
    key = key_of(table)[0]
    con.register("incoming", frame)
    found = con.execute(
        f"""
        with known as (
            select {key}, {column} from incoming
            union
            select {key}, {column} from raw.{name_of(table)}
            where {key} in (select {key} from incoming)
        )
        select {key}, count(*) from known group by 1 having count(*) > 1 limit 1
        """
    ).fetchall()
    con.unregister("incoming")
    for value, _ in found:
        example = frame.filter(pc.equal(frame[key], value)).slice(0, 1).to_pylist()[0]
        raise BadInput(
            f"{name_of(table)} {value} (problem {example.get('problem_id')}, sample "
            f"{example.get('sample_index')}) is already stored with another text: nothing was added"
        )
