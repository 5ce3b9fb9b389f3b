"""The kinds of plots: name to what makes its figures, imported when asked for."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from warehouse.reports.plots.select import Plot

PLOTS: "Registry[Plot]" = Registry(
    "plot",
    {
        "reliability": "warehouse.reports.plots.reliability:figures",
        "roc": "warehouse.reports.plots.roc:figures",
        "auc-vs-ece": "warehouse.reports.plots.auc_vs_ece:figures",
        "ame": "warehouse.reports.plots.ame:figures",
        "diversity": "warehouse.reports.plots.diversity:figures",
        "pass-at-k": "warehouse.reports.plots.pass_at_k:figures",
        "comparison": "warehouse.reports.plots.comparison:figures",
        "problems": "warehouse.reports.plots.problems:figures",
        "rtc-projects": "warehouse.reports.plots.rtc_projects:figures",
        "rtc-pairs": "warehouse.reports.plots.rtc_pairs:figures",
    },
)
