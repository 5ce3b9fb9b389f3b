"""The ``assay`` command: finds the subcommand, and turns errors into one line and a code.

Only click is imported here; each command's module loads when it runs.
"""

import errno
import gc
import os
import re
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from warehouse.errors import AssayError, BadInput
from warehouse.parameters import BadValue
from warehouse.registry import Registry

FAILED = 1
INTERRUPTED = 130

# What click says of a value, and the plain words for it.
PLAIN = (
    (r"is not a valid integer( range)?", "is not a whole number"),
    (r"is not a valid float( range)?", "is not a number"),
    (r"Directory ('.*') is a file", r"\1 is a file; a folder is needed"),
    (r"Directory ('.*') does not exist", r"there is no folder \1"),
)

SUMMARIES = {
    "init": "Make a project folder for views, plug-ins and nights of your own.",
    "doctor": "Say what this machine offers: isolation, versions, data.",
    "ingest": "Bring in the problems of a dataset.",
    "dataset": "Check a dataset of your own before it is ingested.",
    "import": "Bring in generations made elsewhere.",
    "claims": "Bring in results made elsewhere, as claims beside our verdicts.",
    "mutate": "Make counterfactual pairs and prove them by running both sides.",
    "generate": "Ask a language model for solutions.",
    "reflect": "Ask a language model how sure it is of its answers.",
    "execute": "Run what is pending in the sandbox and record the verdicts.",
    "ratings": "Bring in ratings by people: how similar two programs are.",
    "rate": "Ask a language model how similar two programs are.",
    "similarity": "Compute the similarity of samples, and of round trips to their code.",
    "calibrate": "Fit calibration curves and estimate intervals.",
    "build": "Build the views.",
    "check": "Test the views and the relations between the rows.",
    "publish": "Write a read-only snapshot and swap it in.",
    "leaderboard": "Print the leaderboard.",
    "compare": "Compare two language models, problem by problem.",
    "why": "Explain a number: its meaning, its rows, their runs and files.",
    "sql": "Query the snapshot, once or interactively.",
    "export": "Write a view or a query as CSV, Markdown, Parquet or LaTeX.",
    "results": "Write our verdicts in the files of other harnesses.",
    "cite": "Print BibTeX of the metrics and datasets of an export.",
    "site": "Write static pages to look at: leaderboards, problems, every generation.",
    "docs": "Write static pages of what there is: views, columns, commands, formats.",
    "plot": "Draw figures of pass@k, comparisons, calibration, mutations, diversity, round trips.",
    "run": "Go from a dataset and a language model to the printed leaderboard.",
    "nightly": "Run every step of a configuration, and only the work that is missing.",
    "config": "List, print or copy example configurations of a nightly run.",
    "status": "Say what is under way, in the warehouse, pending and on disk.",
    "gc": "List or remove old snapshots and caches.",
    "completion": "Print the shell's completion script.",
}
"""The commands in the order of the journey, and what help says of each without importing it."""

COMMANDS: Registry[click.Command] = Registry(
    "command",
    {
        name: f"runners.cli.commands.{'import_' if name == 'import' else name}:command"
        for name in SUMMARIES
    },
)

EPILOG = """\b
Examples:
  assay doctor
  assay init mine
  assay ingest humaneval --path HumanEval.jsonl.gz
  assay run --backend planted --lm coin --dataset starter -n 10 -o pass_rate=0.5
  assay nightly --config configs/humaneval.toml
  assay sql "select * from leaderboard"

\b
Exit codes:
    0  done
    1  failed
    2  wrong usage
    3  bad input: a file, a value, a name or a query that does not fit, or nothing selected
    4  locked: another process holds the warehouse, or does the same work
    5  isolation refused: the machine offers no safe way to run programs
    6  a check failed
    7  assay nightly: all steps done, and an alarm is new
  130  interrupted

\b
Environment:
  ASSAY_HOME   folder of the warehouse and all it makes (default: the project in or
               above the working folder, see `assay init`; else ~/.assay)
  ASSAY_DATA   folder in which datasets are looked for before they are downloaded
  ASSAY_DEBUG  set to 1 to see the traceback of an error
"""


class LazyGroup(click.Group):
    """A group that knows its commands' names and help without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the journey."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        return COMMANDS.load(cmd_name) if cmd_name in COMMANDS else None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a value that its spec does not allow is said of its option."""
        try:
            return super().invoke(ctx)
        except BadValue as error:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            for option in command.params if command else ():
                if command and option.name == error.name:
                    where = click.Context(command, ctx, ctx.invoked_subcommand)
                    raise click.BadParameter(error.fault, where, option) from error
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, so that help imports nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, SUMMARIES[name]) for name in COMMANDS])


@click.group(cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--home",
    type=click.Path(file_okay=False),
    help="Folder of the warehouse and all it makes; overrides ASSAY_HOME.",
)
@click.version_option(
    package_name="assay", message="assay %(version)s", help="Print the version and exit."
)
def cli(home: str | None) -> None:
    """Assay: from problems and generations to a leaderboard in SQL."""
    if home == "":
        raise click.BadParameter("the empty text names no folder", param_hint="'--home'")
    if home is not None:
        from warehouse import settings

        os.environ["ASSAY_HOME"] = str(settings.named_home(home))


def main() -> None:
    """Run the command line and exit with its code."""
    # modules make no garbage. Looking for it while they load, and once more at the end when all of
    # them are unloaded, costs a third of a short command
    gc.set_threshold(100_000, 20, 100)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # another one, while the first was reported
        code = INTERRUPTED
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if "torch" not in sys.modules:  # whose parts complain of what was not cleared
        gc.freeze()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader has gone: let the interpreter's own last flush go nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = code or FAILED
    sys.exit(code)


def _interrupt(*_: object) -> None:
    """Take a SIGTERM as Ctrl-C, so that its run is recorded as interrupted; a second one kills."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise KeyboardInterrupt


def run(arguments: list[str]) -> int:
    """Run one command line and return the exit code; errors become one line on stderr."""
    try:
        result: Any = cli.main(args=arguments, prog_name="assay", standalone_mode=False)
    except click.exceptions.Abort as error:
        return _failed([str(error.__cause__ or "") or "interrupted"], INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        return _failed([_usage(error)], _code(error))
    except AssayError as error:
        return _failed(error.lines, error.exit_code)
    except OSError as error:
        return _failed([_os_error(error)], FAILED)
    except Exception as error:
        # whatever got here is our mistake, or a library's; say so, and how to see more
        kind = type(error)
        if kind.__module__.split(".")[0] in ("duckdb", "_duckdb"):
            return _failed([str(error).split("\nLINE ")[0]], FAILED)
        hint = "" if os.environ.get("ASSAY_DEBUG") else " (ASSAY_DEBUG=1 shows the traceback)"
        return _failed([f"unexpected {kind.__name__}: {error}{hint}"], FAILED)
    return result if isinstance(result, int) else 0


def _usage(error: click.ClickException) -> str:
    """Return what is wrong with a command line, and which help lists its options."""
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "assay"
    said = error.format_message().rstrip(".")
    for pattern, plain in PLAIN:
        said = re.sub(pattern, plain, said)
    return f"{said} (`{where} --help` says what there is)"


def _code(error: click.ClickException) -> int:
    """Return the exit code: a value that does not fit is bad input, whoever found it."""
    is_value = isinstance(error, click.BadParameter)
    is_missing = isinstance(error, click.MissingParameter)
    return BadInput.exit_code if is_value and not is_missing else error.exit_code


def _failed(lines: Sequence[str], code: int) -> int:
    if os.environ.get("ASSAY_DEBUG"):
        traceback.print_exc()
    for line in lines:
        click.echo(f"error: {' '.join(line.split())}", err=True)
    return code


def _os_error(error: OSError) -> str:
    reasons = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk quota is used up",
        errno.EROFS: "the file system is read-only",
        errno.EACCES: "permission denied",
        errno.EPERM: "not permitted",
        errno.ENOENT: "no such file or folder",
        errno.ENOTDIR: "not a folder",
        errno.EISDIR: "a folder, not a file",
        errno.EEXIST: "something else is where a folder is needed: move it away",
    }
    from warehouse import settings

    home = settings.named_home()
    path = os.fsdecode(error.filename2 or error.filename or home)
    reason = reasons.get(error.errno or 0, error.strerror or str(error))
    if not home.exists() and Path(path).absolute() in (home, *home.parents):
        reason = f"the home folder {home} cannot be made; choose another with --home or ASSAY_HOME"
        return reason if Path(path) == home else f"{path}: {reason}"
    return f"{path}: {reason}"


if __name__ == "__main__":
    main()
