"""Rows of a warehouse, macros as text, and when two numbers are the same."""

import math
from pathlib import Path
from typing import Any

import duckdb
import jinja2
import yaml  # type: ignore[import-untyped]

from tests.data import ROOT
from warehouse.store.connection import reading
from warehouse.views.project import project_dir


def sql_files() -> list[Path]:
    """Return the files that define views."""
    return sorted((project_dir() / "models").rglob("*.sql"))


def rows(sql: str, *values: Any, path: Path | None = None) -> list[tuple[Any, ...]]:
    """Return what a query finds in a warehouse, this home's unless another is named."""
    with reading(path) as con:
        return con.execute(sql, list(values)).fetchall()


def n_rows(table: str) -> int:
    """Count the rows of a raw table of this home's warehouse."""
    ((found,),) = rows(f"select count(*) from raw.{table}")
    return int(found)


def rows_of(con: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    """Return what a query finds, each row by the names of its columns."""
    found = con.execute(sql)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def rows_in(path: Path, sql: str) -> list[dict[str, Any]]:
    """Return what a query finds in a warehouse file."""
    with reading(path) as con:
        return rows_of(con, sql)


def same(ours: float | None, theirs: float | None) -> bool:
    """Are both numbers missing, or equal to the ninth decimal?"""
    if ours is None or theirs is None:
        return ours is None and theirs is None
    return math.isclose(ours, theirs, rel_tol=0, abs_tol=1e-9)


def macro(file: str, call: str, *others: str) -> str:
    """Render a call of a macro that needs of dbt only variables, and macros of the other files."""
    dbt = ROOT / "dbt"
    project = yaml.safe_load((dbt / "dbt_project.yml").read_text(encoding="utf-8"))
    paths = [path for name in (*others, file) for path in (dbt / "macros").rglob(name)]
    assert len(paths) == 1 + len(others)
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    template = jinja2.Template(text + "{{ " + call + " }}")
    return template.render(var=project["vars"].__getitem__).strip()


def by_subject(path: Path, view: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Index the rows of a view by language model, version, measure and, if any, rescaler."""
    found = {}
    for row in rows_in(path, f"select * from {view}"):
        key = (row["lm_id"], int(view[-1]), row["measure"])
        found[(*key, row["rescaler"]) if "rescaler" in row else key] = row
    return found
