"""A site of what Assay keeps and computes: ``assay docs``. It needs no warehouse."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from warehouse.reports.site.folder import require_replaceable_site, write_folder
from warehouse.reports.site.page import Page, Templates, in_folder
from warehouse.reports.site.pages import dictionary, guides
from warehouse.reports.site.pages.guides import CommandDoc, FormatGroup
from warehouse.reports.site.pages.views import list_page, view_page
from warehouse.reports.site.site import SiteReport, facts_of
from warehouse.views.describe import describe_views

MENU = (
    ("index", "Search"),
    ("views", "Views"),
    ("tables", "Raw tables"),
    ("columns", "Columns"),
    ("commands", "Commands"),
    ("formats", "Formats"),
)
NOTE = "Views of your own are among the others where the home is a project that has some."
ROOMS = {"main": "For readers", "intermediate": "What they are made of", "staging": "Staging"}


def docs(out: Path, commands: list[CommandDoc], groups: list[FormatGroup]) -> SiteReport:
    """Write the pages of views, raw tables, columns, commands and formats to a folder.

    Raises BadInput where something else would be replaced.
    """
    started = monotonic()
    out = out.resolve()
    require_replaceable_site(out)
    facts = facts_of("the views of the package")
    templates = Templates(in_folder, facts | {"menu": MENU, "note": NOTE})
    pages = _pages(commands, groups, templates)
    n_pages, n_bytes = write_folder(out, pages, templates, facts, {})
    return SiteReport(str(out), n_pages, n_bytes, round(monotonic() - started, 1))


def _pages(
    commands: list[CommandDoc], groups: list[FormatGroup], templates: Templates
) -> Iterator[Page]:
    views = describe_views()
    places = dictionary.places_of(views)
    named = [*dictionary.named_things(views, places), *guides.named_guides(commands, groups)]
    yield dictionary.search_page(named, templates)
    rooms = [
        (heading, [view for view in views if view.schema == schema])
        for schema, heading in ROOMS.items()
    ]
    yield list_page(rooms, templates)
    for view in views:
        yield view_page(view, places, templates)
    yield from dictionary.pages(views, places, templates)
    yield from guides.pages(commands, groups, templates)
