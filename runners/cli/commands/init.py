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
    """Make the new or empty FOLDER a project folder, for views and plug-ins of your own.

    A project folder has a file assay.toml. It is the home of every `assay` that is run in it or
    below it, unless --home or ASSAY_HOME names another. Views in views/ are built and tested with
    Assay's, and may `ref` any of them. Plug-ins are modules in plugins/, and assay.toml names them.
    night.toml is the configuration of `assay nightly`. See docs/extensions.md.
    """
    from runners.steps.examples import init_project

    for file in init_project(folder):
        click.echo(file)
    click.echo(f"next: cd {folder} && assay nightly --config night.toml")
