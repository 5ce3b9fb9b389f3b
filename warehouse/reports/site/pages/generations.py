"""A page for each generation: what was asked, what came, and how it was judged."""

from collections import defaultdict
from collections.abc import Iterator
from math import exp
from typing import Any

from markupsafe import Markup, escape

from warehouse.reports.display import NULL_SHOWN
from warehouse.reports.query import query
from warehouse.reports.site.contents import Contents, Record, records
from warehouse.reports.site.page import Page, Templates, address, visible
from warehouse.reports.site.pages.problems import SIGNS, setting_of
from warehouse.snapshot.query import Reader

LIKELIEST = 9


def pages(reader: Reader, contents: Contents, templates: Templates) -> Iterator[Page]:
    """Yield the pages; texts are read a part at a time, for all are too many to be held."""
    confidence_view = reader.versions().get("confidence", "")
    claims = _claims(reader)
    for key, text in _texts(reader, contents):
        generation = contents.generations[key]
        lm = contents.language_models[generation["lm_id"]]
        problem = contents.problems[generation["problem_id"]]
        yield templates.page(
            "generation",
            address("generation", key),
            f"{lm['name']}: {problem['task_id']}, sample {generation['sample_index']}",
            generation=generation,
            lm=lm,
            problem=problem,
            setting=contents.settings[generation["setting_id"]],
            setting_of=setting_of,
            signs=SIGNS,
            number=_number,
            verdicts=[(contents.problems[k], v) for k, v in contents.verdicts[key].items()],
            claims=claims.get(key, ()),
            attempts=_attempts(contents, generation),
            confidences=contents.confidences.get(key, ()),
            confidence_view=confidence_view,
            text=text,
            tokens=_tokens(text) if text and text["tokens"] else None,
            parent=_parent(contents, generation),
            children=[_child(contents, child) for child in contents.children.get(key, ())],
        )


def _texts(reader: Reader, contents: Contents) -> Iterator[tuple[str, Record | None]]:
    if not contents.with_texts:
        yield from ((key, None) for key in contents.generations)
        return
    columns, rows = reader.stream(query("site/raw/texts"), chunk=1_000)
    for row in rows:
        record = dict(zip(columns, row, strict=True))
        yield record["generation_id"], record


def _claims(reader: Reader) -> dict[str, list[Record]]:
    """Return what others claim of each generation."""
    view = reader.versions().get("claim_verdicts")
    found: dict[str, list[Record]] = defaultdict(list)
    for claim in records(reader, query("site/claims", view=view)) if view else ():
        found[claim["generation_id"]].append(claim)
    return found


def _attempts(contents: Contents, generation: Record) -> list[Record]:
    return [
        attempt
        for program in generation["programs"] or ()
        for attempt in contents.programs.get(program["program_id"], ())
    ]


def _parent(contents: Contents, generation: Record) -> str | None:
    parent = generation["parent_generation_id"]
    return address("generation", parent) if parent in contents.generations else None


def _child(contents: Contents, key: str) -> dict[str, Any]:
    child = contents.generations[key]
    return {
        "address": address("generation", key),
        "task": child["task"],
        "index": child["sample_index"],
    }


def _number(value: float | None) -> str:
    return NULL_SHOWN if value is None else f"{value:.4g}"


def _tokens(text: Record) -> Markup:
    """Return the tokens as shaded parts of one text; each says its probability."""
    parts = []
    for token, logprob, kept in zip(text["tokens"], text["logprobs"], text["kept"], strict=True):
        share = min(exp(logprob), 1.0)
        shade = f"p{min(int(10 * share), LIKELIEST)}{'' if kept else ' out'}"
        parts.append(f'<span class="{shade}" title="{share:.3g}">{escape(visible(token))}</span>')
    return Markup("".join(parts))
