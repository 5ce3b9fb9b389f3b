"""``assay config``."""

from pathlib import Path

import click

from runners.cli.options import PATH


@click.group(
    epilog="""\b
Examples:
  assay config list
  assay config show demo
  assay config copy humaneval night.toml
"""
)
def command() -> None:
    """List, print or copy the example configurations of `assay nightly`."""


@command.command("list")
def list_() -> None:
    """List the examples, each with what it is for."""
    from runners.steps.examples import examples

    found = examples()
    width = max(map(len, found))
    for name, example in found.items():
        click.echo(f"{name:<{width}}  {example.purpose}")
    click.echo("next: assay config copy NAME")


@command.command()
@click.argument("name")
def show(name: str) -> None:
    """Print the example NAME."""
    from runners.steps.examples import example

    click.echo(example(name).text, nl=False)


@command.command()
@click.argument("name")
@click.argument("to", type=PATH, required=False)
def copy(name: str, to: Path | None) -> None:
    """Copy the example NAME to the file or folder TO, by default NAME.toml here."""
    from runners.steps.examples import copy_example

    path = copy_example(name, to or Path())
    click.echo(f"{path}\nnext: assay nightly --config {path}")
