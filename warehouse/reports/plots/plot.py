"""Figures of the views, each with a record of where its numbers came from: ``assay plot``."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from warehouse import settings
from warehouse.errors import BadInput
from warehouse.kinds import unfit_folder
from warehouse.reports.export import ExportReport, record, replacing, require_replaceable
from warehouse.reports.plots import ame, auc_vs_ece, reliability, roc
from warehouse.reports.plots.canvas import FORMATS, save, settle, styled
from warehouse.reports.plots.select import Entry, Selection, entries, rows_of
from warehouse.snapshot.query import Reader, opened

# File stem, the query, and how its rows are drawn.
Figure = tuple[str, str, Callable[[Sequence[dict[str, Any]]], Any]]


def plot(
    kind: str,
    wanted: Selection,
    *,
    formats: Sequence[str] = FORMATS,
    out: Path | None = None,
    warehouse: bool = False,
) -> list[ExportReport]:
    """Draw what was asked for and write it in each format, with its record beside it.

    Reliability and roc give a figure per language model and dataset; auc-vs-ece one for all,
    and one more for simulated ones; ame one per dataset, real and simulated apart. Without
    ``out`` the files go to a folder of today's date.
    Raises BadInput when the views hold nothing that fits.
    """
    for format in formats:
        if format not in FORMATS:
            raise BadInput(f"unknown format {format!r}: formats are {', '.join(FORMATS)}")
    if out is not None and (reason := unfit_folder(out)):
        raise BadInput(f"{reason}; figures go to a folder", path=out)
    folder = out or settings.export_dir() / f"{datetime.now(UTC):%Y-%m-%d}"
    reports: list[ExportReport] = []
    with opened(warehouse=warehouse) as reader, styled():
        figures = [
            (query, draw, {f: folder / f"{stem}_v{wanted.version}.{f}" for f in formats})
            for stem, query, draw in KINDS[kind](reader, wanted)
        ]
        require_replaceable(*(path for _, _, paths in figures for path in paths.values()))
        for query, draw, paths in figures:
            rows = rows_of(reader, query)
            if not rows:
                continue
            figure = draw(rows)
            settle(figure)
            folder.mkdir(parents=True, exist_ok=True)
            for format, path in paths.items():
                with replacing(path) as temporary:
                    save(figure, temporary, format)
                facts = {
                    "format": format,
                    "rows": len(rows),
                    "figure": kind,
                    "query": query,
                    "reads": reader.named_in(query),
                    "matplotlib": metadata.version("matplotlib"),
                }
                reports.append(record(reader, path, facts))
    if not reports:
        raise BadInput(f"nothing to draw: the views hold no row for a {kind} figure of that")
    return reports


def _reliability(reader: Reader, wanted: Selection) -> Iterator[Figure]:
    for entry, stem in _entries(reader, wanted):
        yield (
            f"reliability_{stem}",
            reliability.query(reader, entry, wanted),
            partial(reliability.draw, entry=entry, wanted=wanted),
        )


def _roc(reader: Reader, wanted: Selection) -> Iterator[Figure]:
    for entry, stem in _entries(reader, wanted):
        yield (
            f"roc_{stem}",
            roc.query(reader, entry, wanted),
            partial(roc.draw, entry=entry),
        )


def _auc_vs_ece(reader: Reader, wanted: Selection) -> Iterator[Figure]:
    entries(reader, wanted)  # says what there is when nothing fits
    for simulated in (False, True):
        yield (
            "auc_vs_ece_simulated" if simulated else "auc_vs_ece",
            auc_vs_ece.query(reader, wanted, simulated=simulated),
            partial(auc_vs_ece.draw, simulated=simulated),
        )


def _ame(reader: Reader, wanted: Selection) -> Iterator[Figure]:
    for panel in ame.panels(reader, wanted):
        yield (
            f"ame_{_stem(panel.dataset)}{'_simulated' * panel.simulated}",
            ame.query(reader, panel, wanted),
            partial(ame.draw, panel=panel, wanted=wanted),
        )


KINDS: dict[str, Callable[[Reader, Selection], Iterator[Figure]]] = {
    "reliability": _reliability,
    "roc": _roc,
    "auc-vs-ece": _auc_vs_ece,
    "ame": _ame,
}


def _entries(reader: Reader, wanted: Selection) -> Iterator[tuple[Entry, str]]:
    """Yield entries with names for their files; the key is added where a name is taken."""
    seen: set[str] = set()
    for entry in entries(reader, wanted):
        words = (entry.lm, entry.dataset, *(() if entry.notion == "all_pass" else (entry.notion,)))
        stem = _stem("_".join(words))
        if stem.lower() in seen:
            stem += f"_{entry.lm_id[:8]}"
        seen.add(stem.lower())
        yield entry, stem


def _stem(words: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "_", words).strip("_.")
