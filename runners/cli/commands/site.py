"""``assay site``."""

from functools import partial
from typing import Any

import click

from runners.cli.options import as_json, from_warehouse, given, option
from warehouse.reports.specs import SiteSpec

add = partial(option, SiteSpec)


@click.command(
    epilog="""\b
Examples:
  assay site
  assay site --out public
"""
)
@add("--out", help="Folder; by default one of today's date under the home's exports.")
@from_warehouse
@as_json
def command(as_json: bool, **options: Any) -> None:
    """Write static pages to look at in a browser, from disk or from any web server.

    There is a page for each dataset, language model, problem, generation and view. Each number
    leads to the page of its view: version, formula, SQL. A problem has all samples, a generation
    its verdict per test, limits, isolation, confidence and tokens. No page loads anything from
    elsewhere. A snapshot has no texts unless `assay publish --with-texts` made it.

    The site takes the place of an older one, and of nothing else.
    """
    from runners.cli.reports import print_reports
    from warehouse.reports.site.site import site

    report = site(given(SiteSpec, options))
    print_reports([("site", report)], as_json=as_json)
