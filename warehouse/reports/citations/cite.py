"""BibTeX of what an export, a view or a dataset rests on, or of Assay itself."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from warehouse.checksums import file_sha256
from warehouse.errors import AssayError, BadInput, known_names
from warehouse.reports.citations.bibliography import DATASETS, bibliography
from warehouse.reports.display import text
from warehouse.reports.export import sidecar
from warehouse.reports.specs import CiteSpec
from warehouse.views.describe import ViewDoc, describe_views

OURS = "CITATION.cff"
PARTS_OF_ASSAY = ("starter",)


@dataclass(frozen=True)
class Citations:
    """The keys that are cited, in order, what they are cited for, and what to know of them."""

    reasons: dict[str, list[str]]
    notes: list[str]

    def bibtex(self) -> str:
        """Return one entry per work; a comment says what it is cited for."""
        works = bibliography()
        blocks = [
            f"% {', '.join(self.reasons[key])}\n{works[key].text}" for key in sorted(self.reasons)
        ]
        notes = [f"% {line}" for line in self.notes]
        return "\n\n".join([own_bibtex(), *blocks, *(["\n".join(notes)] if notes else [])])

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        works = bibliography()
        return {
            "assay": own_citation(),
            "works": [
                {"key": key, "kind": works[key].kind, **works[key].fields, "cited_for": reasons}
                for key, reasons in sorted(self.reasons.items())
            ],
            "notes": self.notes,
        }


def cite(spec: CiteSpec) -> Citations:
    """Return the works behind an export, views and datasets; without any of them, none.

    Raises BadInput for a view or dataset that is unknown, and a record that cannot be read.
    """
    views, datasets = list(spec.view), list(spec.dataset)
    marts = _marts()
    for view in views:
        if view not in marts:
            raise BadInput(f"no mart named {text(view)!r}{known_names(view, marts)}")
    for dataset in datasets:
        if dataset not in (*DATASETS, *PARTS_OF_ASSAY):
            known = known_names(dataset, [*DATASETS, *PARTS_OF_ASSAY])
            raise BadInput(f"no dataset named {text(dataset)!r} has a citation here{known}")
    notes = []
    if spec.export is not None:
        record = _record(spec.export)
        views += [name for name in record["reads"] if name in marts]
        datasets += record["datasets"]
        if spec.export.is_file() and file_sha256(spec.export) != record["sha256"]:
            name = text(spec.export.name)
            changed = "has changed since it was exported: these works are behind what was exported"
            notes.append(f"{name} {changed}")
    views, datasets = list(dict.fromkeys(views)), list(dict.fromkeys(datasets))
    notes += [
        f"no work is known for the dataset {text(dataset)}: cite its source"
        for dataset in datasets
        if dataset not in (*DATASETS, *PARTS_OF_ASSAY)
    ]
    return Citations(_reasons([marts[view] for view in views], datasets), notes)


def _marts() -> dict[str, ViewDoc]:
    views = [view for view in describe_views() if view.method is not None]
    return {name: view for view in views for name in (view.plain_name, view.name) if name}


def _record(export: Path) -> dict[str, Any]:
    """Return what the record beside an export says of views and datasets."""
    if export.is_dir():
        raise BadInput("is a folder: name one file that was exported", path=export)
    path = sidecar(export)
    if not path.is_file():  # a pipe or a device would never end
        raise BadInput(f"there is no {path.name} beside it: name views and datasets", path=export)
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        lists = [record["reads"], record["datasets"]]
        if any(not isinstance(each, list) for each in lists):
            raise TypeError("no list")
        if any(not isinstance(name, str) for each in (*lists, [record["sha256"]]) for name in each):
            raise TypeError("a name or the checksum is no text")
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(
            "not the record of an export that names views and datasets", path=path
        ) from error
    return record


def _reasons(views: Sequence[ViewDoc], datasets: Sequence[str]) -> dict[str, list[str]]:
    """Return the works to cite by key, each with what asks for it."""
    reasons: dict[str, list[str]] = {}
    for view in views:
        for reference in view.method.references if view.method else ():
            at = f"{view.name} ({reference.place})" if reference.place else view.name
            reasons.setdefault(reference.key, []).append(at)
    for dataset in datasets:
        for key in DATASETS.get(dataset, ()):
            reasons.setdefault(key, []).append(dataset)
    return reasons


@cache
def own_citation() -> dict[str, Any]:
    """Return the citation of Assay itself: CITATION.cff, in a checkout or inside the package."""
    import yaml  # type: ignore[import-untyped]

    package = Path(__file__).resolve().parents[2]
    for folder in (package, package.parent):
        if (folder / OURS).is_file():
            read: dict[str, Any] = yaml.safe_load((folder / OURS).read_text(encoding="utf-8"))
            return read
    raise AssayError(f"{OURS} is missing: looked beside and inside {package}")


def own_bibtex() -> str:
    """Return the citation of Assay itself as BibTeX."""
    return "\n".join(_own_lines(own_citation()))


def _own_lines(own: dict[str, Any]) -> Iterator[str]:
    yield "@software{assay,"
    yield f"  author = {{{' and '.join('{' + author['name'] + '}' for author in own['authors'])}}},"
    yield f"  title = {{{own['title']}}},"
    yield f"  version = {{{own['version']}}},"
    yield f"  license = {{{own['license']}}},"
    yield "}"
