"""An explanation as lines for the terminal."""

import json
from collections.abc import Iterator

from warehouse.reports.citations.bibliography import bibliography
from warehouse.reports.display import text
from warehouse.reports.why.explain import Explanation, Inputs, Record
from warehouse.values import plain
from warehouse.views.describe import MethodDoc
from warehouse.views.lineage import sources_of

WIDTH = 28
LONGEST = 90


def lines(found: Explanation, *, with_sql: bool = False) -> Iterator[str]:
    """Yield what is printed, from the meaning of the view down to the generations."""
    yield f"{found.view.name}: {found.view.description}"
    if found.view.method is not None:
        yield from _method(found.view.method)
    yield _line("file", found.steps[0].file)
    yield ""
    yield f"row: {text(found.condition)}"
    yield from _values(found)
    yield ""
    yield "what the views read"
    for step in found.steps:
        yield _line(step.name, ", ".join(step.reads))
    yield _line("at the end", ", ".join(sources_of(found.steps)))
    yield ""
    yield from _inputs(found.inputs)
    if with_sql:
        yield "SQL"
        yield from found.sql.splitlines()
        yield ""
    yield _source(found.source)


def _line(label: str, words: str) -> str:
    return f"  {label:{WIDTH}}  {words}"


def _method(method: MethodDoc) -> Iterator[str]:
    yield _line("estimand", method.estimand)
    yield _line("formula", method.formula)
    for reference in method.references:
        work = bibliography()[reference.key]
        place = f", {reference.place}" if reference.place else ""
        yield _line("reference", f"{work.label}{place} ({reference.key}, see assay cite)")
    if method.no_reference:
        yield _line("reference", f"none: {method.no_reference}")
    yield _line("known bias", method.bias)


def _values(found: Explanation) -> Iterator[str]:
    for each in found.values:
        shown = "NULL" if each.value is None else text(_short(each.value))
        yield f"{_line(each.name, f'{shown:24}')}  {' '.join(each.description.split())}"
        if each.null_reason:
            yield f"{_line('', 'NULL because')} {' '.join(each.null_reason.split())}"


def _short(value: object) -> object:
    return f"{value:.6g}" if isinstance(value, float) else plain(value)


def _inputs(inputs: Inputs) -> Iterator[str]:
    yield "what is behind it"
    if inputs.none:
        yield f"  no rows: {inputs.none}"
        yield ""
        return
    for each in inputs.counts:
        of = f" of {each['n_problems']} problems" if each["n_problems"] else ""
        yield _line(each["role"], f"{each['n']} {_plural(each['kind'], each['n'])}{of}")
        for part in inputs.reasons:
            if part["role"] == each["role"]:
                yield _line("", f"  {part['n']:>8}  {_reason(part)}")
    if not inputs.counts:
        yield "  no rows"
    for note in inputs.notes:
        yield _line("", note)
    yield from _origins(inputs)
    yield from _generations(inputs)


def _plural(kind: str, n: int) -> str:
    if n == 1:
        return kind
    irregular = {"canary": "canaries", "outcome of a test": "outcomes of tests"}
    return irregular.get(kind, f"{kind}s")


def _reason(part: Record) -> str:
    if part["null_reason"] is None:
        return part["verdict"] or "no verdict: compared as a text, or not at all"
    unused = f", {part['verdict']}" if part["verdict"] else ""
    return f"not used: {part['null_reason']}{unused}"


def _origins(inputs: Inputs) -> Iterator[str]:
    for each in inputs.programs:
        names = (each["policy"], each["isolation"], each["integrity"])
        how = ", ".join(name or "not run" for name in names)
        packages = each["environment_id"]
        how += f", packages {packages[:8]}" if packages else ""
        yield _line("programs", f"{each['n']} by judge {each['judge_version']}: {how}")
    for each in inputs.releases:
        used = f", {each['n_problems_used']} of its {each['n_problems']} problems"
        yield _line(
            "dataset",
            f"{text(each['name'])} {text(each['version'])}{used if each['n_problems'] else ''}, "
            f"SHA-256 {each['sha256'] or 'unknown'}, {text(each['source'])}",
        )
    for each in inputs.runs:
        commit = each["git_commit"] or "no commit"
        dirty = " with changes" if each["git_dirty"] else ""
        brought = ", ".join(
            f"{each[f'n_{what}']} {what}"
            for what in ("problems", "inputs", "admissions", "outcomes")
            if each[f"n_{what}"]
        )
        yield _line(
            f"run {each['started_utc']}",
            f"{each['kind']}, {each['status']}, Assay {each['code_version']} ({commit}{dirty}), "
            f"{brought}, {_cut(json.dumps(each['settings']))}",
        )
    yield ""


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}... (whole in --json)"


def _generations(inputs: Inputs) -> Iterator[str]:
    if not inputs.generations:
        return
    n = len(inputs.generations)
    more = "" if n == inputs.n_generations else ", the first of them; --generations lists all"
    yield f"generations: {n} of {inputs.n_generations}{more}"
    for each in inputs.generations:
        verdict = each["null_reason"] or each["verdict"] or ""
        place = f"{text(each['task_id'])} #{each['sample_index']}"
        yield f"  {text(each['generation_id']):32}  {text(each['lm'])}  {place}  {verdict}"
    first = text(inputs.generations[0]["generation_id"])
    yield (
        '  assay sql --warehouse "select raw_text from raw.generation_text '
        f"where generation_id = '{first}'\""
    )
    yield ""


def _source(source: Record) -> str:
    if "warehouse" in source:
        return "the warehouse"
    commit = source["git_commit"] or "no commit"
    commit += " with changes" if source["git_dirty"] else ""
    return f"snapshot {source['snapshot_id']}, Assay {source['code_version']} ({commit})"
