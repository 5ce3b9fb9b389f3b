"""A number down to its rows: what it means, what was counted, who brought it, from which files."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from warehouse.errors import BadInput, known_names
from warehouse.facts.query import text_of
from warehouse.names import literal
from warehouse.reports.display import is_numeric, text
from warehouse.reports.export import resolve
from warehouse.reports.query import query
from warehouse.reports.specs import WhySpec
from warehouse.reports.why.links import LINKS, UNLINKED, Link
from warehouse.reports.why.row import FoundRow, find_row
from warehouse.snapshot.query import Reader, opened
from warehouse.views.describe import ColumnDoc, ViewDoc, describe_views, own_names
from warehouse.views.lineage import LineageStep, lineage, sources_of, sql_files

SHOWN_GENERATIONS = 20
PARAMETER = re.compile(r"\$([a-z_]+)")
Record = dict[str, Any]


@dataclass(frozen=True)
class Value:
    """One column of the row; ``null_reason`` is why there is no number."""

    name: str
    value: Any
    description: str
    null_reason: str | None = None


@dataclass(frozen=True)
class Inputs:
    """What is behind the row, by queries of ``why/``; ``none`` says why there are none."""

    counts: list[Record]
    reasons: list[Record]
    programs: list[Record]
    runs: list[Record]
    releases: list[Record]
    generations: list[Record]
    n_generations: int
    notes: list[str]
    none: str = ""


@dataclass(frozen=True)
class Explanation:
    """Everything that ``assay why`` says of one row."""

    view: ViewDoc
    condition: str
    values: list[Value]
    steps: list[LineageStep]
    inputs: Inputs
    source: Record

    def as_dict(self) -> Record:
        """Return plain values for JSON."""
        described = asdict(self.view)
        return {
            "view": {name: described[name] for name in ("name", "description", "key", "method")}
            | {"file": self.steps[0].file, "sql": self.sql},
            "condition": self.condition,
            "row": [asdict(value) for value in self.values],
            "lineage": [asdict(step) for step in self.steps],
            "sources": sources_of(self.steps),
            "inputs": asdict(self.inputs),
            "source": self.source,
        }

    @property
    def sql(self) -> str:
        """The template that dbt compiles, as the project has it now."""
        return sql_files()[self.view.name].read_text(encoding="utf-8")


def explain(spec: WhySpec) -> Explanation:
    """Return what one row of a mart is made of.

    Raises BadInput for a view or column that is not there, and where not exactly one row fits.
    """
    with opened(warehouse=spec.warehouse) as reader:
        return explained(reader, spec)


def explained(reader: Reader, spec: WhySpec) -> Explanation:
    """Return what one row is made of, by an open reader."""
    view = _mart(reader, spec.view)
    _check_column(view, spec.column)
    row = find_row(reader, view, spec.row)
    inputs = _inputs(reader, view, row, None if spec.generations else SHOWN_GENERATIONS)
    source = _source(reader)
    return Explanation(
        view=view,
        condition=row.condition,
        values=[value for value in _values(view, row) if spec.column in (None, value.name)],
        steps=lineage(view.name),
        inputs=inputs,
        source=source,
    )


def _mart(reader: Reader, name: str) -> ViewDoc:
    schema, versioned = resolve(reader, name)
    marts = {view.name: view for view in describe_views() if view.method is not None}
    if schema == "main" and versioned in own_names():
        read = ", ".join(lineage(versioned)[0].reads)
        raise BadInput(f"{versioned} is a view of your own: ask of what it reads, which is {read}")
    if schema != "main" or versioned not in marts:
        raise BadInput(
            f"{text(name)!r} is no mart, and marts alone are explained{known_names(name, marts)}"
        )
    view = marts[versioned]
    there = reader.one(query("export/whole", name=[versioned]), max_rows=0).columns
    if set(there) != {column.name for column in view.columns}:
        raise BadInput(
            f"{versioned} was built by another version of Assay, with other columns: run "
            "`assay build` and `assay publish`"
        )
    return view


def _check_column(view: ViewDoc, column: str | None) -> None:
    known = [each.name for each in view.columns]
    if column is not None and column not in known:
        raise BadInput(f"{view.name} has no column {text(column)!r}{known_names(column, known)}")


def _source(reader: Reader) -> Record:
    if reader.snapshot is None:
        return {"warehouse": True}
    facts = ("snapshot_id", "created_at", "code_version", "git_commit", "git_dirty", "with_texts")
    return {name: reader.snapshot.manifest[name] for name in facts}


def _values(view: ViewDoc, row: FoundRow) -> Iterator[Value]:
    described = {column.name: column for column in view.columns}
    for name, value in row.values.items():
        reason = None
        if value is None and is_numeric(row.types[name]):
            reason = _why_null(name, row.values, described)
        yield Value(name, value, described[name].description, reason)


def _why_null(name: str, row: Mapping[str, Any], described: Mapping[str, ColumnDoc]) -> str | None:
    """Return why a number is NULL: what a column of reasons says, else the counts of reasons.

    The end of an interval has the reason of the interval, or that of its number.
    """
    base = re.sub(r"_(lo|hi)$", "", name)
    own = [f"{name}_null_reason", f"{base}_null_reason"]
    if base != name:
        own = [f"{base}_interval_null_reason", "interval_null_reason", *own]
    for column in (*own, "null_reason", "unranked_reason", "interval_null_reason"):
        if row.get(column) is not None:
            return f"{column} is {text(row[column])}: {described[column].description}"
    counted = [
        f"{column} is {row[column]}: {described[column].description}"
        for column in row
        if re.search(rf"^({base}_)?n_null_", column) and row[column]
    ]
    return " ".join(counted) or None


def _inputs(reader: Reader, view: ViewDoc, row: FoundRow, most: int | None) -> Inputs:
    if view.name in UNLINKED:
        return Inputs([], [], [], [], [], [], 0, [], none=UNLINKED[view.name])
    links = LINKS[view.name]
    rows = query("why/rows", links=[_rows_of(link, row.values) for link in links])
    counts = _records(reader, "counts", rows)
    runs = _records(reader, "runs", rows)
    for run in runs:
        run["settings"] = json.loads(run["settings"] or "{}")
    return Inputs(
        counts=counts,
        reasons=_records(reader, "reasons", rows),
        programs=_records(reader, "programs", rows),
        runs=runs,
        releases=_records(reader, "releases", rows),
        generations=_records(reader, "generations", rows, most),
        n_generations=sum(each["n"] for each in counts if each["kind"] == "generation"),
        notes=list(dict.fromkeys(link.note for link in links if link.note)),
    )


def _rows_of(link: Link, row: Mapping[str, Any]) -> dict[str, str]:
    """Return the query of a link with the values of the row, and the side that roles name."""
    asked = text_of(f"why/rows/{link.rows}")
    given = {**link.fixed, **{name: row[column] for name, column in link.columns.items()}}
    filled = PARAMETER.sub(lambda named: _value(given.get(named[1])), asked)
    return {"rows": filled, "side": f" of {link.side}" if link.side else ""}


def _value(value: Any) -> str:
    """Return a value of a row as SQL; a parameter that nothing fills is NULL."""
    if value is None:
        return "cast(null as varchar)"
    return literal(value) if isinstance(value, str) else str(value)


def _records(reader: Reader, name: str, rows: str, most: int | None = None) -> list[Record]:
    """Run a query of ``why/`` over the rows behind a number."""
    found = reader.one(query(f"why/{name}", rows=rows), max_rows=most)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]
