"""A site of static pages: ``assay site``."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from warehouse.errors import AssayError
from warehouse.reports.export import folder_of_today
from warehouse.reports.site.contents import contents_of
from warehouse.reports.site.folder import require_replaceable_site, write_folder
from warehouse.reports.site.page import Page, Templates, in_folder
from warehouse.reports.site.pages import generations, language_models, overview, views
from warehouse.reports.site.pages.problems import ProblemPages
from warehouse.reports.specs import SiteSpec
from warehouse.snapshot.query import Reader, opened
from warehouse.store.provenance import code_version, git_state

NEEDED = ("leaderboard", "headline_setting", "generation_verdicts", "problem_difficulty")
MENU = (("index", "Leaderboards"), ("views", "Views"), ("runs", "Runs"))


@dataclass(frozen=True)
class SiteReport:
    """What was written; ``path`` is the folder, or the single file."""

    path: str
    n_pages: int
    n_bytes: int
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def site(spec: SiteSpec) -> SiteReport:
    """Write the pages of the snapshot or the warehouse.

    Raises BadInput where something else would be replaced, AssayError where views are missing.
    """
    started = monotonic()
    out = (spec.out or folder_of_today() / "site").resolve()
    require_replaceable_site(out)
    with opened(warehouse=spec.warehouse) as reader:
        _require_views(reader)
        facts = _facts(reader)
        templates = Templates(in_folder, facts | {"menu": MENU})
        n_pages, n_bytes = write_folder(out, _pages(reader, templates), templates, facts)
    return SiteReport(str(out), n_pages, n_bytes, round(monotonic() - started, 1))


def _require_views(reader: Reader) -> None:
    there = {name for schema, name, _ in reader.tables() if schema == "main"}
    for name in NEEDED:
        if name not in there:
            then = " and `assay publish`" if reader.snapshot else ""
            raise AssayError(f"there is no {name} yet: run `assay build`{then}")


def _pages(reader: Reader, templates: Templates) -> Iterator[Page]:
    with_texts = reader.snapshot is None or bool(reader.snapshot.manifest["with_texts"])
    contents = contents_of(reader, with_texts=with_texts)
    boards = overview.boards(reader, contents)
    problems = ProblemPages(reader, contents, templates)
    yield from overview.pages(contents, [table for _, table in boards], templates)
    yield from problems.of_datasets(boards)
    yield from language_models.pages(reader, contents, templates)
    yield from problems.pages()
    yield from views.pages(reader, contents, templates)
    yield from generations.pages(reader, contents, templates)


def _facts(reader: Reader) -> dict[str, Any]:
    """Return what each page says of its source and of the code that wrote it."""
    snapshot = reader.snapshot
    commit, dirty = git_state()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {
        "source": f"snapshot {snapshot.snapshot_id}" if snapshot else "the warehouse",
        "created_at": now,
        "code_version": code_version(),
        "git_commit": commit,
        "git_dirty": dirty,
    }
