"""Sizes and colours of every figure; a saved figure repeats byte for byte."""

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

# Inches: one column of a two-column page, and both.
NARROW = 3.35
WIDE = 7.0

# Okabe and Ito's colours: readers of any colour vision distinguish them.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7A5C00", "#56B4E9", "#000000")
DASHES: tuple[Any, ...] = (
    *("solid", (0, (5, 1.5)), (0, (1, 1)), (0, (6, 1.5, 1, 1.5))),
    *((0, (3, 1, 1, 1, 1, 1)), (0, (8, 3)), (0, (1, 3))),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h", "p", "*")
GREY = "#666666"
BAR = "#C9DCEE"
INK = "#1F3A56"
LINE = "#B5460F"

STYLE: dict[Any, Any] = {
    "axes.edgecolor": GREY,
    "axes.labelsize": 7,
    "axes.linewidth": 0.6,
    "axes.titlesize": 7.5,
    "figure.dpi": 300,  # as saved: the layout is measured in these dots
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "hatch.linewidth": 0.5,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "lines.linewidth": 1.2,
    "pdf.fonttype": 42,
    "savefig.dpi": 300,
    "svg.fonttype": "none",
    "svg.hashsalt": "assay",
    "text.parse_math": False,  # a dollar in a name is a dollar
    "xtick.labelsize": 6,
    "xtick.major.size": 2,
    "xtick.major.width": 0.6,
    "ytick.labelsize": 6,
    "ytick.major.size": 2,
    "ytick.major.width": 0.6,
}

# Without these a file names the moment it was made.
UNDATED: dict[str, dict[str, None]] = {
    "pdf": {"CreationDate": None},
    "svg": {"Date": None},
    "png": {"Software": None},
}


def mark_of(place: int) -> tuple[str, Any, str]:
    """Return colour, dash and marker number ``place``; no two of the first 42 are alike."""
    turn = place // len(COLOURS)
    return (
        COLOURS[place % len(COLOURS)],
        DASHES[(place + turn) % len(DASHES)],
        MARKERS[place % len(MARKERS)],
    )


def blank(width: float, height: float) -> Any:
    """Return an empty figure that no window knows of."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def dot(axis: Any, x: Any, y: Any, **look: Any) -> None:
    """Draw one point with a white edge, so that points which overlap can be seen apart."""
    edge = {"markeredgecolor": "white", "markeredgewidth": 0.4}
    axis.plot(x, y, linestyle="none", zorder=3, **edge, **look)


def estimate(axis: Any, row: dict[str, Any], name: str, y: float, **look: Any) -> None:
    """Draw a fraction as percent with its interval, if it has one, at the height y."""
    if row[name] is None:
        return
    if row[f"{name}_lo"] is not None:
        ends = [100 * row[f"{name}_lo"], 100 * row[f"{name}_hi"]]
        bar = {"color": look["color"], "linewidth": 1, "solid_capstyle": "butt"}
        axis.plot(ends, [y, y], zorder=2, **bar)
    dot(axis, 100 * row[name], y, **look)


@contextmanager
def quiet() -> Iterator[set[str]]:
    """Keep back what matplotlib remarks; give the characters that its font did not have."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    lacking: set[str] = set()
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        yield lacking
    found = (re.match(r"Glyph (\d+) ", str(remark.message)) for remark in remarks)
    lacking.update(chr(int(match[1])) for match in found if match)


def styled() -> Any:
    """Return the context in which figures are drawn and saved: the style, whatever is set."""
    import matplotlib

    style: dict[Any, Any] = dict(matplotlib.rcParamsDefault)
    del style["backend"]
    return matplotlib.rc_context(style | STYLE)


def settle(figure: Any) -> None:
    """Lay a figure out for good: each drawing moves its parts a little, whatever the format."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def save(figure: Any, path: Path | IO[bytes], format: str) -> None:
    """Write a figure to a file; the same figure gives the same bytes."""
    figure.savefig(path, format=format, metadata=UNDATED[format])
