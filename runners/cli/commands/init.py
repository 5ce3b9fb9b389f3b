"""``assay init``."""

from pathlib import Path

import click

from runners.cli.options import Place


@click.command(
    epilog="""\b
Examples:
  assay init mine && cd mine && assay nightly --config night.toml
"""
)
@click.argument("folder", type=Place(path_type=Path))
def command(folder: Path) -> None:
    """Make a project in the new or empty FOLDER: views, plug-ins and a night of your own.

    A project is a folder with a file assay.toml. Every `assay` in it, or below it, has its
    warehouse there. Views in views/ are built and tested with Assay's; they may `ref` any of them.
    Plug-ins lie in plugins/, and assay.toml names them. See docs/extensions.md.
    """
    from runners.steps.examples import init_project

    for file in init_project(folder):
        click.echo(file)
    click.echo(f"next: cd {folder} && assay nightly --config night.toml")
