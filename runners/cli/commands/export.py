"""``assay export``."""

from typing import TYPE_CHECKING, Any

import click

from runners.cli.options import PATH, as_json, from_warehouse, given

if TYPE_CHECKING:
    from warehouse.reports.export import ExportReport


@click.command(
    epilog="""\b
Examples:
  assay export leaderboard --format latex
  assay export pass_at_k_v1 --format parquet --out pass_at_k.parquet
  assay export --sql "select lm, pass_at_1 from leaderboard" --format md --out table.md
  assay export --paper calibration --out tables
  assay export --paper mutations --format latex
"""
)
@click.argument("view", required=False)
@click.option("--sql", metavar="QUERY", help="Export the result of a query instead of a view.")
@click.option(
    "--paper",
    type=click.Choice(["calibration", "mutations"]),
    help="Export the counterparts of a paper's tables: calibration has 2, 3, 5, 6, 7 and 8, "
    "mutations 1, 2 and 3.",
)
@click.option(
    "--version",
    type=click.IntRange(min=1),
    help="With --paper: version of the views; by default 1, which is faithful to the paper.",
)
@click.option(
    "--format",
    type=click.Choice(["csv", "md", "parquet", "latex"]),
    help="CSV and Parquet hold values as stored; Markdown and LaTeX are for eyes. By default csv, "
    "with --paper csv, md and latex.",
)
@click.option(
    "--out",
    type=PATH,
    help="File or folder; by default a folder of today's date under the home's exports.",
)
@click.option("--columns", metavar="A,B,...", help="Keep these columns, in this order.")
@click.option(
    "--intervals/--no-intervals",
    default=True,
    show_default=True,
    help="Print intervals beside their estimates (Markdown, LaTeX).",
)
@click.option(
    "--percent/--fractions",
    default=True,
    show_default=True,
    help="Print fractions times 100 (Markdown, LaTeX).",
)
@click.option(
    "--decimals",
    type=click.IntRange(0, 6),
    default=2,
    show_default=True,
    help="Decimals of percentages (Markdown, LaTeX).",
)
@click.option(
    "--drop-empty/--keep-empty",
    default=None,
    help="Leave out columns that hold no value at all; by default in Markdown and LaTeX, unless "
    "--columns names them.",
)
@click.option(
    "--raw",
    is_flag=True,
    help="Write CSV exactly as stored. By default, text that a spreadsheet would run as a formula "
    "gets an apostrophe, and control characters are escaped.",
)
@from_warehouse
@as_json
def command(
    paper: str | None, version: int | None, columns: str | None, as_json: bool, **options: Any
) -> None:
    """Write VIEW, the result of a query, or the tables of a paper, to files.

    The tables of a paper go to a folder, one file per table and format, for whatever language
    models there are; simulated ones have their own rows, apart from the others. A table that would
    be empty is left out.

    Beside each file lies FILE.provenance.json: query, view version, snapshot, commit, row count,
    checksum, time and package versions. In Markdown and LaTeX the best of a column is bold, in
    LaTeX the second is underlined, by whether higher, lower or nearer 0 is better; ties
    share.
    """
    format, raw = options["format"], options["raw"]
    if raw and (format or "csv") != "csv":
        raise click.UsageError(f"--raw goes with CSV, not with {format}")
    if [options["view"], options["sql"], paper].count(None) != 2:
        raise click.UsageError("name one of: a VIEW, a query with --sql, a paper with --paper")
    if paper is not None:
        if columns is not None:
            raise click.UsageError("--columns does not go with --paper: its tables are fixed")
        if raw:
            raise click.UsageError("--raw does not go with --paper")
        shared = {name: options[name] for name in ("out", "drop_empty", "warehouse")}
        _export_paper(paper, version or 1, format, as_json, **shared)
        return
    if version is not None:
        raise click.UsageError("--version goes with --paper: of a view, export NAME_vN")
    from warehouse.reports.export import ExportSpec, export

    named = [name.strip() for name in columns.split(",")] if columns is not None else ()
    report = export(given(ExportSpec, {**options, "columns": named}))
    if as_json:
        from warehouse.values import to_json

        click.echo(to_json(report.as_dict()))
    else:
        _say(report)


def _say(report: "ExportReport") -> None:
    click.echo(f"{report.path}: {report.n_rows:,} rows")
    if report.dropped:
        click.echo(f"columns left out, because they hold no value: {', '.join(report.dropped)}")


def _export_paper(
    paper: str,
    version: int,
    format: str | None,
    as_json: bool,
    **shared: Any,
) -> None:
    from warehouse.reports.paper import FORMATS, export_paper
    from warehouse.values import to_json

    formats = (format,) if format else FORMATS
    reports = export_paper(paper, formats=formats, version=version, **shared)
    if as_json:
        click.echo(to_json([report.as_dict() for report in reports]))
        return
    for report in reports:
        _say(report)
