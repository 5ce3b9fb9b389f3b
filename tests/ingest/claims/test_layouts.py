"""docs/claims.md is true: a file without a field is refused if the field is required, else read."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from ingest.claims import CLAIM_FORMATS
from ingest.imports.layout import Field
from warehouse.errors import BadInput

FIELDS = [
    (name, field) for name in CLAIM_FORMATS for field in CLAIM_FORMATS.load(name).layout.fields
]

ONE_OF_SEVERAL = {("generic", "passed")}
"""Optional fields that the example needs: it has none of the others that would do."""


def without(value: Any, parts: list[str]) -> Any:
    """Return a value without what a path of names means; ``[]`` and ``*`` mean each."""
    first, *rest = parts
    if first == "[]":
        return [without(each, rest) for each in value]
    if not isinstance(value, dict):
        return value
    if first == "*":
        return {name: without(each, rest) for name, each in value.items()}
    if first not in value:
        return value
    inner = {first: without(value[first], rest)} if rest else {}
    return {name: each for name, each in value.items() if name != first} | inner


@pytest.mark.parametrize(("name", "field"), FIELDS, ids=lambda value: getattr(value, "name", value))
def test_a_field_is_required_or_not(name: str, field: Field, tmp_path: Path) -> None:
    form = CLAIM_FORMATS.load(name)
    example: Any = form.layout.example
    place = field.name.rpartition(": ")[2].replace("[]", ".[]").strip(".").split(".")
    if form.layout.lines:
        place = ["[]", *place]
    less = without(copy.deepcopy(example), place)
    if less == example:
        pytest.skip("the example does not have this field")
    path = tmp_path / ("results.jsonl" if form.layout.lines else "results.json")
    lines = less if form.layout.lines else [less]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    if field.required or (name, field.name) in ONE_OF_SEVERAL:
        with pytest.raises(BadInput):
            list(form.read(path).claims)
    else:
        list(form.read(path).claims)
