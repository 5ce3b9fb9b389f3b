"""What each entry of the leaderboard is made of: its numbers, their rows, runs and files."""

import shlex
from collections.abc import Iterator
from typing import Any

from warehouse.reports.query import query
from warehouse.reports.site.contents import Contents, records
from warehouse.reports.site.page import Page, Templates
from warehouse.reports.site.pages.overview import ENTRY, why_address
from warehouse.reports.specs import WhySpec
from warehouse.reports.why.explain import explained
from warehouse.snapshot.query import Reader
from warehouse.values import plain


def pages(reader: Reader, contents: Contents, templates: Templates) -> Iterator[Page]:
    """Yield a page for each entry."""
    view = reader.versions()["leaderboard"]
    known = {run["run_id"] for run in contents.runs}
    for row in records(reader, query("export/whole", name=[view])):
        words = [f"{name}={row[name]}" for name in ENTRY]
        found = explained(reader, WhySpec(view=view, row=words))
        yield templates.page(
            "why",
            why_address(row),
            f"{row['lm']} on {row['dataset']}",
            found=found,
            inputs=found.inputs,
            known_runs=known,
            printed=_printed,
            generation_of=contents.generation_target,
            command=shlex.join(["assay", "why", view, *words]),
        )


def _printed(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(plain(value))
