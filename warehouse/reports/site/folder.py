"""A site as a folder: written beside its place, and renamed into it when all is on disk."""

import json
import os
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from warehouse.errors import AssayError, BadInput
from warehouse.kinds import unfit_folder
from warehouse.reports.site import sql_engine
from warehouse.reports.site.page import FOLDER, Page, Templates

MARK = "site.json"
"""A folder with this file is a site, and may be replaced by the next."""
STATIC = ("site.css", "site.js")
BESIDE = "'self' file:"
"""A page loads nothing but what lies beside it."""


def require_replaceable_site(out: Path) -> None:
    """Raise BadInput where something else than a site would be replaced."""
    if reason := unfit_folder(out):
        raise BadInput(f"{reason}; a site goes to a folder", path=out)
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise BadInput("is a folder with other files: name another folder", path=out)


def write_folder(
    out: Path,
    pages: Iterable[Page],
    templates: Templates,
    facts: dict[str, Any],
    sql_parts: dict[str, str],
) -> tuple[int, int]:
    """Write each page as a file; return how many there are, and all bytes.

    The parts of the SQL page are scripts beside it, which it loads when it is opened. What was at
    ``out`` stays until the new site is whole.
    """
    work = out.with_name(f".{out.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        n_pages, n_bytes = _write(work, pages, templates, facts)
        n_bytes += _write_sql(work, sql_parts)
        _swap(work, out)
    except OSError as error:
        raise AssayError(f"{out}: cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return n_pages, n_bytes


def _write(
    work: Path, pages: Iterable[Page], templates: Templates, facts: dict[str, Any]
) -> tuple[int, int]:
    work.mkdir(parents=True)
    n_pages = n_bytes = 0
    folders: set[Path] = set()
    for page in pages:
        path = work / f"{page.address}.html"
        if path.parent not in folders:
            path.parent.mkdir(exist_ok=True)
            folders.add(path.parent)
        runs_sql = page.address == sql_engine.ADDRESS
        allowed = sql_engine.policy(
            scripts=BESIDE, styles=BESIDE, images=f"{BESIDE} data:", runs_sql=runs_sql
        )
        written = templates.document(page, policy=allowed, runs_sql=runs_sql).encode("utf-8")
        with path.open("xb") as file:  # two pages of one address are a fault
            file.write(written)
        n_pages += 1
        n_bytes += len(written)
    for name in STATIC:
        (work / name).write_bytes(FOLDER.joinpath("static", name).read_bytes())
    (work / MARK).write_text(json.dumps(facts | {"pages": n_pages}, indent=2) + "\n", "utf-8")
    return n_pages, n_bytes


def _write_sql(work: Path, parts: dict[str, str]) -> int:
    """Write each part as a script, for a page from disk may load nothing else."""
    if not parts:
        return 0
    script = FOLDER.joinpath("static", "sql.js").read_bytes()
    (work / "sql.js").write_bytes(script)
    n_bytes = len(script)
    folder = work / sql_engine.ADDRESS
    folder.mkdir()
    for name, letters in parts.items():
        text = f'(self.sqlParts ??= {{}}).{name} = "{letters}";\n'
        n_bytes += (folder / f"{name}.js").write_text(text, encoding="ascii")
    return n_bytes


def _swap(work: Path, out: Path) -> None:
    if out.is_dir():
        old = work.with_name(f"{work.name}.old")
        out.rename(old)
        try:
            work.rename(out)
        except OSError:
            old.rename(out)
            raise
        shutil.rmtree(old)
    else:
        work.rename(out)
