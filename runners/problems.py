"""Problems as the runners need them; a dataset stands for its newest release."""

from collections import defaultdict
from typing import Any

import duckdb

from ingest.catalogue import absent
from warehouse.errors import BadInput
from warehouse.store.connection import reading

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

    Raises BadInput when the dataset was never ingested.
    """
    require(con, dataset)
    rows = con.execute(
        f"""
        select {", ".join(f"problem.{name}" for name in COLUMNS)}
        from raw.problem as problem
        inner join facts.release_newest as newest using (release_id)
        where newest.dataset = ?
        order by problem.position
        """,
        [dataset],
    ).fetchall()
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def require(con: duckdb.DuckDBPyConnection, dataset: str) -> None:
    """Raise BadInput when a dataset was never ingested."""
    known = _names(con, "select distinct dataset from raw.dataset_release order by 1")
    if dataset not in known:
        raise BadInput(absent(dataset, known))


def require_lm(con: duckdb.DuckDBPyConnection, lm: str) -> None:
    """Raise BadInput when there is no language model of this name."""
    known = _names(con, "select distinct lm from raw.language_model order by 1")
    if lm not in known:
        have = f"available: {', '.join(known)}" if known else "there is none yet"
        raise BadInput(f"language model {lm!r} is not in the warehouse; {have}")


def require_targets(
    con: duckdb.DuckDBPyConnection, dataset: str | None, rescore: str | None
) -> None:
    """Raise BadInput when what is named selects no generation to be executed."""
    if dataset is not None:
        require_generations(con, dataset)
    if rescore is None:
        return
    require(con, rescore)
    ctes, parameters = target_ctes(dataset, rescore)
    found = con.execute(f"with {ctes} select count(*) from target", parameters).fetchone()
    if not found or not found[0]:
        whose = f"of dataset {dataset!r} " if dataset is not None else ""
        raise BadInput(f"no generation {whose}answers a task that dataset {rescore!r} has too")


def require_generations(con: duckdb.DuckDBPyConnection, dataset: str) -> None:
    """Raise BadInput when a dataset is there but nothing was generated for it."""
    require(con, dataset)
    known = _names(
        con,
        """
        select distinct problem.dataset
        from raw.generation as generation
        inner join raw.problem as problem using (problem_id)
        order by 1
        """,
    )
    if dataset not in known:
        have = f"available: {', '.join(known)}" if known else "there are none at all"
        raise BadInput(
            f"no generations of dataset {dataset!r} are in the warehouse; {have}; "
            f"run `assay generate --dataset {dataset}` or `assay import --dataset {dataset}`"
        )


def _names(con: duckdb.DuckDBPyConnection, query: str) -> list[str]:
    return [str(name) for (name,) in con.execute(query).fetchall()]


def problems_by_id(con: duckdb.DuckDBPyConnection, ids: list[str]) -> dict[str, dict[str, Any]]:
    """Return problems by problem_id."""
    rows = con.execute(
        f"""
        select {", ".join(COLUMNS)} from raw.problem
        where problem_id in (select unnest(?::varchar[]))
        """,
        [ids],
    ).fetchall()
    return {row[0]: dict(zip(COLUMNS, row, strict=True)) for row in rows}


def inputs_by_problem(con: duckdb.DuckDBPyConnection, ids: list[str]) -> dict[str, list[str]]:
    """Return the bodies of the tests that are not asserts, in order, by problem_id."""
    found: dict[str, list[str]] = defaultdict(list)
    rows = con.execute(
        """
        select problem_id, body from raw.test
        where kind <> 'assert' and problem_id in (select unnest(?::varchar[]))
        order by problem_id, test_index
        """,
        [ids],
    ).fetchall()
    for problem_id, body in rows:
        found[problem_id].append(body)
    return found


def target_ctes(dataset: str | None, rescore: str | None) -> tuple[str, list[Any]]:
    """Return the CTE ``target`` (generation_id, problem_id) and its parameters.

    Without ``rescore``, each generation of the dataset (or of all) faces its own problem. With it,
    the problem of the same task name in the newest release of that other dataset.
    """
    if rescore is None:
        return (
            """
            target as (
                select generation_id, problem_id
                from facts.generation_executable
                where ? is null or dataset = ?
            )
            """,
            [dataset, dataset],
        )
    return (
        """
        target as (
            select generation.generation_id, other.problem_id
            from facts.generation_executable as generation
            inner join raw.problem as problem using (problem_id)
            inner join raw.problem as other on lower(problem.task_id) = lower(other.task_id)
            inner join facts.release_newest as newest on other.release_id = newest.release_id
            where newest.dataset = ? and generation.task = 'synthesis'
                and (? is null or generation.dataset = ?)
        )
        """,
        [rescore, dataset, dataset],
    )


def count_repairs(dataset: str | None) -> int:
    """Return how many repairs there are of a dataset, or of all: no tests here can judge them."""
    with reading() as con:
        found = con.execute(
            """
            select count(*)
            from raw.generation as generation
            inner join raw.setting as setting using (setting_id)
            inner join raw.problem as problem using (problem_id)
            where setting.task = 'repair' and generation.parent_generation_id is null
                and (? is null or problem.dataset = ?)
            """,
            [dataset, dataset],
        ).fetchone()
    return int(found[0]) if found else 0
