"""Write the generated pages of docs/: ``python -m runners.docs``."""

import csv
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from ingest.claims import CLAIM_FORMATS
from ingest.files import MAX_DOCUMENT_BYTES, MAX_FILE_BYTES, MAX_LINE_BYTES
from ingest.imports import FORMATS
from ingest.imports.layout import FileLayout
from runners.cli.main import COMMANDS, cli
from warehouse.reports.citations.bibliography import bibliography
from warehouse.reports.layouts.markdown import escape
from warehouse.tables import RawTable, describe_tables
from warehouse.views.describe import MethodDoc, ViewDoc, describe_views
from warehouse.views.project import project_dir

FOLDER = Path(__file__).resolve().parent.parent / "docs"
GENERATED = "<!-- Written by `make docs`; a test fails when it is stale. -->"
WIDTH = 88


def write_pages(folder: Path = FOLDER) -> list[Path]:
    """Write every generated page; return those that changed."""
    changed = []
    for name, text in pages().items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


def pages() -> dict[str, str]:
    """Return the generated pages by file name."""
    return {
        "views.md": _page("Views", _views()),
        "tables.md": _page("Tables", _tables()),
        "cli.md": _page("Commands", _commands()),
        "formats.md": _page("Import formats", _formats()),
        "claims.md": _page("Results made elsewhere", _claims()),
        "published.md": _with_contradictions((FOLDER / "published.md").read_text(encoding="utf-8")),
    }


def _page(title: str, lines: Iterator[str]) -> str:
    return "\n".join([f"# {title}", "", GENERATED, "", *lines]).rstrip() + "\n"


def _views() -> Iterator[str]:
    yield "What the snapshot holds. People browse the plain name, which shows the newest"
    yield "version; papers and exports pin the number. `assay why` explains one number;"
    yield "`assay cite` prints the works that are named here as BibTeX."
    yield ""
    views = describe_views()
    yield from _section("For readers", [view for view in views if view.schema == "main"])
    yield "# What they are made of"
    yield ""
    yield "In the warehouse only (`assay sql --warehouse`), and free to change."
    yield ""
    for schema in ("intermediate", "staging"):
        yield from _section(schema, [view for view in views if view.schema == schema])


def _section(title: str, views: Sequence[ViewDoc]) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    for view in views:
        prefix = "" if view.schema == "main" else f"{view.schema}."
        yield f"### {prefix}{view.name}"
        yield ""
        if view.plain_name:
            yield f"Plain name: `{view.plain_name}`."
            yield ""
        yield view.description
        yield ""
        if view.method is not None:
            yield from _method(view.method)
        rows = [(f"`{c.name}`", c.data_type or "", escape(c.description)) for c in view.columns]
        yield from _grid(("column", "type", "meaning"), rows)


def _method(method: MethodDoc) -> Iterator[str]:
    yield f"- **Estimand.** {method.estimand}"
    yield f"- **Formula.** {method.formula}"
    works = bibliography()
    named = [
        f"{works[each.key].label}{f', {each.place}' if each.place else ''} (`{each.key}`)"
        for each in method.references
    ]
    yield f"- **References.** {'; '.join(named) or f'None: {method.no_reference}'}"
    yield f"- **Known bias.** {method.bias}"
    yield ""


def _tables() -> Iterator[str]:
    yield "The raw rows, schema `raw`: append-only, keyed by a hash of what produced them. The"
    yield "snapshot leaves out long texts unless published with `--with-texts`."
    yield ""
    for table in describe_tables():
        yield f"## raw.{table.name}"
        yield ""
        yield table.description
        yield ""
        yield from _grid(("column", "type", "meaning"), _table_rows(table))


def _table_rows(table: RawTable) -> list[tuple[str, str, str]]:
    rows = []
    for column in table.columns:
        notes = "key" if column.is_key else "may be NULL" if column.nullable else ""
        kind = f"{column.type.lower()}, {notes}" if notes else column.type.lower()
        rows.append((f"`{column.name}`", escape(kind), escape(column.description)))
    return rows


def _formats() -> Iterator[str]:
    gb, mb = 10**9, 10**6
    yield "What `assay import PATH --format NAME` reads. PATH is a regular file, or a folder of"
    yield "them where the format says so. A file with a fault is refused as a whole; the message"
    yield "names the file, the line and the field. Limits:"
    yield f"{MAX_FILE_BYTES // gb} GB per file, {MAX_LINE_BYTES // mb} MB per line,"
    yield f"{MAX_DOCUMENT_BYTES // gb} GB for a single JSON document."
    yield "A text is at most 1,000,000 bytes of UTF-8 without NUL. A sample with another text is"
    yield "imported without it, and counts as one that fails: see `n_unkept` of the report, and"
    yield "`generation_health`. In any other field, such a text is a fault."
    yield "The examples import into the starter set (`assay ingest starter`)."
    yield ""
    for name in FORMATS:
        described = FORMATS.load(name)
        yield from _layout(name, described.about, described.layout, "import", "samples")


def _claims() -> Iterator[str]:
    yield "What `assay claims PATH --format NAME` reads: verdicts, confidences and scores that"
    yield "others give to samples. They are claims: rows of `raw.claim`, apart from our verdicts,"
    yield "and no metric counts them. After `assay build`, two views have both side by side:"
    yield ""
    yield "- `claimed_vs_judged` says how far a source agrees with our verdicts. It counts the"
    yield "  flips in both directions, and the claims that are not compared, by reason."
    yield "- `claim_verdicts` has each claim with the verdict that the same sample gets here."
    yield ""
    yield "A claim with a text means the answer here with that text, or the program it became. One"
    yield "without means the answer with its sample index. The text itself comes in by"
    yield "`assay import`, before or after. Claims name a claimant (`--claimant`), a language"
    yield "model (`--lm`) and a dataset (`--dataset`) where the file does not."
    yield ""
    yield "- A task that the dataset does not have is refused; `--skip-unknown` passes over it."
    yield "- A dataset that is not ingested is refused. `--not-here` keeps its claims unjoined"
    yield "  until the dataset is there."
    yield "- Two results of one source for one sample and metric contradict each other: the file is"
    yield "  refused, and both lines are named. `--label` keeps two sources apart."
    yield "- A confidence is a number from 0 to 1."
    yield ""
    yield "What a file says beyond these columns is kept in `raw.claim_record` and"
    yield "`raw.claim_file`. The examples import for the starter set (`assay ingest starter`)."
    yield ""
    yield "`assay results --format NAME --dataset D --lm L --out FOLDER` goes the other way, so"
    yield "that others can check us. `eee`, `inspect`, `lm_eval` and `generic` hold our verdicts."
    yield "`evalplus` and `bigcode` hold the samples, which these harnesses judge themselves."
    yield "`--claimed` writes claims again as their files were. A test does so with public files,"
    yield "and nothing is lost."
    yield ""
    for name in CLAIM_FORMATS:
        described = CLAIM_FORMATS.load(name)
        yield from _layout(name, described.about, described.layout, "claims", "results")


def _layout(
    name: str, about: str | None, layout: FileLayout, command: str, file: str
) -> Iterator[str]:
    """Describe a format: what it is, its fields, and an example with its command."""
    file += ".jsonl" if layout.lines else ".json"
    yield f"## {name}"
    yield ""
    yield " ".join((about or "").split("\n\n")[0].split()).replace("``", "`")
    yield ""
    yield f"{layout.file} {layout.others}"
    yield ""
    rows = [
        (f"`{f.name}`", f.kind, "yes" if f.required else "no", f.meaning) for f in layout.fields
    ]
    yield from _grid(("field", "type", "required", "meaning"), rows)
    yield f"`{file}`:"
    yield ""
    yield from _json(layout.example if layout.lines else [layout.example])
    options = f"--format {name} --dataset starter --lm my-lm"
    if layout.pairs:
        yield "`pairs.jsonl`:"
        yield ""
        yield from _json(layout.pairs)
        options += " --prompts pairs.jsonl"
    yield "```sh"
    yield f"assay {command} {file} {options}"
    yield "```"
    yield ""


def _with_contradictions(text: str) -> str:
    """Return a page with its lists of contradictions as the seed has them.

    A list lies between ``<!-- Contradictions of PAPER ... -->`` and ``<!-- End. -->``.
    """
    path = project_dir() / "seeds" / "published_contradictions.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    def listed(found: re.Match[str]) -> str:
        alike: dict[tuple[str, str], list[str]] = {}
        for row in rows:
            if row["paper"] == found["paper"]:
                alike.setdefault((row["check_name"], row["reason"]), []).append(row["item"])
        cells = [
            (f"`{name}`", ", ".join(f"`{item}`" for item in items), escape(reason))
            for (name, reason), items in alike.items()
        ]
        heading = ("check", "number or claim", "why it breaks")
        return "\n".join([found["begin"], "", *_grid(heading, cells), found["end"]])

    lists = r"(?P<begin><!-- Contradictions of (?P<paper>\w+)[^\n]*-->)\n.*?(?P<end><!-- End\. -->)"
    return re.sub(lists, listed, text, flags=re.DOTALL)


def _json(values: Sequence[Any]) -> Iterator[str]:
    yield "```json"
    yield from (json.dumps(value, ensure_ascii=False) for value in values)
    yield "```"
    yield ""


def _grid(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heading)} |"
    yield f"| {' | '.join('---' for _ in heading)} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _commands() -> Iterator[str]:
    yield from _help()
    for name in COMMANDS:
        yield f"## assay {name}"
        yield ""
        yield from _help(name)
        command = COMMANDS.load(name)
        for sub in sorted(getattr(command, "commands", ())):
            yield from _help(name, sub)


def _help(*names: str) -> Iterator[str]:
    asked = [*names, "--help"]
    shown = CliRunner().invoke(
        cli, asked, prog_name="assay", terminal_width=WIDTH, max_content_width=WIDTH
    )
    yield "```"
    yield from (line.rstrip() for line in shown.output.splitlines())
    yield "```"
    yield ""


if __name__ == "__main__":
    for page in write_pages():
        print(f"wrote {page}")
