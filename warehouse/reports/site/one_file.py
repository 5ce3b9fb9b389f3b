"""A site as one HTML file that opens from disk: its pages are inside, compressed in parts.

The file shows the first page. At a link such as ``#/problem/4f2a`` the script looks up the part
that holds the page, unpacks it, and shows it. Its HTML was made and escaped when the file was
written. Part 0 says which part holds which page. The policy of the document lets that one script
run, which is named by its hash. What the script makes of the parts of the SQL page may run too.
Nothing may be loaded.
"""

import gzip
import hashlib
import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path

from markupsafe import Markup

from warehouse.errors import AssayError
from warehouse.kinds import unfit_file
from warehouse.reports.export import replacing
from warehouse.reports.site import sql_engine
from warehouse.reports.site.page import FOLDER, Page, Templates, in_letters

PART_CHARACTERS = 400_000
MOST_BYTES = 50_000_000


def write_file(
    out: Path, pages: Iterable[Page], templates: Templates, sql_parts: dict[str, str]
) -> tuple[int, int]:
    """Write all pages as one file; return how many there are, and its bytes.

    Raises AssayError where it would be too large to be opened at once.
    """
    first: Page | None = None
    places: dict[str, int] = {}
    parts: list[str] = []
    n_bytes = sum(map(len, sql_parts.values()))
    for part in _parts(pages):
        first = first or part[0]
        parts.append(_packed({page.address: [page.title, page.body] for page in part}))
        places |= {page.address: len(parts) for page in part}
        n_bytes += len(parts[-1])
        if n_bytes > MOST_BYTES:
            raise AssayError(
                f"{out}: the file would have over {MOST_BYTES // 1_000_000} MB: "
                "leave out --single-file, and the site is a folder"
            )
    if first is None:
        raise ValueError("a site has a first page")
    style, script = _static("site.css"), _static("site.js")
    if sql_parts:
        script = _static("sql.js") + script
    document = templates.document(
        first,
        policy=sql_engine.policy(
            scripts=_hash(script), styles=_hash(style), images="data:", runs_sql=bool(sql_parts)
        ),
        style=Markup(style),
        script=Markup(script),
        parts=[Markup(part) for part in (_packed(places), *parts)],
        sql_parts={name: Markup(part) for name, part in sql_parts.items()},
    )
    written = document.encode("utf-8")
    with replacing(out) as temporary:
        temporary.write_bytes(written)
    return len(places), len(written)


def unfit_site_file(out: Path) -> str:
    """Say why no single file can be written to a path."""
    if reason := unfit_file(out):
        return reason
    return "" if out.parent.is_dir() else f"there is no folder {out.parent}"


def _parts(pages: Iterable[Page]) -> Iterator[list[Page]]:
    part: list[Page] = []
    n_characters = 0
    for page in pages:
        part.append(page)
        n_characters += len(page.body)
        if n_characters >= PART_CHARACTERS:
            yield part
            part, n_characters = [], 0
    if part:
        yield part


def _packed(value: object) -> str:
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return in_letters(gzip.compress(plain, mtime=0))


def _static(name: str) -> str:
    return FOLDER.joinpath("static", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{b64encode(digest).decode('ascii')}'"
