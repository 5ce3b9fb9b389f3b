"""``assay results``."""

from pathlib import Path
from typing import Any

import click

from ingest.claims import CLAIM_FORMATS
from runners.cli.options import PATH, as_json, given


@click.command(
    epilog=f"""\b
Examples:
  assay results --format eee --dataset humaneval --lm my-lm --out eee
  assay results --format inspect --claimed --lm openai/gpt-4o-mini --out logs

\b
Formats: {", ".join(CLAIM_FORMATS)}
""",
)
@click.option(
    "--format", required=True, type=click.Choice(list(CLAIM_FORMATS)), help="Format of the files."
)
@click.option("--lm", required=True, help="Name of the language model.")
@click.option("--out", required=True, type=PATH, help="An empty or a new folder.")
@click.option("--dataset", help="The dataset; needed for our verdicts. Of claims, those on it.")
@click.option("--revision", help="Its revision, where there are several.")
@click.option("--setting", default="", help="First characters of the setting_id to write.")
@click.option("--claimed", is_flag=True, help="Write the claims of this format as they came in.")
@as_json
def command(as_json: bool, out: Path, **options: Any) -> None:
    """Write our verdicts on samples in the files of another harness, so that others can check us.

    `eee`, `inspect`, `lm_eval` and `generic` hold our verdicts. `evalplus` and `bigcode` hold the
    samples, which these harnesses judge themselves. The other formats need --claimed. Samples
    without a verdict are left out.
    """
    from ingest.claims.exporter import ResultsSpec, write_results
    from runners.cli.reports import print_reports

    report = write_results(given(ResultsSpec, {"out": out, **options}))
    print_reports([(f"results {options['format']}", report)], as_json=as_json)
