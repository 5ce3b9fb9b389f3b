"""Figures of the views, each with a record of where its numbers came from: ``assay plot``."""

from importlib import metadata

from models.keys import text_key
from warehouse.errors import BadInput
from warehouse.reports.export import (
    ExportReport,
    folder_for,
    record,
    replacing,
    require_replaceable,
)
from warehouse.reports.plots import PLOTS
from warehouse.reports.plots.canvas import save, settle, styled
from warehouse.reports.plots.select import Figure, file_stem, rows_of
from warehouse.reports.plots.spec import PLOT_FORMATS, NothingToDraw, PlotSpec
from warehouse.snapshot.query import opened

LONGEST_STEM = 180


def plot(spec: PlotSpec) -> list[ExportReport]:
    """Draw what was asked for and write it in each format, with its record beside it.

    A file's name holds what was asked for, so that no figure takes the place of another's.

    Reliability and roc give a figure per language model and dataset. auc-vs-ece gives one for all,
    and one more for simulated ones. ame gives one per dataset, real and simulated apart, and
    diversity one per dataset and similarity. rtc-projects gives one of real and one of simulated
    ones, and rtc-pairs one per pair of language models. problems gives one per dataset. Raises
    NothingToDraw where no row of the views fits.
    """
    if spec.other is not None and spec.kind != "problems":
        raise BadInput(f"--other goes with problems, not with {spec.kind}")
    formats = (spec.format,) if spec.format else PLOT_FORMATS
    folder = folder_for(spec.out, "figures")
    reports: list[ExportReport] = []
    with opened(warehouse=spec.warehouse) as reader, styled():
        figures = [
            (each, {f: folder / f"{figure_stem(each, spec)}.{f}" for f in formats})
            for each in PLOTS.load(spec.kind)(reader, spec)
        ]
        require_replaceable(*(path for _, paths in figures for path in paths.values()))
        for each, paths in figures:
            rows = rows_of(reader, each.query)
            if not rows:
                continue
            figure = each.draw(rows)
            settle(figure)
            folder.mkdir(parents=True, exist_ok=True)
            for format, path in paths.items():
                with replacing(path) as temporary:
                    save(figure, temporary, format)
                facts = {
                    "format": format,
                    "rows": len(rows),
                    "figure": spec.kind,
                    "query": each.query,
                    "reads": reader.named_in(each.query),
                    "matplotlib": metadata.version("matplotlib"),
                }
                reports.append(record(reader, path, facts))
    if not reports:
        raise NothingToDraw(f"no row for a {spec.kind} figure fits these options")
    return reports


def figure_stem(figure: Figure, spec: PlotSpec) -> str:
    """Return a file's stem with what was asked for and it does not name, and with the version."""
    measures = "" if figure.of_one_measure else "_".join(spec.measures)
    metric = "" if spec.metric == "pass_at_k" else spec.metric
    ks = f"k{'_'.join(spec.k)}" if spec.k else ""
    asked = {"lm": spec.lm, "dataset": spec.dataset, "setting_id": spec.setting_id}
    asked |= {"notion": spec.notion, "measures": measures, "metric": metric, "k": ks}
    more = [each for name, each in asked.items() if each and figure.names.get(name) != each]
    stem = file_stem(*more)
    whole = f"{figure.stem}_{stem}" if stem else figure.stem
    if len(whole) > LONGEST_STEM:
        whole = f"{whole[:LONGEST_STEM]}_{text_key(whole)[:8]}"
    return f"{whole}_v{spec.drawn_version}"
