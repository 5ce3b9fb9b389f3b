"""Parameters of ``assay plot``; to list them loads nothing that draws or queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from models.words import NOTIONS
from warehouse.parameters import Choice, Spec
from warehouse.reports.plots import PLOTS
from warehouse.reports.specs import VERSION

PLOT_FORMATS = ("pdf", "svg", "png")


@dataclass(frozen=True)
class PlotSpec(Spec):
    """What is drawn; None stands for all, one setting of each language model and dataset.

    ``other`` is the language model that ``lm`` is set against, in figures of two alone.
    Without ``format`` there are all three, without ``out`` the files go to a folder of today's
    date.
    """

    kind: Annotated[str, Choice(PLOTS)]
    version: Annotated[int, VERSION] = 1
    lm: str | None = None
    other: str | None = None
    dataset: str | None = None
    setting_id: str | None = None
    notion: Annotated[str | None, Choice(NOTIONS)] = None
    measures: Sequence[str] = ()
    format: Annotated[str | None, Choice(PLOT_FORMATS)] = None
    out: Path | None = None
    warehouse: bool = False
