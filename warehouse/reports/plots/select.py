"""Which subjects a figure shows, and what the views hold of them."""

from dataclasses import dataclass
from typing import Any

from warehouse.errors import BadInput
from warehouse.names import literal, quoted
from warehouse.reports.display import text
from warehouse.reports.paper_calibration import DATASETS, MEASURES, NOTIONS, chosen
from warehouse.reports.paper_sheet import place, versioned
from warehouse.snapshot.query import Reader

MAIN = """semi join main_notions
    on chosen.dataset = main_notions.dataset and chosen.notion = main_notions.notion"""


# A measure looks the same in every figure: the paper's come first.
LOOKS = (
    *("total_prob", "avg_prob", "ask_tf", "ask_tf_normalized", "verbalized", "length"),
    *(name for name in MEASURES if name.startswith(("geometric", "min"))),
    *(name for name in MEASURES if name.endswith(("_stop", "_rate"))),
    "unskilled",
)


@dataclass(frozen=True)
class Selection:
    """What was asked for; None stands for all, one setting of each language model and dataset."""

    version: int = 1
    lm: str | None = None
    dataset: str | None = None
    setting_id: str | None = None
    notion: str | None = None
    measures: tuple[str, ...] = ()


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

    def where(self, alias: str) -> str:
        """Return SQL that holds for this entry's rows."""
        columns = ("lm_id", "release_id", "setting_id", "notion")
        return " and ".join(
            f"{alias}.{column} = {literal(getattr(self, column))}" for column in columns
        )


def view_name(reader: Reader, name: str, version: int) -> str:
    """Return a versioned view's name; raises BadInput when it is not there."""
    return versioned(reader, name, version)


def entries(reader: Reader, wanted: Selection) -> list[Entry]:
    """Return what there is of what was asked for, real language models first.

    Raises BadInput, naming what there is, when nothing fits.
    """
    view = view_name(reader, "calibration_raw", wanted.version)
    for measure in wanted.measures:
        if measure not in MEASURES:
            raise BadInput(f"unknown measure {text(measure)!r}; available: {', '.join(MEASURES)}")
    conditions = {
        "lm": wanted.lm,
        "dataset": wanted.dataset,
        "setting_id": wanted.setting_id,
        "notion": wanted.notion,
    }
    where = [
        f"{name} = {literal(value)}" for name, value in conditions.items() if value is not None
    ]
    rows = reader.one(
        f"{chosen(view, ' and '.join(where) or 'true')}\n"
        "select distinct chosen.lm_id, chosen.lm, chosen.revision, chosen.simulated, "
        "chosen.dataset, chosen.release_id, chosen.setting_id, chosen.setting, chosen.notion "
        f"from chosen {MAIN if wanted.notion is None else ''} "
        f"order by simulated, lm, lm_id, {place('chosen.dataset', DATASETS)}, chosen.dataset"
    ).rows
    if not rows and wanted.setting_id is not None:
        check_setting(reader, view, wanted.setting_id)
    if not rows:
        known = reader.one(
            f"select distinct lm, dataset from {quoted(view)} where n_used > 0 order by all",
            max_rows=8,
        )
        there = "; ".join(f"{text(lm)} on {text(dataset)}" for lm, dataset in known.rows)
        more = ", ..." if known.truncated else ""
        raise BadInput(f"no calibration result fits in {view}; available: {there or 'none'}{more}")
    return [Entry(*row) for row in rows]


def check_setting(reader: Reader, view: str, setting_id: str) -> None:
    """Raise BadInput, listing what there is, for a setting that a view does not have."""
    known = reader.one(f"select distinct setting_id, setting from {quoted(view)} order by all").rows
    if setting_id not in {found for found, _ in known}:
        there = "; ".join(f"{found} ({text(label)})" for found, label in known[:8]) or "none"
        more = f"; and {len(known) - 8} more" if len(known) > 8 else ""
        raise BadInput(f"no setting {text(setting_id)!r} in {view}; available: {there}{more}")


def rows_of(reader: Reader, query: str) -> list[dict[str, Any]]:
    """Run a query and return its rows by column."""
    result = reader.one(query)
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]


def only(measures: tuple[str, ...], column: str) -> str:
    """Return SQL that keeps the measures asked for; all when none were."""
    if not measures:
        return "true"
    return f"{column} in ({', '.join(literal(measure) for measure in measures)})"
