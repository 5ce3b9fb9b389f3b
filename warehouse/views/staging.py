"""Write ``dbt/models/staging/`` from the raw tables of ``models``: ``make dbt``.

Each staging view passes on the columns of one raw table. The data tests of these views are listed
by hand in ``dbt/staging_tests.yml``, with the code lists of ``models/words.py`` by name. So are
those of views in the schema ``facts``.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from models import words
from warehouse.names import literal
from warehouse.tables import RawTable, describe_tables
from warehouse.views.project import project_dir

FACTS = (
    *("admission_ordered", "line_covered", "mutation_scan_newest", "pair_counted", "pair_scored"),
    *("problem_rejected", "program_judged", "release_ordered", "suite_run_counted"),
    "suite_test_compared",
)
NAMED: dict[str, Any] = {
    "pair_null_reasons": words.PAIR_NULL_REASONS,
    "passed": words.PASSED,
    "similarities": words.SIMILARITIES,
    "text_components": tuple(
        (measure, component)
        for measure, components in words.TEXT_MEASURES.items()
        for component in components
    ),
}
"""What a data test may name in braces."""

GENERATED = "Written by `make dbt` from models/; a test fails when it is stale."


def main() -> None:
    """Write every generated file that is stale, and remove files that are generated no longer."""
    folder = project_dir() / "models" / "staging"
    files = generated_files()
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def generated_files() -> dict[str, str]:
    """Return the text of each file of the staging folder by its name."""
    import yaml  # type: ignore[import-untyped]

    tests = yaml.safe_load((project_dir() / "staging_tests.yml").read_text(encoding="utf-8"))
    tables = describe_tables()
    files = {f"stg_{table.name}.sql": _view(table) for table in tables}
    files["_sources.yml"] = _yaml(_sources(tables, tests))
    files["_staging.yml"] = _yaml(_views(tables, tests))
    files["README.md"] = f"{GENERATED}\n"
    return files


def _view(table: RawTable) -> str:
    columns = "".join(f"    {column.name},\n" for column in table.columns)
    return f"-- {GENERATED}\nselect\n{columns}from {{{{ source('raw', '{table.name}') }}}}\n"


def _yaml(lines: Iterator[str]) -> str:
    return "\n".join([f"# {GENERATED}", "version: 2", "", *lines]) + "\n"


def _sources(tables: list[RawTable], tests: dict[str, Any]) -> Iterator[str]:
    yield "sources:"
    yield "  - name: raw"
    yield "    schema: raw"
    yield "    description: Append-only rows, each keyed by a hash of its inputs."
    yield "    tables:"
    yield from (f"      - name: {table.name}" for table in tables)
    yield "  - name: facts"
    yield "    schema: facts"
    yield "    description: Rules over rows, as views that migrations make."
    yield "    tables:"
    for name in FACTS:
        yield f"      - name: {name}"
        yield from (" " * 6 + line for line in _tests(name, tests, tables))


def _views(tables: list[RawTable], tests: dict[str, Any]) -> Iterator[str]:
    """Yield each view that has data tests, and the columns that have; ``models`` describes both."""
    yield "models:"
    for table in tables:
        if any(table.name in group for group in tests.values()):
            yield f"  - name: stg_{table.name}"
            yield from (" " * 2 + line for line in _tests(table.name, tests, tables))


def _tests(name: str, tests: dict[str, Any], tables: list[RawTable]) -> Iterator[str]:
    """Yield the data tests of a relation and of its columns."""
    keys = {table.name: next(c.name for c in table.columns if c.is_key) for table in tables}
    lists = {(t.name, c.name) for t in tables for c in t.columns if c.type.endswith("[]")}
    holds, unique = tests["holds"].get(name, {}), tests["unique_key"].get(name)
    numbered = tests["unique_number"].get(name)
    if holds or unique or numbered:
        yield "  data_tests:"
    for test, expression in holds.items():
        yield from _test(4, "holds", test, {"expression": _text(_with_words(expression))})
    if unique:
        columns = f"[{', '.join(unique)}]"
        yield from _test(4, "unique_key", f"{name}_is_unique", {"columns": columns})
    if numbered:
        yield from _test(4, "unique_number", f"{numbered}_has_unique_numbers", {"column": numbered})
    if name in tests["refers_to"]:
        yield "  columns:"
    for column, parent in tests["refers_to"].get(name, {}).items():
        yield f"    - name: {column}"
        yield "      data_tests:"
        arguments = {"to": f"ref('stg_{parent}')", "field": keys[parent]}
        if (name, column) in lists:
            arguments["is_list"] = "true"
        yield from _test(8, "refers_to", f"{name}_{column}_is_a_{parent}", arguments)


def _test(indent: int, kind: str, name: str, arguments: dict[str, str]) -> Iterator[str]:
    lines = [f"- {kind}:", f"    name: {name}", "    arguments:"]
    lines += [f"      {argument}: {value}" for argument, value in arguments.items()]
    yield from (" " * indent + line for line in lines)


def _with_words(expression: str) -> str:
    """Return an expression with the SQL of each word or list that it names in braces."""
    return re.sub(r"\{(\w+)\}", lambda named: _sql(NAMED[named[1]]), expression)


def _sql(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_sql, value))})"
    return literal(value) if isinstance(value, str) else repr(value)


def _text(text: str) -> str:
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


if __name__ == "__main__":
    main()
