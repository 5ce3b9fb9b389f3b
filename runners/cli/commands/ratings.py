"""``assay ratings``."""

from pathlib import Path
from typing import Any

import click

from runners.cli.options import PATH, as_json, given


@click.command(
    epilog="""\b
Examples:
  assay ratings ratings.jsonl
  assay ratings ratings.jsonl --skip-unknown

\b
A line: {"dataset": "humaneval", "task_id": "HumanEval/0", "code_a": "def ...", "code_b": "def ...",
"rater": "ada", "level": 4}
"""
)
@click.argument("path", type=PATH)
@click.option(
    "--skip-unknown",
    is_flag=True,
    help="Pass over lines with a program that was never judged; by default such a file is refused.",
)
@as_json
def command(path: Path, as_json: bool, **options: Any) -> None:
    """Bring in ratings by people: how similar two programs are, from 1 to 5.

    1 is completely different, 5 an exact copy. PATH is JSON Lines with dataset, task_id, code_a
    (shown first), code_b, rater and level. The codes are whole programs as they were judged
    (`raw.candidate`); docs/similarity.md has a query that lists them. A file with a bad line is
    refused with that line and the reason, and leaves no row. Importing again adds nothing.
    """
    from ingest.ratings import RatingsSpec, import_ratings
    from runners.cli.reports import print_reports

    report = import_ratings(given(RatingsSpec, {"path": path, **options}))
    print_reports([(f"ratings {path.name}", report)], as_json=as_json, next_step="assay build")
