"""A row of any table as a row of ours: each key is a template of the columns.

A template is a text with the names of columns in braces: ``"{id}/output"``. ``"{inputs}"`` alone is
the column as it is, of any kind. Two braces are one. Numbers, and lists of templates, may be given
too. Without templates a row has our keys already.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

from ingest.fields import Fields
from warehouse.errors import known_names

HOLE = re.compile(r"\{\{|\}\}|\{(\w+)\}")


def as_problem_row(
    row: Fields, templates: Mapping[str, Any], ignored: Collection[str], known: Collection[str]
) -> Fields:
    """Return a row with our keys; raises BadInput for a key or column that means nothing."""
    used: set[str] = set()
    values = {key: _filled(template, row, used) for key, template in templates.items()}
    for key, value in row.values.items():
        if key in ignored:
            continue
        if key in known and key not in values and (key not in used or not templates):
            values[key] = value
        elif key in values and key not in used:
            raise row.bad(f"the column {key!r} is not used: [problem] gives that key otherwise")
        elif key not in used:
            raise row.bad(f"unknown key {key!r}{known_names(key, known)}")
    for key in values:
        if key not in known:
            raise row.bad(f"[problem] has an unknown key {key!r}{known_names(key, known)}")
    return Fields({key: value for key, value in values.items() if value is not None}, *_at(row))


def _at(row: Fields) -> tuple[Any, Any]:
    return row.path, row.row


def _filled(template: Any, row: Fields, used: set[str]) -> Any:
    if isinstance(template, list):
        return [_filled(each, row, used) for each in template]
    if not isinstance(template, str):
        return template
    whole = HOLE.fullmatch(template)
    if whole and whole[1]:
        used.add(whole[1])
        return row.values.get(whole[1])

    def text(found: re.Match[str]) -> str:
        name = found[1]
        if name is None:
            return found[0][0]
        used.add(name)
        value = row.required(name)
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            raise row.bad(f"the column {name!r} is no text, and a template has it within one")
        return str(value)

    return HOLE.sub(text, template)
