"""What the commands print as help, and which fields the formats have that they read."""

import json
from collections.abc import Sequence
from typing import Any

import click
from click.testing import CliRunner

from ingest.claims import CLAIM_FORMATS
from ingest.files import MAX_DOCUMENT_BYTES, MAX_FILE_BYTES, MAX_LINE_BYTES
from ingest.imports import FORMATS
from ingest.imports.layout import FileLayout
from runners.cli.main import COMMANDS, SUMMARIES, cli
from warehouse.reports.site.pages.guides import CommandDoc, FieldDoc, FormatDoc, FormatGroup

WIDTH = 88
GB, MB = 10**9, 10**6
FILES = {"import": "samples", "claims": "results"}
"""What the examples are called, by the command that reads them."""

IMPORTS = (
    "What `assay import PATH --format NAME` reads. PATH is a regular file, or a folder of them "
    "where the format says so. A file with a fault is refused as a whole; the message names the "
    f"file, the line and the field. Limits: {MAX_FILE_BYTES // GB} GB per file, "
    f"{MAX_LINE_BYTES // MB} MB per line, {MAX_DOCUMENT_BYTES // GB} GB for a single JSON "
    "document. A text is at most 1,000,000 bytes of UTF-8 without NUL. A sample with another text "
    "is imported without it, and counts as one that fails: see `n_unkept` of the report, and "
    "`generation_health`. In any other field, such a text is a fault. The examples import into the "
    "starter set (`assay ingest starter`).",
)
CLAIMS = (
    "What `assay claims PATH --format NAME` reads: verdicts, confidences and scores that others "
    "give to samples. They are claims: rows of `raw.claim`, apart from our verdicts, and no metric "
    "of ours counts them. After `assay build`, two views have both side by side:",
    [
        "`claimed_vs_judged` says how far a source agrees with our verdicts. It counts the flips "
        "in both directions, and the claims that are not compared, by reason. The pass rate of all "
        "its claims is `all_claimed_pass`, whether the dataset is here or not.",
        "`claim_verdicts` has each claim with the verdict that the same sample gets here.",
    ],
    "Two further views are of claimed verdicts alone, and use no verdict of ours. Problems that "
    "our metrics set aside count, and the dataset need not be ingested:",
    [
        "`claimed_calibration` says how well confidences fit the claimed verdicts. The measure "
        "`claimed` is the confidence in the claim itself. The others are ours, of the sample here "
        "that the claim belongs to. `assay calibrate` estimates the intervals of ECE, skill score "
        "and AUROC; run `assay build` after it.",
        "`claimed_comparison` has the paired difference of two sources under one metric of the "
        "claimants. It has the interval, tests and counts of `comparison`, and "
        "`claimed_otherwise` names what differs between the claimants. "
        "`assay compare A B --claimed` prints it.",
    ],
    "A claim with a text belongs to the sample here with that text, or with the program made of "
    "it. A claim without a text belongs to the sample with its index. `assay import` brings in the "
    "text itself, before or after. Options name the claimant (`--claimant`), the language "
    "model (`--lm`) and the dataset (`--dataset`) where the file does not, or override it.",
    [
        "A task that the dataset does not have is refused; `--skip-unknown` passes over it.",
        "A dataset that is not ingested is refused. `--not-here` keeps its claims unjoined until "
        "the dataset is there.",
        "Two results of one source for one sample and metric contradict each other: the file is "
        "refused, and both lines are named. `--label` keeps two sources apart.",
        "A confidence is a number from 0 to 1; another is refused, as is NaN.",
    ],
    "All other fields of a file are kept in `raw.claim_record` and `raw.claim_file`. The "
    "examples import into the starter set (`assay ingest starter`).",
    "`assay results --format NAME --dataset D --lm L --out FOLDER` goes the other way, so that "
    "others can check us. `eee`, `inspect`, `lm_eval` and `generic` hold our verdicts. `evalplus` "
    "and `bigcode` hold the samples, which these harnesses judge themselves. `--claimed` writes "
    "claims again as their files were. A test does so with public files, and nothing is lost.",
)


def command_docs() -> list[CommandDoc]:
    """Return every command with its help and that of its parts, as in a terminal."""
    found = []
    for name in COMMANDS:
        helps = [(f"assay {name} --help", _help(name))]
        command = COMMANDS.load(name)
        if isinstance(command, click.Group):
            for part in sorted(command.commands):
                helps.append((f"assay {name} {part} --help", _help(name, part)))
        found.append(CommandDoc(name, SUMMARIES[name], helps))
    return found


def format_groups() -> list[FormatGroup]:
    """Return the formats of generations, and those of results made elsewhere."""
    imports = {name: FORMATS.load(name) for name in FORMATS}
    claims = {name: CLAIM_FORMATS.load(name) for name in CLAIM_FORMATS}
    return [
        FormatGroup(
            "Import formats",
            IMPORTS,
            [_format(name, "import", each.about, each.layout) for name, each in imports.items()],
        ),
        FormatGroup(
            "Results made elsewhere",
            CLAIMS,
            [_format(name, "claims", each.about, each.layout) for name, each in claims.items()],
        ),
    ]


def _help(*names: str) -> str:
    shown = CliRunner().invoke(
        cli, [*names, "--help"], prog_name="assay", terminal_width=WIDTH, max_content_width=WIDTH
    )
    return "\n".join(line.rstrip() for line in shown.output.splitlines())


def _format(name: str, option: str, about: str | None, layout: FileLayout) -> FormatDoc:
    file = f"{FILES[option]}.{'jsonl' if layout.lines else 'json'}"
    examples = [(file, _lines(layout.example if layout.lines else [layout.example]))]
    command = f"assay {option} {file} --format {name} --dataset starter --lm my-lm"
    if layout.pairs:
        examples.append(("pairs.jsonl", _lines(layout.pairs)))
        command += " --prompts pairs.jsonl"
    return FormatDoc(
        name=name,
        option=option,
        about=" ".join((about or "").split("\n\n")[0].split()).replace("``", "`"),
        file=f"{layout.file} {layout.others}",
        fields=[FieldDoc(f.name, f.kind, f.required, f.meaning) for f in layout.fields],
        examples=examples,
        command=command,
    )


def _lines(values: Sequence[Any]) -> str:
    return "\n".join(json.dumps(value, ensure_ascii=False) for value in values)
