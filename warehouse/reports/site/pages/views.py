"""A page for each view: what its numbers mean, its rows, its columns, its lineage and its SQL."""

import re
from collections.abc import Iterator, Mapping, Sequence

from warehouse.reports.citations.bibliography import bibliography
from warehouse.reports.query import query
from warehouse.reports.site.contents import Contents
from warehouse.reports.site.graph import lineage_drawing
from warehouse.reports.site.page import Page, Templates
from warehouse.reports.site.pages.overview import targets
from warehouse.reports.site.tables import SiteTable, table_of
from warehouse.snapshot.query import QueryResult, Reader
from warehouse.views.describe import MethodDoc, ViewDoc, describe_views
from warehouse.views.lineage import (
    lineage,
    readers_of_all,
    reads_of_all,
    sources_of,
    sql_files,
)

MOST_ROWS = 100


def pages(reader: Reader, contents: Contents, templates: Templates) -> Iterator[Page]:
    """Yield the list of views, and a page for each that is there, with its first rows."""
    there = {name for schema, name, _ in reader.tables() if schema == "main"}
    views = [view for view in describe_views() if view.schema == "main" and view.name in there]
    yield list_page([("For readers", views)], templates)
    places = {view.name: f"view/{view.name}" for view in views}
    for view in views:
        yield view_page(view, places, templates, _table(reader, contents, view))


def list_page(rooms: Sequence[tuple[str, Sequence[ViewDoc]]], templates: Templates) -> Page:
    """Return the list of views, room by room."""
    return templates.page("views", "views", "Views", rooms=rooms)


def view_page(
    view: ViewDoc, places: Mapping[str, str], templates: Templates, table: SiteTable | None = None
) -> Page:
    """Return the page of a view; ``places`` are the addresses of what has a page, by name."""
    has_sql = view.name in sql_files()
    steps = lineage(view.name) if has_sql else []
    reads = reads_of_all().get(view.name, ())
    read_by = readers_of_all().get(view.name, ())
    return templates.page(
        "view",
        f"view/{view.name}",
        view.name,
        view=view,
        versions=[name for name in sql_files() if _unversioned(name) == _unversioned(view.name)],
        references=_references(view.method),
        table=table,
        sql=sql_files()[view.name].read_text(encoding="utf-8") if has_sql else "",
        steps=steps,
        sources=sources_of(steps),
        reads=reads,
        read_by=read_by,
        drawing=lineage_drawing(view.name, reads, read_by),
        places=places,
    )


def _unversioned(name: str) -> str:
    return re.sub(r"_v\d+$", "", name)


def _references(method: MethodDoc | None) -> list[str]:
    if method is None:
        return []
    return [
        ", ".join(filter(None, [bibliography()[each.key].label, each.place]))
        for each in method.references
    ]


def _table(reader: Reader, contents: Contents, view: ViewDoc) -> SiteTable:
    there = reader.one(query("export/whole", name=[view.name]), max_rows=0).columns
    order = [column for column in view.key if column in there] or there
    sql = query("export/ordered", name=[view.name], order=order)
    found = reader.one(sql, max_rows=MOST_ROWS)
    more = f"Only the first {MOST_ROWS} rows are shown." if found.truncated else ""
    rows = QueryResult(found.columns, found.types, found.rows)
    where = targets(contents)
    return table_of(f"Rows of {view.name}", view.name, rows, sql, targets=where, more=more)
