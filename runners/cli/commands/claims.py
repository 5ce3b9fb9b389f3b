"""``assay claims``."""

from pathlib import Path
from typing import Any

import click

from ingest.claims import CLAIM_FORMATS
from runners.cli.options import PATH, as_json, given


@click.command(
    epilog=f"""\b
Examples:
  assay claims results.jsonl --format generic --dataset humaneval --lm my-lm --claimant "Ada's lab"
  assay claims m_eval_results.json --format evalplus --dataset humaneval_plus --lm my-lm

\b
Formats: {", ".join(CLAIM_FORMATS)}
""",
)
@click.argument("path", type=PATH)
@click.option(
    "--format", required=True, type=click.Choice(list(CLAIM_FORMATS)), help="What PATH holds."
)
@click.option("--dataset", help="The dataset of all claims; by default, as the file names it.")
@click.option("--lm", help="Name of the language model; by default, as the file names it.")
@click.option("--revision", default="", help="Its revision or date.")
@click.option("--claimant", help="Who claims; by default, the harness of the format.")
@click.option("--claimant-version", help="Its version; by default, as the file says.")
@click.option("--label", default="", help="Free text that tells two sources apart.")
@click.option("--not-here", is_flag=True, help="The dataset is not ingested: keep claims unjoined.")
@click.option("--skip-unknown", is_flag=True, help="Pass over tasks the dataset does not have.")
@as_json
def command(path: Path, as_json: bool, **options: Any) -> None:
    """Bring in results made elsewhere: verdicts, confidences and scores, as claims.

    Claims stay apart from our verdicts, and no metric counts them. `claimed_vs_judged` compares
    both; `claimed_calibration` and `claimed_comparison` are of claims alone. A file that does not
    fit is refused with its line and the reason, and leaves no row. Importing again adds nothing.
    """
    from ingest.claims.claim_rows import ClaimsSpec
    from ingest.claims.importer import import_claims
    from runners.cli.reports import print_reports

    report = import_claims(given(ClaimsSpec, {"path": path, **options}))
    print_reports([(f"claims {path.name}", report)], as_json=as_json, next_step="assay build")
