"""``assay import``."""

from pathlib import Path
from typing import Any

import click

from ingest.imports import FORMATS
from runners.cli.options import COUNT, PATH, SEED, TEMPERATURE, TOP_P, as_json, given


@click.command(
    "import",
    epilog=f"""\b
Examples:
  assay import samples.jsonl --format humaneval --dataset humaneval --lm my-lm
  assay import codet.jsonl --format codet --prompts tasks.jsonl --dataset humaneval --lm CodeGen-16B

\b
Formats: {", ".join(FORMATS)}
""",
)
@click.argument("path", type=PATH)
@click.option("--format", required=True, type=click.Choice(list(FORMATS)), help="What PATH holds.")
@click.option("--dataset", required=True, help="The ingested dataset the generations answer.")
@click.option("--lm", required=True, help="Name of the language model, as printed.")
@click.option("--revision", default="", help="Its revision or date.")
@click.option("--temperature", type=TEMPERATURE, help="Sampling temperature, if known.")
@click.option("--top-p", type=TOP_P, help="Top-p of the sampling, if known.")
@click.option("--max-tokens", type=COUNT, help="Maximum tokens of an answer, if known.")
@click.option("--stop", multiple=True, metavar="TEXT", help="A stop string; may be repeated.")
@click.option("--seed", type=SEED, help="Sampling seed, if known.")
@click.option("--label", default="", help="Free text that tells two imports apart.")
@click.option("--resampled", is_flag=True, help="The maker replaced samples that failed.")
@click.option("--simulated", is_flag=True, help="A planted model: never ranked with real ones.")
@click.option("--prompts", type=PATH, help="File that joins prompts to task ids.")
@click.option(
    "--truncate",
    metavar="RULE",
    default="whole",
    show_default=True,
    help="Which part of a text is kept: whole, stop (needs --stop), function_end_v1, "
    "function_end_v2, module_end_v1, braces_end_v1 (languages with braces), fixed_line_v1 or "
    "canonical_imports_v1.",
)
@click.option(
    "--first-position",
    type=click.IntRange(0, 1_000_000_000),
    default=0,
    show_default=True,
    help="For a file that names no tasks: the position in the dataset of its first task.",
)
@click.option("--skip-unknown", is_flag=True, help="Pass over tasks the dataset does not have.")
@as_json
def command(path: Path, as_json: bool, **options: Any) -> None:
    """Bring in the generations in PATH, made elsewhere.

    A file that does not fit is refused with its line and the reason, and leaves no row. Importing
    again adds nothing.
    """
    from ingest.imports.importer import import_generations
    from ingest.imports.sample_rows import ImportSpec
    from runners.cli.reports import print_reports

    report = import_generations(given(ImportSpec, {"path": path, **options}))
    print_reports([(f"import {path.name}", report)], as_json=as_json, next_step="assay execute")
