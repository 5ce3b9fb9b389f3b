"""The problems a dataset stands for now: those of its newest release."""

from typing import Any

import duckdb

from warehouse.errors import AssayError

COLUMNS = (
    "problem_id",
    "dataset",
    "task_id",
    "entry_point",
    "prompt",
    "reference",
    "suffix",
    "setup_code",
    "test_code",
    "compare",
    "atol",
    "tests_key",
)


def newest_problems(con: duckdb.DuckDBPyConnection, dataset: str) -> list[dict[str, Any]]:
    """Return the problems of the newest release, in its order.

    Raises AssayError when the dataset was never ingested.
    """
    rows = con.execute(
        f"""
        with releases as (
            select release.release_id
            from raw.dataset_release as release
            inner join raw.run as run using (run_id)
            where release.dataset = ?
            order by run.started_at desc, release.release_id
            limit 1
        )
        select {", ".join(f"problem.{name}" for name in COLUMNS)}
        from raw.problem as problem
        semi join releases using (release_id)
        order by problem.position
        """,
        [dataset],
    ).fetchall()
    if not rows:
        known = [
            name
            for (name,) in con.execute(
                "select distinct dataset from raw.dataset_release order by 1"
            ).fetchall()
        ]
        have = f"ingested are: {', '.join(known)}" if known else "nothing is ingested yet"
        raise AssayError(f"dataset {dataset!r} is not in the warehouse; {have}")
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]
