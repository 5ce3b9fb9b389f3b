"""How numbers are printed: labels, percent, intervals beside their estimate, best and second.

Stored values keep their natural range and full precision; all of this is a last step for eyes.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Literal

from warehouse.snapshot.query import QueryResult

Better = Literal["up", "down", "zero"] | None
Mark = Literal["best", "second"]

# Columns by name: label, whether it is a fraction (printed as percent), which way is better.
LOOKS: tuple[tuple[str, str, bool, Better], ...] = (
    (r"pass_at_(\d+|k)", r"pass@\1", True, "up"),
    (r"sim(?:_at_(\d+))?", r"Sim@\1", True, "down"),
    (r"csim(?:_at_(\d+))?", r"CSim@\1", True, "down"),
    (r"dpass(?:_at_(\d+))?", r"DPass@\1", True, "up"),
    (r"dpair(?:_at_(\d+))?", r"DPair@\1", True, "up"),
    (r"parse_rate", r"parses", True, "up"),
    (r"coverage", r"coverage", True, None),
    (r"(timeout|failure|error)_rate", r"\1s", True, "down"),
    (r"(ece_noise_floor|brier_reference|auroc_distance|\w+_seed_sd)", r"\1", False, None),
    (r"ece", r"ECE", False, "down"),
    (r"brier", r"Brier", False, "down"),
    (r"skill_score", r"skill", False, "up"),
    (r"auroc", r"AUROC", False, "up"),
    (r"smooth_ece", r"smooth ECE", False, "down"),
    (r"(log_loss)", r"\1", False, "down"),
    (r"(ece\w*)", r"\1", False, "down"),
    (r"(brier\w*)", r"\1", False, "down"),
    (r"(skill_score\w*)", r"\1", False, "up"),
    (r"(auroc\w*)", r"\1", False, "up"),
    (r"(ame\w*)", r"\1", False, "down"),
    (r"(\w+_rate)", r"\1", True, None),
)

# Rows are ranked only among rows that agree in these columns, if the result has them.
RANKED_WITHIN = (
    *("dataset", "dataset_version", "block", "simulated"),
    *("k", "scope", "similarity", "k_scope"),
    *("notion", "rescaler", "task", "prompt_kind", "temperature"),
)

NULL_SHOWN = "--"

PERCENT_DECIMALS = 1


@dataclass(frozen=True)
class ShownColumn:
    """One printed column; ``low`` and ``high`` are the places of its interval, if it has one.

    With ``decimals`` it is printed to so many, half away from zero, as papers do. A fraction that
    is not printed as percent has two more; ``signed`` adds the plus sign.
    """

    name: str
    label: str
    index: int
    numeric: bool
    fraction: bool = False
    better: Better = None
    low: int | None = None
    high: int | None = None
    decimals: int | None = None
    signed: bool = False

    def heading(self, percent: bool) -> str:
        """Return what is printed above the column, with its unit."""
        return f"{self.label} (%)" if self.fraction and percent else self.label


@dataclass(frozen=True)
class Span:
    """A heading over several columns; empty over those that have none."""

    title: str
    n_columns: int


@dataclass(frozen=True)
class Layout:
    """How Markdown, LaTeX and HTML are laid out; CSV and Parquet hold values as stored.

    Only ``columns`` and ``raw``, which leaves a CSV file unguarded, are for them.
    """

    columns: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    intervals: bool = False
    percent: bool = True
    title: str = ""
    shown: tuple[ShownColumn, ...] = ()
    spans: tuple[Span, ...] = ()
    decimals: int = 2
    raw: bool = False


@dataclass(frozen=True)
class PrintedCell:
    """One cell of a table; a number may have a mark and an interval."""

    text: str
    numeric: bool
    mark: Mark | None = None
    interval: str | None = None


@dataclass(frozen=True)
class Presentation:
    """Which columns of a wide view are printed, and what opens a group of rows."""

    columns: tuple[str, ...]
    groups: tuple[str, ...]
    order: tuple[str, ...]


CALIBRATION = ("brier", "skill_score", "ece", "auroc")

PRESENTATIONS = {
    "leaderboard": Presentation(
        columns=(
            # version 1 counts n_total, version 2 n_used
            *("rank", "tied_groups", "lm", "n_total", "n_used", "coverage", "n_samples"),
            *("pass_at_1", "pass_at_10", "pass_at_100", "csim_at_10", "dpass_at_10"),
            *("rank_common", "tokens_per_solved", "cost_per_solved", "unranked_reason"),
        ),
        groups=("dataset", "simulated", "task", "prompt_kind", "temperature"),
        order=(
            *("dataset", "simulated", "task", "prompt_kind", "temperature"),
            *("rank", "lm", "revision", "setting_id"),
        ),
    ),
    "calibration_raw": Presentation(
        columns=("lm", "measure", "n_used", "base_rate", *CALIBRATION),
        groups=("dataset", "notion", "simulated"),
        order=("dataset", "notion", "simulated", "lm", "revision", "setting_id", "measure"),
    ),
    "calibration_scaled": Presentation(
        columns=("lm", "measure", "rescaler", "n_used", "base_rate", *CALIBRATION),
        groups=("dataset", "notion", "simulated"),
        order=(
            *("dataset", "notion", "simulated", "rescaler"),
            *("lm", "revision", "setting_id", "measure"),
        ),
    ),
}

LABELS = {
    "lm": "language model",
    "n_total": "problems",
    "n_used": "problems",
    "n_samples": "samples",
    "rank": "#",
    "tied_groups": "ties",
    "rank_common": "# common",
    "tokens_per_solved": "tokens per solved",
    "cost_per_solved": "US$ per solved",
    "unranked_reason": "unranked",
}


def presentation(view: str) -> Presentation | None:
    """Return what is printed of a view, plain or versioned; None when all of it is."""
    return PRESENTATIONS.get(re.sub(r"_v\d+$", "", view))


def columns(
    result: QueryResult,
    names: Sequence[str] | None = None,
    *,
    intervals: bool = True,
    decimals: int = PERCENT_DECIMALS,
) -> list[ShownColumn]:
    """Return the printed columns: those named that are there, or all, with their intervals.

    ``x_lo`` and ``x_hi`` go with ``x``: into its cells, or away when ``intervals`` is False. So do
    the ends of a rank band.
    Percentages are printed with so many ``decimals``. Columns that would share a label have their
    names.
    """
    places = {name: index for index, name in enumerate(result.columns)}
    bounds = {end for name in places if _has_interval(name, places) for end in _ends(name)}
    chosen = [name for name in (names or result.columns) if name in places and name not in bounds]
    labels = Counter(LABELS[name] for name in chosen if name in LABELS)
    shown = []
    for name in chosen:
        label, fraction, better = _look(name)
        with_interval = intervals and _has_interval(name, places)
        low, high = _ends(name)
        shown.append(
            ShownColumn(
                name=name,
                label=LABELS[name] if labels[LABELS.get(name, "")] == 1 else label,
                index=places[name],
                numeric=is_numeric(result.types[places[name]]),
                fraction=fraction,
                better=better,
                low=places[low] if with_interval else None,
                high=places[high] if with_interval else None,
                decimals=decimals if fraction else None,
            )
        )
    return shown


def marks(
    result: QueryResult, shown: Sequence[ShownColumn], *, percent: bool = True
) -> dict[tuple[int, int], Mark]:
    """Return which cells are best or second in their column, by (row, position in ``shown``).

    Values that print alike share their place; NULL has none, and a lone value is not a best. Nor is
    a value over too few problems for an interval, where its column has intervals.
    """
    found: dict[tuple[int, int], Mark] = {}
    for rows in _rivals(result):
        for position, column in enumerate(shown):
            if column.better is None:
                continue
            printed = {
                row: _goodness(
                    number(result.rows[row][column.index], column, percent=percent), column
                )
                for row in rows
                if _is_value(result.rows[row][column.index])
                and (column.low is None or _is_value(result.rows[row][column.low]))
            }
            if len(printed) < 2:
                continue
            places = sorted(set(printed.values()), reverse=True)
            for row, value in printed.items():
                if value == places[0]:
                    found[row, position] = "best"
                elif value == places[1]:
                    found[row, position] = "second"
    return found


def printed_rows(
    result: QueryResult, layout: Layout
) -> Iterator[tuple[str | None, list[PrintedCell]]]:
    """Yield each row as printed, with the title of the block that it opens, if it opens one."""
    best = marks(result, layout.shown, percent=layout.percent)
    before = None
    for index, row in enumerate(result.rows):
        title = group_title(result, row, layout.groups) if layout.groups else None
        cells = [
            PrintedCell(
                number(row[column.index], column, percent=layout.percent),
                True,
                best.get((index, position)),
                interval(row, column, percent=layout.percent),
            )
            if column.numeric
            else PrintedCell(text(row[column.index]), False)
            for position, column in enumerate(layout.shown)
        ]
        yield title if title != before else None, cells
        before = title


def number(value: Any, column: ShownColumn, *, percent: bool = True) -> str:
    """Return one number as printed: to its column's decimals, or else up to four digits and, from
    100 on, two decimals.
    """
    if not _is_value(value):
        return NULL_SHOWN
    if column.decimals is not None or column.fraction:
        return _rounded(value, column, percent=percent)
    if isinstance(value, int) or float(value).is_integer():
        return str(int(value))
    if abs(value) >= 100:
        return f"{float(value):.2f}".rstrip("0").rstrip(".")
    return f"{float(value):.4g}"


def interval(row: Sequence[Any], column: ShownColumn, *, percent: bool = True) -> str | None:
    """Return ``[low, high]`` as printed, or None where there is none."""
    if column.low is None or column.high is None or not _is_value(row[column.index]):
        return None
    low, high = row[column.low], row[column.high]
    if not _is_value(low) or not _is_value(high):
        return None
    return f"[{number(low, column, percent=percent)}, {number(high, column, percent=percent)}]"


def text(value: Any) -> str:
    """Return a value that is not a number as one line of text."""
    if value is None:
        return NULL_SHOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join("".join(c if c.isprintable() else " " for c in str(value)).split())


def group_title(result: QueryResult, row: Sequence[Any], groups: Sequence[str]) -> str:
    """Return what opens the block of rows that this row belongs to."""
    parts = []
    for name in groups:
        value = row[result.columns.index(name)] if name in result.columns else None
        if name == "simulated":
            parts += ["simulated language models"] if value else []
        elif name == "temperature":
            parts += [] if value is None else [f"T={value:g}"]
        elif name == "prompt_kind":
            parts += [] if value in (None, "original") else [f"{text(value)} prompt"]
        elif value is not None:
            parts.append(text(value))
    return ", ".join(parts)


def is_numeric(kind: str) -> bool:
    """Return whether a DuckDB type is a number."""
    return (
        re.fullmatch(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|DECIMAL.*", kind) is not None
    )


def _rounded(value: Any, column: ShownColumn, *, percent: bool) -> str:
    """Round what is stored, taken as decimal: half away from zero, and no minus before a zero."""
    in_percent = column.fraction and percent
    exact = Decimal(repr(float(value))) * (100 if in_percent else 1)
    decimals = PERCENT_DECIMALS if column.decimals is None else column.decimals
    unit = Decimal(1).scaleb(-decimals - (2 if column.fraction and not in_percent else 0))
    rounded = exact.quantize(unit, ROUND_HALF_UP) + 0
    return f"{rounded:+}" if column.signed and rounded else str(rounded)


def _goodness(printed: str, column: ShownColumn) -> float:
    value = float(printed)
    return {"up": value, "down": -value, "zero": -abs(value)}[column.better or "up"]


def _look(name: str) -> tuple[str, bool, Better]:
    for pattern, label, fraction, better in LOOKS:
        found = re.fullmatch(pattern, name)
        if found:
            return found.expand(label).rstrip("@"), fraction, better
    return name, False, None


def _has_interval(name: str, places: dict[str, int]) -> bool:
    return all(end in places for end in _ends(name))


def _ends(name: str) -> tuple[str, str]:
    """Return the names of the ends of a column's interval, if it has one."""
    return ("rank_best", "rank_worst") if name == "rank" else (f"{name}_lo", f"{name}_hi")


def _rivals(result: QueryResult) -> list[list[int]]:
    keys = [index for index, name in enumerate(result.columns) if name in RANKED_WITHIN]
    groups: dict[tuple[Any, ...], list[int]] = {}
    for number_of_row, row in enumerate(result.rows):
        groups.setdefault(tuple(row[key] for key in keys), []).append(number_of_row)
    return list(groups.values())


def _is_value(value: Any) -> bool:
    return (
        isinstance(value, int | float | Decimal)
        and not isinstance(value, bool)
        and math.isfinite(value)
    )
