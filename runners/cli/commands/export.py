"""``assay export``."""

from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from runners.cli.options import NAMES, as_json, from_warehouse, given, option
from warehouse.reports.specs import ExportSpec, PaperSpec

add = partial(option, ExportSpec)
add_for_paper = partial(option, PaperSpec)


@click.command(
    epilog="""\b
Examples:
  assay export leaderboard --format latex
  assay export pass_at_k_v1 --format parquet --out pass_at_k.parquet
  assay export leaderboard --format html --out leaderboard.html
  assay export --sql "select lm, pass_at_1 from leaderboard" --format md --out table.md
  assay export --paper calibration --out tables
  assay export --paper mutations --format latex --pdf
  assay export --paper round_trip --out tables
  assay export --paper diversity --version 2 --format md
  assay export --paper calibration --beside --format md
"""
)
@click.argument("view", required=False)
@add("--sql", metavar="QUERY", help="Export the result of a query instead of a view.")
@add_for_paper(
    "--paper",
    required=False,
    help="Export the counterparts of a paper's tables: of calibration 2 to 8; of mutations 1, 2 "
    "and 3; of diversity 2 to 4 and the numbers of figures 5 and 6; of round_trip 2, 3 and the "
    "numbers of figure 2.",
)
@add_for_paper(
    "--version",
    default=None,
    help="With --paper: version of the views; by default 1, which is faithful to the paper.",
)
@add_for_paper(
    "--beside",
    help="With --paper: write one table instead, of each number that the paper prints and ours. "
    "Only the paper's language models that the warehouse has are shown.",
)
@add_for_paper(
    "--pdf",
    help="With --paper: compile the LaTeX tables to one PDF as a preview, where tectonic, latexmk, "
    "pdflatex or lualatex is installed.",
)
@add(
    "--format",
    default=None,
    help="CSV and Parquet hold values as stored; Markdown, LaTeX and HTML are to read. By default "
    "csv, with --paper csv, md and latex.",
)
@add(
    "--out",
    help="File or folder; by default a folder of today's date under the home's exports.",
)
@add("--columns", **NAMES, help="Keep these columns, in this order.")
@add(
    "--intervals/--no-intervals",
    show_default=True,
    help="Print intervals beside their estimates (Markdown, LaTeX, HTML).",
)
@add(
    "--percent/--fractions",
    show_default=True,
    help="Print fractions times 100 (Markdown, LaTeX, HTML).",
)
@add("--decimals", help="Decimals of percentages (Markdown, LaTeX, HTML).")
@add(
    "--drop-empty/--keep-empty",
    help="Leave out columns that hold no value at all; by default in Markdown, LaTeX and HTML, "
    "unless --columns names them.",
)
@add(
    "--raw",
    help="Write CSV exactly as stored. By default, text that a spreadsheet would run as a formula "
    "gets an apostrophe, and control characters are escaped.",
)
@from_warehouse
@as_json
def command(as_json: bool, **options: Any) -> None:
    """Write VIEW, the result of a query, or the tables of a paper, to files.

    The tables of a paper go to a folder, one file per table and format, for whatever language
    models there are. Simulated ones have their own rows, apart from the others. A table that would
    be empty is left out.

    Beside each file lies FILE.provenance.json: query, view version, snapshot, commit, row count,
    checksum, time and package versions. In Markdown, LaTeX and HTML the best of a column is bold,
    by whether higher, lower or nearer 0 is better. In the last two the second is underlined. Tied
    values share the mark. A PDF preview has no such file: each of its tables has one.
    """
    if [options["view"], options["sql"], options["paper"]].count(None) != 2:
        raise click.UsageError("name one of: a VIEW, a query with --sql, a paper with --paper")
    if options["paper"] is not None:
        _refuse_what_shapes_a_view()
        from warehouse.reports.paper import export_paper, preview

        names = ("paper", "version", "format", "out", "drop_empty", "beside", "pdf", "warehouse")
        spec = given(PaperSpec, {name: options[name] for name in names})
        reports = export_paper(spec)
        pdf = preview(spec, reports) if spec.pdf else None
    elif options.pop("version") is not None:
        raise click.UsageError("--version goes with --paper: of a view, export NAME_vN")
    elif options.pop("beside"):
        raise click.UsageError("--beside goes with --paper")
    elif options.pop("pdf"):
        raise click.UsageError("--pdf goes with --paper")
    else:
        from warehouse.reports.export import export

        del options["paper"]
        reports = [export(given(ExportSpec, options))]
        pdf = None
    if as_json:
        from warehouse.values import to_json

        facts = [report.as_dict() for report in reports]
        facts += [{"path": str(pdf)}] if pdf is not None else []
        click.echo(to_json(facts if "paper" in options else facts[0]))
        return
    for report in reports:
        click.echo(f"{report.path}: {report.n_rows:,} rows")
        if report.dropped:
            empty = ", ".join(report.dropped)
            click.echo(f"columns left out, because they hold no value: {empty}")
    if pdf is not None:
        click.echo(f"{pdf}: a preview of these tables")


def _refuse_what_shapes_a_view() -> None:
    context = click.get_current_context()
    for parameter in context.command.params:
        name = str(parameter.name)
        if name not in ("columns", "raw", "intervals", "percent", "decimals"):
            continue
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            off = context.params[name] is False
            flags = parameter.secondary_opts if off else parameter.opts
            raise click.UsageError(f"{flags[0]} does not go with --paper: its tables are fixed")
