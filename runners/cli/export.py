"""``assay export``."""

from pathlib import Path

import click

from runners.cli.options import as_json, from_warehouse


@click.command(
    epilog="""\b
Examples:
  assay export leaderboard --format latex
  assay export pass_at_k_v1 --format parquet --out pass_at_k.parquet
  assay export --sql "select lm, pass_at_1 from leaderboard" --format md --out table.md
"""
)
@click.argument("view", required=False)
@click.option("--sql", metavar="QUERY", help="Export the result of a query instead of a view.")
@click.option(
    "--format",
    type=click.Choice(["csv", "md", "parquet", "latex"]),
    default="csv",
    show_default=True,
    help="CSV and Parquet hold values as stored; Markdown and LaTeX are for eyes.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
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
@from_warehouse
@as_json
def command(
    view: str | None,
    sql: str | None,
    format: str,
    out: Path | None,
    columns: str | None,
    intervals: bool,
    percent: bool,
    warehouse: bool,
    as_json: bool,
) -> None:
    """Write VIEW, or the result of a query, to a file.

    Beside the file lies FILE.provenance.json: query, view version, snapshot, commit, row count,
    checksum, time and package versions. In Markdown and LaTeX the best of a column is bold, in
    LaTeX the second is underlined, by whether higher or lower is better; ties share.
    """
    if (view is None) == (sql is None):
        raise click.UsageError("name either a VIEW or a query with --sql")
    from warehouse.export import export

    report = export(
        view=view,
        sql=sql,
        format=format,
        out=out,
        columns=[name.strip() for name in columns.split(",")] if columns else (),
        intervals=intervals,
        percent=percent,
        warehouse=warehouse,
    )
    if as_json:
        from warehouse.values import to_json

        click.echo(to_json(report.as_dict()))
    else:
        click.echo(f"{report.path}: {report.n_rows:,} rows")
