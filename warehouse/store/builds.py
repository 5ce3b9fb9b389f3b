"""Which builds of the views are those of the rows: a fingerprint each, in meta.view_build."""

import duckdb

from warehouse.names import quoted

MADE = """
create table if not exists meta.view_build (
    fingerprint varchar primary key,
    built_at timestamptz not null,
    seconds double not null,
    n_views integer not null,
    n_tests integer not null
)
"""


def is_built(con: duckdb.DuckDBPyConnection, fingerprint: str) -> bool:
    """Return whether the views are built for a state of rows and project."""
    asked = "select count(*) from meta.view_build where fingerprint = ?"
    try:
        found = con.execute(asked, [fingerprint]).fetchone()
    except duckdb.CatalogException:  # no build was ever remembered
        return False
    return bool(found and found[0])


def n_rows(con: duckdb.DuckDBPyConnection, table: str) -> int:
    """Return how many rows a raw table has."""
    # the name is put into the text: with any parameter, DuckDB loads pandas
    counted = con.execute(f"select count(*) from {quoted('raw', table)}").fetchone()
    return int(counted[0]) if counted else 0


def forget_builds(con: duckdb.DuckDBPyConnection) -> None:
    """Forget all builds before another one begins."""
    con.execute(MADE)
    con.execute("delete from meta.view_build")


def remember_build(
    con: duckdb.DuckDBPyConnection, fingerprint: str, seconds: float, n_views: int, n_tests: int
) -> None:
    """Remember a build that was good."""
    con.execute(
        "insert or replace into meta.view_build values (?, now(), ?, ?, ?)",
        [fingerprint, seconds, n_views, n_tests],
    )
