"""``assay run``."""

from pathlib import Path
from typing import Any

import click

from runners.cli.commands.execute import command as execute
from runners.cli.commands.generate import command as generate
from runners.cli.options import Place, given
from runners.specs import ExecuteSpec, GenerateSpec

# What is said of the samples and of their execution, as the two commands themselves take it.
GENERATE = (
    *("backend", "lm", "dataset", "n", "revision", "temperature", "top_p", "max_tokens", "stop"),
    *("seed", "prompt", "truncate", "options", "progress", "as_json"),
)
EXECUTE = ("workers", "isolation")


def _taken(command: click.Command, names: tuple[str, ...]) -> list[click.Parameter]:
    known = {parameter.name: parameter for parameter in command.params}
    return [known[name] for name in names]


def _dataset(parameter: click.Parameter) -> click.Parameter:
    """Return a parameter as it is, or the dataset with its own help: here it may be missing."""
    if parameter.name != "dataset":
        return parameter
    return click.Option(
        ["--dataset"], required=True, help="The dataset to solve; ingested first if it is missing."
    )


@click.command(
    params=[
        *(_dataset(each) for each in _taken(generate, GENERATE[:-2])),
        click.Option(
            ["--path"],
            type=Place(exists=True, path_type=Path),
            help="File of the dataset, where it is not ingested yet; else ASSAY_DATA, else "
            "downloaded.",
        ),
        *_taken(execute, EXECUTE),
        *_taken(generate, GENERATE[-2:]),
    ],
    epilog="""\b
Examples:
  assay run --backend planted --lm coin --dataset starter -n 10 -o pass_rate=0.5
  assay run --backend openai --lm Qwen2.5-Coder-7B --dataset humaneval -n 10
      --temperature 0.8 --max-tokens 500 -o base_url=http://127.0.0.1:8000/v1
  assay run --backend planted --lm coin --dataset mybench --path mybench.jsonl -n 5
""",
)
def command(path: Path | None, progress: bool, as_json: bool, **options: Any) -> int:
    """Go from a dataset and a language model to the printed leaderboard.

    Ingest (where the dataset is missing), generate, execute, similarity, build and publish, each as
    the command of its name; then the leaderboard. Only missing work is done: if interrupted, run
    the same command again to continue. The options of a backend are those of `assay generate`.
    """
    from ingest.dataset_names import expecting
    from ingest.datasets import DATASETS
    from ingest.loader import IngestSpec
    from runners.cli.commands.nightly import Printed
    from runners.cli.reports import failed_by_loss
    from runners.steps.journey import journey
    from warehouse.errors import AssayError
    from warehouse.reports import board
    from warehouse.reports.specs import LeaderboardSpec
    from warehouse.values import to_json

    execution = {name: options.pop(name) for name in EXECUTE}
    source = None
    if path is not None or options["dataset"] in DATASETS:
        path = path.absolute() if path is not None else None
        source = given(IngestSpec, {"name": options["dataset"], "path": path})
    with expecting([source.name] if source is not None else []):
        drawing = given(GenerateSpec, options)
        executed = given(ExecuteSpec, {**execution, "dataset": options["dataset"]})
    report = journey(
        drawing,
        executed,
        source=source,
        progress=progress,
        listener=None if as_json else Printed(),
    )
    if as_json:
        click.echo(to_json(report.as_dict()))
    elif not report.failures:
        click.echo(f"{report.seconds:7.1f} s  in all\n")
        board.show(board.board_of(LeaderboardSpec(options["dataset"])))
    for step in report.failures:
        raise AssayError(f"{step.name}: {step.error}; run the same command again to continue")
    drawn = [step.result for step in report.steps if "lost" in step.result]
    return max(failed_by_loss("samples", result) for result in drawn)
