"""Which subjects a figure shows, and what the views hold of them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from models.keys import text_key
from models.words import CONFIDENCES, CONFIDENCES_OF_PAPER, NOTIONS
from warehouse.errors import BadInput, known_names
from warehouse.reports.display import text
from warehouse.reports.papers.calibration import DATASETS
from warehouse.reports.papers.sheet import versioned
from warehouse.reports.plots.spec import NothingToDraw, PlotSpec
from warehouse.reports.query import query
from warehouse.snapshot.query import Reader

LONGEST_WORD = 60
# A measure looks the same in every figure: the paper's come first.
LOOKS = (*CONFIDENCES_OF_PAPER, *(name for name in CONFIDENCES if name not in CONFIDENCES_OF_PAPER))


@dataclass(frozen=True)
class Entry:
    """One language model on one dataset under one setting, judged by one notion."""

    lm_id: str
    lm: str
    revision: str
    simulated: bool
    dataset: str
    release_id: str
    setting_id: str
    setting: str
    notion: str

    @property
    def title(self) -> str:
        """Return the figure's subject in words."""
        who = f"{self.lm}, simulated" if self.simulated else self.lm
        return text(f"{who} on {self.dataset}, {NOTIONS.get(self.notion, self.notion)}")

    @property
    def named(self) -> dict[str, str]:
        """Return what the name of its figure says, by option."""
        return {"lm": self.lm, "dataset": self.dataset, "notion": self.notion}


def entries(reader: Reader, wanted: PlotSpec) -> list[Entry]:
    """Return what there is of what was asked for, real language models first.

    Raises NothingToDraw, naming what there is, when nothing fits.
    """
    view = versioned(reader, "calibration_raw", wanted.drawn_version)
    versioned(reader, "headline_setting", 1)
    for measure in wanted.measures:
        if measure not in CONFIDENCES:
            raise BadInput(f"unknown measure {text(measure)!r}{known_names(measure, CONFIDENCES)}")
    asked = query("plots/calibration/entries", view=view, wanted=wanted, datasets=DATASETS)
    rows = reader.one(asked).rows
    if not rows and wanted.setting_id is not None:
        check_setting(reader, view, wanted.setting_id)
    if not rows:
        there = available(reader, query("plots/calibration/there", view=view), "{} on {}")
        raise NothingToDraw(
            f"no calibration result in {view} fits these options; available: {there}"
        )
    return [Entry(*row) for row in rows]


def available(reader: Reader, rows: str, form: str) -> str:
    """Return the first rows of a query in words: what a view has, where nothing of it fits."""
    known = reader.one(rows, max_rows=8)
    there = "; ".join(form.format(*(text(str(value)) for value in row)) for row in known.rows)
    return (there or "none") + (", ..." if known.truncated else "")


def check_setting(reader: Reader, view: str, setting_id: str) -> None:
    """Raise BadInput, listing what there is, for a setting that a view does not have."""
    known = reader.one(query("plots/select/settings", view=view)).rows
    ids = [found for found, _ in known]
    if setting_id not in ids:
        there = [f"{found} ({text(label)})" for found, label in known[:8]]
        there += [f"and {len(known) - 8} more"] if len(known) > 8 else []
        raise BadInput(
            f"no setting {text(setting_id)!r} in {view}{known_names(setting_id, ids, there)}"
        )


def rows_of(reader: Reader, sql: str) -> list[dict[str, Any]]:
    """Run a query and return its rows by column."""
    result = reader.one(sql)
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]


def measures_asked(wanted: PlotSpec) -> Sequence[str]:
    """Return the measures asked for; all but unskilled when none were.

    Of unskilled every number is known by definition: one bar, half for every threshold.
    """
    return wanted.measures or [name for name in CONFIDENCES if name != "unskilled"]


def lms_of(rows: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Return the names of the language models in some rows by key, in their order."""
    return {row["lm_id"]: f"{row['lm']} {row['revision']}".strip() for row in rows}


@dataclass(frozen=True)
class Figure:
    """One figure: the stem of its file, the query, and what draws the rows.

    ``names``: of which options the stem has a value, and which, such as a language model.
    ``of_one_measure``: it has the measure that is drawn.
    """

    stem: str
    query: str
    draw: Callable[[Sequence[dict[str, Any]]], Any]
    names: Mapping[str, str] = field(default_factory=dict)
    of_one_measure: bool = False


class Plot(Protocol):
    """What a kind of plot draws of a selection."""

    def __call__(self, reader: Reader, wanted: PlotSpec) -> Iterator[Figure]:
        """Yield the figures."""
        ...


def named_entries(reader: Reader, wanted: PlotSpec) -> Iterator[tuple[Entry, str]]:
    """Yield entries with names for their files; the key is added where a name is taken."""
    seen: set[str] = set()
    for entry in entries(reader, wanted):
        words = (entry.lm, entry.dataset, *(() if entry.notion == "all_pass" else (entry.notion,)))
        stem = file_stem(*words)
        if stem.lower() in seen:
            stem += f"_{entry.lm_id[:8]}"
        seen.add(stem.lower())
        yield entry, stem


def file_stem(*words: str) -> str:
    """Return words as a file name; one that cannot stay as it is ends with a key of the whole."""
    return "_".join(_file_word(word) for word in words if word)


def plain_name(words: str) -> str:
    """Return words with an underscore for all that not every file system takes."""
    return re.sub(r"[^A-Za-z0-9.-]+", "_", words).strip("_.")


def _file_word(word: str) -> str:
    plain = plain_name(word)
    if plain == word and len(word) <= LONGEST_WORD:
        return word
    return f"{plain[:LONGEST_WORD]}_{text_key(word)[:8]}".lstrip("_")
