"""``assay ingest``."""

from pathlib import Path
from typing import Any, ClassVar

import click

from ingest.datasets import DATASETS
from models.words import STDOUT_COMPARISONS
from runners.cli.options import PATH, SEED, Place, as_json, given
from runners.cli.projects import COMMANDS
from warehouse.errors import known_names


class NameOrFile(click.ParamType[str | Path]):
    """The name of a listed dataset, or the file or folder of a user's own."""

    name = "name or file"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | Path:
        """Return the name, or the path."""
        if value in DATASETS:
            return str(value)
        if "/" in value or "." in value or Path(value).exists():
            return Path(value)
        reason = f"there is no dataset {value!r}{known_names(value, DATASETS)}"
        raise click.BadParameter(reason, ctx=ctx, param=param)


class DatasetsOrProjects(click.Command):
    """A command about datasets, but for the words that lead to other commands."""

    commands: ClassVar = COMMANDS

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Return the context of the command that the first argument means."""
        if args and args[0] in COMMANDS:
            word = args[0]
            return COMMANDS[word].make_context(f"{info_name} {word}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    cls=DatasetsOrProjects,
    epilog=f"""\b
Examples:
  assay ingest starter
  assay ingest humaneval mbpp
  assay ingest humaneval --path HumanEval.jsonl.gz
  assay ingest mybench.jsonl --as mybench (docs/own_datasets.md says what it may hold)
  assay ingest codecontests --path valid.jsonl.gz
  assay ingest codecontests --path valid.jsonl.gz --compare stdout
  assay ingest apps --path selected150.jsonl
  assay ingest defects4j --path defects4j_src_patches.tar.gz
  assay ingest manysstubs4j --path sstubs.json
  assay ingest project toolz tinydb (assay ingest project --help says more)
  assay ingest regions toolz (assay ingest regions --help says more)
  assay ingest functions toolz (assay ingest functions --help says more)
  assay ingest lines toolz (assay ingest lines --help says more)

\b
Datasets: {", ".join(DATASETS)}
""",
)
@click.argument("names", metavar="NAME|FILE...", nargs=-1, required=True, type=NameOrFile())
@click.option("--as", "own_name", metavar="NAME", help="Your own dataset: what it is called.")
@click.option("--license", metavar="TEXT", help="Your own dataset: its licence, such as MIT.")
@click.option(
    "--trust-tests",
    is_flag=True,
    help="Your own dataset: let the judge run the code of its tests, outside the sandbox, where no "
    "program can forge a verdict.",
)
@click.option(
    "--path",
    type=PATH,
    help="Read this file, or the folder of a dataset with many files, instead of looking for one.",
)
@click.option(
    "--checkouts",
    type=Place(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Repair: working copies (Lang_6b) or clones (ACRA.acra) with the lines around a bug.",
)
@click.option(
    "--seed", type=SEED, help="Repair, edit: seed of the subset, if one is drawn; else 0."
)
@click.option(
    "--sha256", metavar="HEX", help="Checksum the file must have; else the release's own."
)
@click.option(
    "--compare",
    type=click.Choice(STDOUT_COMPARISONS),
    help="Whole programs: how what they print is compared, instead of the dataset's own way.",
)
@click.option("--unpinned", is_flag=True, help="Accept a file of any checksum; it is recorded.")
@as_json
def command(names: tuple[str | Path, ...], as_json: bool, **options: Any) -> None:
    """Bring in the problems of one or more datasets, listed ones or your own.

    A file is looked for in the folder ASSAY_DATA, by its checksum, else downloaded once and kept in
    the cache. It must have the checksum of its release. Ingesting again adds nothing.
    """
    alone = {name for name, value in options.items() if value not in (None, False)} - {"unpinned"}
    if len(names) > 1 and alone:
        words = ("as" if name == "own_name" else name for name in sorted(alone))
        flags = ", ".join(f"--{word.replace('_', '-')}" for word in words)
        raise click.UsageError(f"{flags}: only with one NAME")
    from ingest.loader import IngestSpec, ingest_dataset
    from runners.cli.reports import print_reports

    specs = [given(IngestSpec, _named(name, **options)) for name in names]
    print_reports(
        ((f"ingest {spec.name}", ingest_dataset(spec)) for spec in specs),
        as_json=as_json,
        next_step=f"assay generate --dataset {specs[0].name} ... (or assay import, or assay run)",
    )


def _named(name: str | Path, own_name: str | None, **options: Any) -> dict[str, Any]:
    """Return the fields of the spec: a file or folder is the path of what ``--as`` names."""
    if isinstance(name, str):
        if own_name is not None:
            raise click.UsageError("--as: only with the file or folder of your own dataset")
        return {**options, "name": name}
    if options["path"] is not None:
        raise click.UsageError("--path: only with the NAME of a dataset")
    from ingest.manifests.own import manifest_of

    own_name = own_name or manifest_of(name).name
    if own_name is None:
        raise click.UsageError(f"name your dataset: assay ingest {name} --as NAME")
    if own_name in DATASETS:
        raise click.BadParameter(f"{own_name} is a listed dataset: choose another name")
    return {**options, "name": own_name, "path": name}
