"""The last good build of the views: its fingerprint, and how many rows raw tables had."""

from collections.abc import Mapping

import duckdb

from warehouse.names import quoted

MADE = """
create table if not exists meta.view_build (
    fingerprint varchar primary key,
    built_at timestamptz not null,
    seconds double not null,
    n_views integer not null,
    n_tests integer not null
);

create table if not exists meta.rows_built (
    project varchar not null,
    table_name varchar primary key,
    n_rows bigint not null
)
"""
"""``project``: the state of all that decides how rows become views, but the rows."""


def is_built(con: duckdb.DuckDBPyConnection, fingerprint: str) -> bool:
    """Return whether the views are built for a state of rows and project."""
    asked = "select count(*) from meta.view_build where fingerprint = ?"
    try:
        [(found,)] = con.execute(asked, [fingerprint]).fetchall()
    except duckdb.CatalogException:  # no build was ever remembered
        return False
    return bool(found)


def n_rows(con: duckdb.DuckDBPyConnection, table: str) -> int:
    """Return how many rows a raw table has."""
    [(counted,)] = con.execute(f"select count(*) from {quoted('raw', table)}").fetchall()
    return int(counted)


def rows_built(con: duckdb.DuckDBPyConnection, project: str) -> dict[str, int]:
    """Return the rows of raw tables in the last build of a project; none where it was not good."""
    con.execute(MADE)
    asked = "select table_name, n_rows from meta.rows_built where project = ?"
    return dict(con.execute(asked, [project]).fetchall())


def forget_builds(con: duckdb.DuckDBPyConnection) -> None:
    """Forget all builds before another one begins."""
    con.execute(MADE)
    con.execute("delete from meta.view_build; delete from meta.rows_built")


def remember_build(
    con: duckdb.DuckDBPyConnection, fingerprint: str, seconds: float, n_views: int, n_tests: int
) -> None:
    """Remember a build that was good."""
    con.execute(
        "insert or replace into meta.view_build values (?, now(), ?, ?, ?)",
        [fingerprint, seconds, n_views, n_tests],
    )


def remember_rows(con: duckdb.DuckDBPyConnection, project: str, rows: Mapping[str, int]) -> None:
    """Remember how many rows raw tables had in a build that was good."""
    con.begin()
    for name, n in rows.items():
        con.execute("insert into meta.rows_built values (?, ?, ?)", [project, name, n])
    con.commit()
