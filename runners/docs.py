"""Write the generated pages of docs/: ``python -m runners.docs``."""

import csv
import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from runners.cli.guides import format_groups
from warehouse.reports.layouts.markdown import escape
from warehouse.reports.site.pages.guides import FormatDoc, FormatGroup
from warehouse.snapshot.publish import TEXT_VIEWS
from warehouse.views.describe import describe_views
from warehouse.views.project import project_dir

FOLDER = Path(__file__).resolve().parent.parent / "docs"
GENERATED = "<!-- Written by `make docs`; a test fails when it is stale. -->"
WIDTH = 88
CLAIMED_METRICS = """\
## Claimed verdicts alone

Two real examples, which a test imports; humaneval is ingested before:

```sh
assay claims RUN --format helm --not-here
assay claims gpt.jsonl --format generic --dataset humaneval --lm gpt-3.5-turbo-0613 --claimant LDB
assay claims codellama.jsonl --format generic --dataset humaneval --lm codellama --claimant LDB
assay build
assay compare gpt-3.5-turbo-0613 codellama --claimed
```

RUN is HELM's run of Pythia 1B on ten questions of HellaSwag. HELM writes a probability of 1
beside each of the ten answers (`max_prob`), and three are exact matches:

| metric | n_used | base_rate | mean_score | brier | ece | skill_score | auroc |
| --- | --- | --- | --- | --- | --- | --- | --- |
| `exact_match` | 10 | 0.300 [0.100, 0.603] | 1.000 | 0.700 [0.397, 0.900] | 0.700 | -2.333 | 0.5 |

The other two files have the `is_solved` of LLMDebugger's seeds (LDB), one line per task.
Nothing is run to compare its language models:

```text
humaneval: claimed passed over 164 problems of both
  claimed, not judged here, by            LDB
  gpt-3.5-turbo-0613                      73.8 %
  codellama                               49.4 %
  difference                              +24.4 points, 95 % interval [+16.5, +32.2]
  p, exact McNemar test                   1e-08
  solved by one alone                     gpt-3.5-turbo-0613 46, codellama 6
```

## Claims that fail where the verdict here passes

Of 1,992 samples of LDB's seeds, four are claimed to fail and pass here, all of MBPP
(`n_judged_only`).

- Two are answers to MBPP/56 (codellama) and MBPP/349 (starcoder), whose tested function is
  named `check`. LDB writes the tests into a function of that name, which replaces the
  answer's. The tests then call themselves until Python stops them. So all six answers to
  these two problems are claimed to fail.
- Two are answers of gpt-3.5-turbo-0613 to MBPP/133 and MBPP/448. The recorded solution
  passes the recorded tests as LDB wrote them. The claim contradicts its own file, which does
  not say how it came about.
"""


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
    imports, claims = format_groups()
    return {
        "views.md": _page("Views", _views()),
        "formats.md": _page(imports.title, _group(imports)),
        "claims.md": _page(claims.title, chain(_group(claims), [CLAIMED_METRICS])),
        "published.md": _with_contradictions((FOLDER / "published.md").read_text(encoding="utf-8")),
    }


def _page(title: str, lines: Iterator[str]) -> str:
    return "\n".join([f"# {title}", "", GENERATED, "", *lines]).rstrip() + "\n"


def _views() -> Iterator[str]:
    single = " and ".join(f"`{name.removesuffix('_v1')}`" for name in sorted(TEXT_VIEWS))
    yield f"What the snapshot holds, the newest version of each. {single}"
    yield "have single answers: only `assay publish --with-texts` takes them in."
    yield "`assay docs FOLDER` writes a page for each view, with estimand, formula, references,"
    yield "known bias, columns, lineage and SQL. It has raw tables, commands and formats too."
    yield "`assay why` explains one number."
    yield ""
    views = [view for view in describe_views() if view.plain_name and view.method]
    rows = [(f"`{view.plain_name}`", escape(view.method.estimand)) for view in views if view.method]
    yield from _grid(("view", "what it estimates"), rows)


def _group(group: FormatGroup) -> Iterator[str]:
    for paragraph in group.about:
        if isinstance(paragraph, str):
            yield textwrap.fill(paragraph, WIDTH, break_on_hyphens=False)
        else:
            for item in paragraph:
                yield textwrap.fill(
                    item, WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False
                )
        yield ""
    for each in group.formats:
        yield from _format(each)


def _format(described: FormatDoc) -> Iterator[str]:
    """Describe a format: what it is, its fields, and an example with its command."""
    yield f"## {described.name}"
    yield ""
    yield described.about
    yield ""
    yield described.file
    yield ""
    rows = [
        (f"`{f.name}`", f.kind, "yes" if f.required else "no", f.meaning) for f in described.fields
    ]
    yield from _grid(("field", "type", "required", "meaning"), rows)
    for file, text in described.examples:
        yield from (f"`{file}`:", "", "```json", text, "```", "")
    yield from ("```sh", described.command, "```", "")


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


def _grid(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heading)} |"
    yield f"| {' | '.join('---' for _ in heading)} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


if __name__ == "__main__":
    for page in write_pages():
        print(f"wrote {page}")
