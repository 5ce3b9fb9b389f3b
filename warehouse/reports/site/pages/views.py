"""A page for each view: what its numbers mean, its first rows, its columns and its SQL."""

from collections.abc import Iterator

from warehouse.reports.citations.bibliography import bibliography
from warehouse.reports.query import query
from warehouse.reports.site.contents import Contents
from warehouse.reports.site.page import Page, Templates
from warehouse.reports.site.pages.overview import targets
from warehouse.reports.site.tables import SiteTable, table_of
from warehouse.snapshot.query import QueryResult, Reader
from warehouse.views.describe import MethodDoc, ViewDoc, describe_views
from warehouse.views.lineage import lineage, sources_of, sql_files

MOST_ROWS = 100


def pages(reader: Reader, contents: Contents, templates: Templates) -> Iterator[Page]:
    """Yield the list of views, and a page for each that is there."""
    there = {name for schema, name, _ in reader.tables() if schema == "main"}
    views = [view for view in describe_views() if view.schema == "main" and view.name in there]
    yield templates.page("views", "views", "Views", views=views)
    shown = {view.name for view in views}
    for view in views:
        has_sql = view.name in sql_files()
        steps = lineage(view.name) if has_sql else []
        yield templates.page(
            "view",
            f"view/{view.name}",
            view.name,
            view=view,
            references=_references(view.method),
            table=_table(reader, contents, view),
            sql=sql_files()[view.name].read_text(encoding="utf-8") if has_sql else "",
            steps=steps,
            sources=sources_of(steps),
            shown_views=shown,
        )


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
