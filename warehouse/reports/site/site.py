"""A site of static pages: ``assay site``."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

from warehouse.errors import AssayError, BadInput
from warehouse.reports.export import folder_made, folder_of_today
from warehouse.reports.query import query
from warehouse.reports.site import sql_engine
from warehouse.reports.site.contents import contents_of
from warehouse.reports.site.folder import require_replaceable_site, write_folder
from warehouse.reports.site.one_file import unfit_site_file, write_file
from warehouse.reports.site.page import Page, Templates, in_file, in_folder
from warehouse.reports.site.pages import (
    figures,
    generations,
    language_models,
    overview,
    provenance,
    views,
)
from warehouse.reports.site.pages.comparisons import ComparisonPages
from warehouse.reports.site.pages.problems import ProblemPages
from warehouse.reports.specs import SiteSpec
from warehouse.snapshot.query import Reader, opened
from warehouse.store.provenance import code_version, git_state

NEEDED = ("leaderboard", "headline_setting", "generation_verdicts", "problem_difficulty")
MENU = (
    ("index", "Leaderboards"),
    ("compare", "Compare"),
    ("figures", "Figures"),
    ("views", "Views"),
    ("runs", "Runs"),
)
NOTE = (
    "Percent, with 95 % intervals in brackets. Each number leads to its column: "
    "the view, its version, its formula and its SQL."
)
SQL_MENU = (sql_engine.ADDRESS, "SQL")


@dataclass(frozen=True)
class SiteReport:
    """What was written; ``path`` is the folder, or the single file.

    ``sql`` says whether it has the page for queries.
    """

    path: str
    n_pages: int
    n_bytes: int
    seconds: float
    sql: bool | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def site(spec: SiteSpec) -> SiteReport:
    """Write the pages of the snapshot or the warehouse.

    Raises BadInput where something else would be replaced, AssayError where views are missing.
    """
    started = monotonic()
    with folder_made(spec.out), opened(warehouse=spec.warehouse) as reader:
        out = _place(spec)
        _require_views(reader)
        snapshot = reader.snapshot
        facts = facts_of(f"snapshot {snapshot.snapshot_id}" if snapshot else "the warehouse")
        sql = _sql_parts(spec, reader)
        menu = (*MENU, SQL_MENU) if sql else MENU
        shared = facts | {"menu": menu, "note": NOTE}
        templates = Templates(in_file if spec.single_file else in_folder, shared)
        pages = _pages(reader, templates, with_sql=bool(sql))
        if spec.single_file:
            n_pages, n_bytes = write_file(out, pages, templates, sql)
        else:
            n_pages, n_bytes = write_folder(out, pages, templates, facts, sql)
    return SiteReport(str(out), n_pages, n_bytes, round(monotonic() - started, 1), bool(sql))


def _place(spec: SiteSpec) -> Path:
    """Return where the site goes; raises BadInput where something else is there."""
    out = (spec.out or folder_of_today() / ("site.html" if spec.single_file else "site")).resolve()
    if not spec.single_file:
        require_replaceable_site(out)
    elif reason := unfit_site_file(out):
        raise BadInput(f"{reason}; name a file with --out", path=out)
    return out


def _sql_parts(spec: SiteSpec, reader: Reader) -> dict[str, str]:
    """Return what the SQL page needs, nothing where there is to be none."""
    if spec.sql and not sql_engine.is_kept():
        raise AssayError("the SQL page has no engine yet: run `assay site --sql`")
    if spec.sql is False or reader.snapshot is None or not sql_engine.is_kept():
        return {}
    return sql_engine.sql_parts(reader.snapshot)


def _require_views(reader: Reader) -> None:
    there = {name for schema, name, _ in reader.tables() if schema == "main"}
    for name in NEEDED:
        if name not in there:
            then = " and `assay publish`" if reader.snapshot else ""
            raise AssayError(f"there is no {name} yet: run `assay build`{then}")


def _pages(reader: Reader, templates: Templates, *, with_sql: bool) -> Iterator[Page]:
    with_texts = reader.snapshot is None or bool(reader.snapshot.manifest["with_texts"])
    contents = contents_of(reader, with_texts=with_texts)
    boards = overview.boards(reader, contents)
    problems = ProblemPages(reader, contents, templates)
    yield from overview.pages(contents, [table for _, table in boards], templates)
    yield from provenance.pages(reader, contents, templates)
    yield from problems.of_datasets(boards)
    yield from language_models.pages(reader, contents, templates)
    yield from problems.pages()
    yield from ComparisonPages(reader, contents, templates).pages()
    yield figures.page(reader, templates)
    yield from views.pages(reader, contents, templates)
    if with_sql:
        example, version = query("site/example"), sql_engine.DUCKDB
        yield templates.page(
            "overview/sql", sql_engine.ADDRESS, "SQL", example=example, version=version
        )
    yield from generations.pages(reader, contents, templates)


def facts_of(source: str) -> dict[str, Any]:
    """Return what each page says of its source and of the code that wrote it."""
    commit, dirty = git_state()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {
        "source": source,
        "created_at": now,
        "code_version": code_version(),
        "git_commit": commit,
        "git_dirty": dirty,
    }
