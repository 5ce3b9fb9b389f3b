"""Descriptions of the views and their columns, as the dbt project and ``models`` have them."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from warehouse.tables import describe_tables
from warehouse.views.project import OWN_ROOM, project_dir


@dataclass(frozen=True)
class ColumnDoc:
    """One column of a view.

    ``data_type`` is known where a contract, the settings of a seed or a raw table say it.
    """

    name: str
    data_type: str | None
    description: str


@dataclass(frozen=True)
class Reference:
    """A key of warehouse/reports/citations/references.bib, and the place in that work."""

    key: str
    place: str

    def __str__(self) -> str:
        return f"{self.key}, {self.place}" if self.place else self.key


@dataclass(frozen=True)
class MethodDoc:
    """What a view estimates and how, where it is published, and how it errs.

    Without ``references``, ``no_reference`` says why.
    """

    estimand: str
    formula: str
    references: tuple[Reference, ...]
    no_reference: str
    bias: str


@dataclass(frozen=True)
class ViewDoc:
    """One view: its schema and name in the warehouse, its grain, and its columns in order.

    ``key`` tells its rows apart. ``method`` is there for every mart, and for no other view.
    """

    schema: str
    name: str
    plain_name: str | None
    description: str
    columns: tuple[ColumnDoc, ...]
    key: tuple[str, ...] = ()
    method: MethodDoc | None = None


SCHEMAS = {"marts": "main", "intermediate": "intermediate", "seeds": "main"}
YOURS = "A view of your own."
DOCS = "models/columns.md"
"""What columns of several views hold: dbt's doc blocks, which the YAML of views names."""


def describe_views() -> list[ViewDoc]:
    """Return every view and seed: marts first, then what they are made of.

    ``plain_name`` is set on the newest version of a versioned view. Needs no warehouse.
    """
    return [*_views_in_yaml(), *_own_views(), *_staging_views()]


def _own_views() -> list[ViewDoc]:
    """Return the views of the user: what their YAML says, if there is any."""
    folder = project_dir() / "models" / OWN_ROOM
    models: dict[str, Any] = {}
    for file in sorted(folder.rglob("*.yml")):
        described = _parsed(file.read_text(encoding="utf-8")) or {}
        models |= {str(model.get("name")): model for model in described.get("models") or ()}
    views = []
    for name in own_names():
        model = models.get(name, {})
        columns = tuple(
            ColumnDoc(str(column.get("name")), None, str(column.get("description", "")))
            for column in model.get("columns") or ()
        )
        text = f"{YOURS} {model.get('description', '')}".strip()
        views.append(ViewDoc("main", name, None, text, columns))
    return views


def _views_in_yaml() -> list[ViewDoc]:
    project = project_dir()
    docs = (project / DOCS).read_text(encoding="utf-8")
    views: list[ViewDoc] = []
    for room, schema in SCHEMAS.items():
        folder = project / ("seeds" if room == "seeds" else f"models/{room}")
        for file in sorted(folder.rglob("*.yml")):
            views += _views_of(file.read_text(encoding="utf-8"), schema, docs)
    return views


@cache
def _views_of(text: str, schema: str, docs: str) -> list[ViewDoc]:
    described, blocks = _parsed(text), doc_blocks(docs)
    models = described.get("models", []) + described.get("seeds", [])
    return [view for model in models for view in _versions(model, schema, blocks)]


@cache
def _parsed(text: str) -> dict[str, Any]:
    import yaml  # type: ignore[import-untyped]

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, where it is installed
    parsed: dict[str, Any] = yaml.load(text, Loader=loader)
    return parsed


def _staging_views() -> list[ViewDoc]:
    """Return the views that pass on the columns of a raw table, which describes them."""
    views = []
    for table in describe_tables():
        columns = tuple(
            ColumnDoc(c.name, c.type, " ".join(c.description.split())) for c in table.columns
        )
        text = " ".join(table.description.split())
        views.append(ViewDoc("staging", f"stg_{table.name}", None, text, columns))
    return views


def own_names() -> list[str]:
    """Return the names of the user's views, from their files."""
    return sorted(path.stem for path in (project_dir() / "models" / OWN_ROOM).rglob("*.sql"))


@cache
def doc_blocks(docs: str) -> dict[str, str]:
    """Return the text of each doc block by its name, from the text of a file of such blocks."""
    return dict(re.findall(r"{% docs (\w+) %}\n(.*?)\n{% enddocs %}", docs, re.DOTALL))


def view_names() -> list[str]:
    """Return the names that readers use: each view's plain name and its versions, from the files.

    Reads no description, so it takes no time.
    """
    models = project_dir() / "models"
    versioned = [
        file.stem for room in ("marts", OWN_ROOM) for file in (models / room).rglob("*.sql")
    ]
    plain = {re.sub(r"_v\d+$", "", name) for name in versioned}
    return sorted(plain | set(versioned))


def _versions(model: dict[str, Any], schema: str, blocks: dict[str, str]) -> list[ViewDoc]:
    types = model.get("config", {}).get("column_types", {})
    columns = [_column(column, blocks, types) for column in model.get("columns", [])]
    if "versions" not in model:
        return [ViewDoc(schema, model["name"], None, model["description"], tuple(columns))]
    views = []
    for version in model["versions"]:
        listed = version.get("columns", [])
        own = tuple(_column(column, blocks, types) for column in listed if "name" in column)
        kept = tuple(column for column in columns if _is_kept(column, listed)) + own
        views.append(
            ViewDoc(
                schema=schema,
                name=f"{model['name']}_v{version['v']}",
                plain_name=model["name"] if version["v"] == model["latest_version"] else None,
                description=version.get("description", model["description"]),
                columns=kept,
                key=_key(version) or _key(model),
                method=_method(_meta(model) | _meta(version)),
            )
        )
    return views


def _key(described: dict[str, Any]) -> tuple[str, ...]:
    """Return the columns of the first key test of a model or version."""
    for test in described.get("data_tests", []):
        if "unique_key" in test:
            return tuple(test["unique_key"]["arguments"]["columns"])
    return ()


def _meta(described: dict[str, Any]) -> dict[str, Any]:
    meta: dict[str, Any] = described.get("config", {}).get("meta", {})
    return meta


def _method(meta: dict[str, Any]) -> MethodDoc | None:
    """Return how a mart is computed; a version repeats only what differs from its model."""
    if not meta:
        return None
    named = meta["reference"]
    listed = [] if isinstance(named, str) else named
    parts = [text.partition(", ") for text in listed]
    return MethodDoc(
        estimand=meta["estimand"],
        formula=meta["formula"],
        references=tuple(Reference(key, place) for key, _, place in parts),
        no_reference=named.removeprefix("none: ") if isinstance(named, str) else "",
        bias=meta["bias"],
    )


def _is_kept(column: ColumnDoc, listed: list[dict[str, Any]]) -> bool:
    """Return whether a version has a column of its model: what it includes, less what it excludes.

    Without such a rule it has all.
    """
    for rule in listed:
        if "include" in rule:
            included = rule["include"] in ("all", "*") or column.name in rule["include"]
            return included and column.name not in rule.get("exclude", [])
    return True


def _column(column: dict[str, Any], blocks: dict[str, str], types: dict[str, str]) -> ColumnDoc:
    """Return a column; ``types`` are those of a seed, which names them apart."""
    text = re.sub(r"{{ doc\('(\w+)'\) }}", lambda named: blocks[named[1]], column["description"])
    name = column["name"]
    return ColumnDoc(name, column.get("data_type") or types.get(name), text)
