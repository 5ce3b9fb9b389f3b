"""Parameters of ``assay plot``; to list them loads nothing that draws or queries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from models.words import NOTIONS
from warehouse.errors import BadInput
from warehouse.parameters import Choice, Spec, counts
from warehouse.reports.plots import PLOTS
from warehouse.reports.specs import VERSION

PLOT_FORMATS = ("pdf", "svg", "png")
COMPARED = ("comparison", "problems")
NEWEST = {
    "reliability": 2,
    "roc": 2,
    "auc-vs-ece": 2,
    "ame": 2,
    "diversity": 2,
    "pass-at-k": 1,
    "comparison": 1,
    "problems": 1,
    "rtc-projects": 1,
    "rtc-pairs": 1,
}
"""The newest version of the views that each kind draws."""


class NothingToDraw(BadInput):
    """No row of the views fits what was asked for, or a name fits none; the views are there."""

    def __init__(self, reason: str):
        super().__init__(f"nothing to draw: {reason}")


@dataclass(frozen=True)
class PlotSpec(Spec):
    """What is drawn; None stands for all, one setting of each language model and dataset.

    ``other`` is the language model that ``lm`` is set against, in figures of two alone.
    ``metric`` is what is compared. ``k`` has those that curves of pass@k are drawn at, all without
    it; of a comparison it is one, 1 without it. Without ``version`` it is the newest, without
    ``format`` there are all three, without ``out`` the files go to a folder of today's date.
    """

    kind: Annotated[str, Choice(PLOTS)]
    version: Annotated[int | None, VERSION] = None
    lm: str | None = None
    other: str | None = None
    dataset: str | None = None
    setting_id: str | None = None
    notion: Annotated[str | None, Choice(NOTIONS)] = None
    measures: Sequence[str] = ()
    metric: str = "pass_at_k"
    k: Annotated[Sequence[str], counts] = ()
    format: Annotated[str | None, Choice(PLOT_FORMATS)] = None
    out: Path | None = None
    warehouse: bool = False

    def conflicts(self) -> Iterator[tuple[str, str]]:
        """Yield what does not go together: options of comparisons and other figures."""
        if self.metric != "pass_at_k" and self.kind not in COMPARED:
            yield "metric", f"goes with {' and '.join(COMPARED)}, not with {self.kind}"
        if self.k and self.kind not in (*COMPARED, "pass-at-k"):
            yield "k", f"goes with {', '.join(COMPARED)} and pass-at-k, not with {self.kind}"
        if len(self.k) > 1 and self.kind in COMPARED:
            yield "k", f"one goes with {self.kind}, not {len(self.k)}"

    @property
    def drawn_version(self) -> int:
        """The version of the views: the newest unless one is asked for."""
        return self.version or NEWEST[self.kind]

    @property
    def compared_k(self) -> int:
        """The k of what is compared."""
        return int(self.k[0]) if self.k else 1
