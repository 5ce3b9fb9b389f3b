"""``assay doctor``."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from runners.cli.options import Place, as_json


@click.command(
    epilog="""\b
Examples:
  assay doctor
  assay doctor --data ~/benchmarks --json
"""
)
@click.option(
    "--data",
    type=Place(file_okay=False, path_type=Path),
    envvar="ASSAY_DATA",
    help="Folder in which datasets are looked for (ASSAY_DATA).",
)
@as_json
def command(data: Path | None, as_json: bool) -> None:
    """Say what this machine offers: isolation, versions, home, data, languages, plug-ins.

    The exit code is 5 where the machine offers no safe isolation, and 1 where the home cannot be
    written. It is 3 where the folder named with --data does not exist.
    """
    from runners.steps.doctor import examine
    from warehouse.errors import AssayError, BadInput, IsolationRefused
    from warehouse.kinds import unfit_folder
    from warehouse.values import to_json

    source = click.get_current_context().get_parameter_source("data")
    if (
        data is not None
        and source is ParameterSource.COMMANDLINE
        and not data.expanduser().is_dir()
    ):
        raise BadInput(unfit_folder(data.expanduser()) or "no such folder", path=data)
    found = examine(data)
    if as_json:
        click.echo(to_json(found))
    else:
        _print(found)
    if found["isolation"]["best"] is None:
        raise IsolationRefused("no safe isolation here: programs run only with --isolation none")
    if not found["home"]["writable"]:
        raise AssayError(f"{found['home']['path']}: {found['home']['reason']}")


def _print(found: dict[str, Any]) -> None:
    _part("isolation")
    isolation = found["isolation"]
    best = isolation["best"]
    _line("best level", f"{best}: {isolation['meaning']}" if best else "none is safe here")
    for level, facts in isolation["levels"].items():
        _line(f"  {level}", "holds" if facts["contains"] else facts["reason"] or "not safe")
    _part("versions")
    for name, version in found["versions"].items():
        _line(name, version)
    _part("home")
    home = found["home"]
    state = "writable" if home["writable"] else home["reason"]
    _line(home["path"], f"{state}, {home['free_gb']:.1f} GB free")
    _part("warehouse")
    _line(found["warehouse"]["path"], found["warehouse"]["state"])
    _part("data")
    data = found["data"]
    if data["folder"] is None:
        _line("no folder named", "set ASSAY_DATA or --data")
    else:
        _line(data["folder"], data["state"])
    for dataset in data["datasets"]:
        _line(f"  {dataset['dataset']}", dataset["state"])
    _part("other languages")
    for language in found["languages"]:
        _line(language["language"], language["state"])
    if found["plugins"]:
        _part("plug-ins")
    for plugin in found["plugins"]:
        _line(f"{plugin['kind']} {plugin['plugin']}", plugin["state"])


def _part(title: str) -> None:
    click.secho(title, bold=True)


def _line(name: str, value: str) -> None:
    click.echo(f"  {name:<20} {value}")
