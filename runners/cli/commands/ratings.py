"""``assay ratings``."""

from pathlib import Path
from typing import Any

import click

from runners.cli.options import PATH, as_json, given


@click.command(
    epilog="""\b
Examples:
  assay ratings ratings.jsonl

\b
A line: {"dataset": "humaneval", "task_id": "HumanEval/0", "code_a": "def ...", "code_b": "def ...",
"rater": "ada", "level": 4}
"""
)
@click.argument("path", type=PATH)
@click.option("--skip-unknown", is_flag=True, help="Pass over programs that were never judged.")
@as_json
def command(path: Path, as_json: bool, **options: Any) -> None:
    """Bring in ratings by people: how similar two programs are, from 1 (not at all) to 5 (a copy).

    PATH is JSON Lines with dataset, task_id, code_a (shown first), code_b, rater and level. The
    codes are whole programs as they were judged (`raw.candidate`). A file that does not fit is
    refused with its line and the reason, and leaves no row. Importing again adds nothing.
    """
    from ingest.ratings import RatingsSpec, import_ratings
    from runners.cli.reports import print_reports

    report = import_ratings(given(RatingsSpec, {"path": path, **options}))
    print_reports([(f"ratings {path.name}", report)], as_json=as_json, next_step="assay build")
