"""``assay docs``."""

from pathlib import Path

import click

from runners.cli.options import Place, as_json, served


@click.command(
    epilog="""\b
Examples:
  assay docs reference
  assay docs reference --serve
"""
)
@click.argument("folder", type=Place(path_type=Path))
@served
@as_json
def command(folder: Path, is_served: bool, port: int, as_json: bool) -> None:
    """Write pages of every view, raw table, column, command and format to FOLDER.

    A view has its estimand, formula, references, known bias, versions, columns, lineage and SQL.
    The first page finds any name. Neither a warehouse nor a network is needed. Views of your own
    are among the others where the home is a project folder (`assay init`).

    A folder that holds older pages is replaced; any other folder that is not empty is refused.
    """
    from runners.cli.guides import command_docs, format_groups
    from runners.cli.reports import print_reports
    from runners.cli.serve import serve, serving
    from warehouse.reports.site.docs import docs

    report = docs(folder, command_docs(), format_groups())
    print_reports([("docs", report)], as_json=as_json)
    if is_served:
        serve(serving(Path(report.path), port))
