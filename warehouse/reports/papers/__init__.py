"""The papers whose tables are made: name to what makes them, imported when asked for."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from warehouse.reports.papers.sheet import Paper

PAPERS: "Registry[Paper]" = Registry(
    "paper",
    {
        "calibration": "warehouse.reports.papers.calibration:PAPER",
        "diversity": "warehouse.reports.papers.diversity:PAPER",
        "mutations": "warehouse.reports.papers.mutations:PAPER",
        "round_trip": "warehouse.reports.papers.round_trips:PAPER",
    },
)
