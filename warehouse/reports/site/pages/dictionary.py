"""All names of the warehouse: pages of raw tables, rules and columns, and the search."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from warehouse.reports.site.graph import lineage_drawing
from warehouse.reports.site.page import Page, Templates
from warehouse.tables import RawTable, describe_tables
from warehouse.views.describe import ColumnDoc, ViewDoc
from warehouse.views.lineage import readers_of_all, sql_files
from warehouse.views.rules import RuleDoc, describe_rules

KINDS = {"main": "view", "intermediate": "intermediate view", "staging": "staging view"}


@dataclass(frozen=True)
class Named:
    """A name that is searched: its kind, where its page is, and what it means."""

    name: str
    kind: str
    address: str
    meaning: str
    anchor: str = ""


def places_of(views: Sequence[ViewDoc]) -> dict[str, str]:
    """Return the address of every view, seed, raw table and rule by its name in a lineage."""
    tables = {f"raw.{table.name}": f"table/{table.name}" for table in describe_tables()}
    rules = {rule.name: f"rule/{rule.name.partition('.')[2]}" for rule in describe_rules()}
    return {view.name: f"view/{view.name}" for view in views} | tables | rules


def named_things(views: Sequence[ViewDoc], places: Mapping[str, str]) -> Iterator[Named]:
    """Yield what the warehouse has: views and seeds, raw tables, rules, and columns."""
    for view in views:
        kind = KINDS[view.schema] if view.name in sql_files() else "seed"
        yield Named(view.name, kind, places[view.name], _first(view.description))
    yield from _tables(places)
    yield from _rules(places)
    for name, meanings in _columns(views):
        yield Named(name, "column", "columns", meanings[0][0], f"c-{name}")


def _tables(places: Mapping[str, str]) -> Iterator[Named]:
    for table in describe_tables():
        name = f"raw.{table.name}"
        yield Named(name, "raw table", places[name], _first(table.description))


def _rules(places: Mapping[str, str]) -> Iterator[Named]:
    for rule in describe_rules():
        yield Named(rule.name, "rule", places[rule.name], rule.description)


def _first(description: str) -> str:
    """Return the first sentence."""
    return description.split(". ")[0].split("\n\n")[0]


def search_page(named: Sequence[Named], templates: Templates) -> Page:
    """Return the first page, which lists all names."""
    kinds = [each.kind for each in named]
    counts = [f"{kinds.count(kind):,} {kind}s" for kind in dict.fromkeys(kinds)]
    return templates.page("docs/index", "index", "Search", names=named, counts=counts)


def pages(
    views: Sequence[ViewDoc], places: Mapping[str, str], templates: Templates
) -> Iterator[Page]:
    """Yield the pages of raw tables, rules and columns."""
    yield templates.page(
        "docs/tables", "tables", "Raw tables", tables=[*_tables(places)], rules=[*_rules(places)]
    )
    for table in describe_tables():
        yield _table_page(table, places, templates)
    for rule in describe_rules():
        yield _rule_page(rule, places, templates)
    columns = _columns(views)
    yield templates.page("docs/columns", "columns", "Columns", columns=columns, places=places)


def _table_page(table: RawTable, places: Mapping[str, str], templates: Templates) -> Page:
    name = f"raw.{table.name}"
    read_by = readers_of_all().get(name, ())
    columns = []
    for column in table.columns:
        note = ", key" if column.is_key else ", may be NULL" if column.nullable else ""
        columns.append(ColumnDoc(column.name, column.type + note, column.description))
    return templates.page(
        "docs/table",
        places[name],
        name,
        table=table,
        columns=columns,
        read_by=read_by,
        drawing=lineage_drawing(name, (), read_by),
        places=places,
    )


def _rule_page(rule: RuleDoc, places: Mapping[str, str], templates: Templates) -> Page:
    read_by = readers_of_all().get(rule.name, ())
    return templates.page(
        "docs/rule",
        places[rule.name],
        rule.name,
        rule=rule,
        read_by=read_by,
        drawing=lineage_drawing(rule.name, rule.reads, read_by),
        places=places,
    )


def _columns(views: Sequence[ViewDoc]) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """Return each name of a column with its meanings, and who holds it in that meaning.

    Staging views are left out: they have the columns of raw tables.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for view in views:
        if view.schema != "staging":
            for column in view.columns:
                of_name = found.setdefault(column.name, {})
                of_name.setdefault(column.description, []).append(view.name)
    for table in describe_tables():
        for raw in table.columns:
            meaning = " ".join(raw.description.split())
            found.setdefault(raw.name, {}).setdefault(meaning, []).append(f"raw.{table.name}")
    return [(name, list(found[name].items())) for name in sorted(found)]
