"""``assay completion``."""

import click
from click.shell_completion import get_completion_class


@click.command(
    epilog="""\b
Examples:
  assay completion bash >> ~/.bashrc
  assay completion fish > ~/.config/fish/completions/assay.fish
"""
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of SHELL; add it to the start file of that shell."""
    from runners.cli.main import cli

    maker = get_completion_class(shell)
    assert maker is not None  # the three shells above are click's own
    click.echo(maker(cli, {}, "assay", "_ASSAY_COMPLETE").source())
