"""``assay site``."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from runners.cli.options import as_json, from_warehouse, given, option, served
from warehouse.reports.specs import SiteSpec

add = partial(option, SiteSpec)


@click.command(
    epilog="""\b
Examples:
  assay site
  assay site --out public
  assay site --single-file --out results.html
  assay site --serve
  assay site --sql
"""
)
@add(
    "--out",
    help="Folder, or with --single-file the file; by default one in today's folder of exports.",
)
@add("--single-file", help="Write one HTML file with everything inside, at most 50 MB.")
@add(
    "--sql/--no-sql",
    help="Add a page for queries, or leave it out; by default it is there where its engine is. "
    "--sql fetches the engine once with pip, 24 MB.",
)
@served
@from_warehouse
@as_json
def command(as_json: bool, is_served: bool, port: int, **options: Any) -> None:
    """Write static pages to look at in a browser, from disk or from any web server.

    There is a page for each dataset, language model, problem, generation, comparison and view. Each
    number leads to the page of its view: version, formula, SQL. A problem has all samples, a
    generation its verdict per test, limits, isolation, confidence and tokens. On the page SQL the
    reader queries the views, in the browser. No page loads anything from elsewhere. A snapshot has
    no texts unless `assay publish --with-texts` made it.

    A folder that holds an older site is replaced; any other folder that is not empty is refused.
    A single file opens from disk and has the same pages.
    """
    from runners.cli.reports import print_reports
    from runners.cli.serve import serve, serving
    from warehouse.reports.site.site import site

    spec = given(SiteSpec, options)
    if is_served and spec.single_file:
        raise click.UsageError("--serve goes with a folder: a single file opens from disk")
    if spec.sql:
        from runners.cli.sql_engine import fetch_sql_engine

        fetch_sql_engine()
    report = site(spec)
    has_choice = spec.sql is None and not (report.sql or spec.warehouse)
    further = "assay site --sql, for a page with queries" if has_choice else None
    print_reports([("site", report)], as_json=as_json, next_step=further)
    if is_served:
        serve(serving(Path(report.path), port))
