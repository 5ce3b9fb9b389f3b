"""docs/formats.md is true: its examples import, and each field is what it says."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.imports import FORMATS
from ingest.imports.layout import Field, FileLayout
from runners.cli import main
from runners.docs import pages
from warehouse.errors import BadInput

LAYOUTS: dict[str, FileLayout] = {name: FORMATS.load(name).layout for name in FORMATS}
FIELDS = [(name, field) for name, layout in LAYOUTS.items() for field in layout.fields]

WRONG: dict[str, Any] = {
    "text": 1,
    "true or false": "yes",
    "whole number": 1.5,
    "number": "1",
    "whole number or text": 1.5,
    "list": "x",
    "object": "x",
    "list of texts": [1],
    "list of numbers": ["x"],
    "list of objects": ["x"],
    "list of lists": ["x"],
}


def written(folder: Path, layout: FileLayout, example: Any) -> Path:
    path = folder / ("samples.jsonl" if layout.lines else "samples.json")
    texts = [json.dumps(value) for value in (example if layout.lines else [example])]
    path.write_text("".join(text + "\n" for text in texts))
    return path


def read(name: str, folder: Path, example: Any) -> int:
    """Return how many samples a format finds in an example."""
    layout = LAYOUTS[name]
    return len(list(FORMATS.load(name).read(written(folder, layout, example))))


@pytest.mark.parametrize("name", FORMATS)
def test_the_example_imports(
    name: str, starter: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = LAYOUTS[name]
    path = written(tmp_path, layout, layout.example)
    arguments = ["import", str(path), "--format", name, "--dataset", "starter", "--lm", "my-lm"]
    if layout.pairs:
        pairs = tmp_path / "pairs.jsonl"
        pairs.write_text("".join(json.dumps(pair) + "\n" for pair in layout.pairs))
        arguments += ["--prompts", str(pairs)]
    assert main.run([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["added"]["generation"] >= 1


def places(field: Field, layout: FileLayout, example: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (container, key) of each value that a field's name means in an example."""
    found = list(enumerate(example)) if layout.lines else [(0, example)]
    values: list[tuple[Any, Any]] = [(example if layout.lines else [example], k) for k, _ in found]
    for part in field.name.replace("[]", ".[]").strip(".").split("."):
        inner: list[tuple[Any, Any]] = []
        for container, key in values:
            value = container[key]
            if part == "[]" and isinstance(value, list):
                inner += [(value, n) for n in range(len(value))]
            elif part == "TASK":
                inner += [(value, task) for task in value]
            elif isinstance(value, dict) and part in value:
                inner.append((value, part))
        values = inner
    yield from values


@pytest.mark.parametrize(("name", "field"), FIELDS, ids=[f"{n}-{f.name}" for n, f in FIELDS])
def test_a_field_is_what_the_page_says(name: str, field: Field, tmp_path: Path) -> None:
    layout = LAYOUTS[name]
    n_samples = read(name, tmp_path, layout.example)
    there = [
        place for place in places(field, layout, layout.example) if place[0][place[1]] is not None
    ]
    assert there, "the example shows every field"

    def changed(change: Callable[[Any, Any], None]) -> Any:
        example = copy.deepcopy(layout.example)
        holds = [p for p in places(field, layout, example) if p[0][p[1]] is not None]
        change(*holds[-1])
        return example

    def spoil(container: Any, key: Any) -> None:
        container[key] = WRONG[field.kind]

    with pytest.raises(BadInput):
        read(name, tmp_path, changed(spoil))

    def remove(container: Any, key: Any) -> None:
        del container[key]

    if field.name.endswith("[]"):
        return  # the entries of a list cannot be missing
    if field.required:
        with pytest.raises(BadInput):
            read(name, tmp_path, changed(remove))
    elif field.name not in ("solution", "completion", "tokens", "logprobs"):
        # those four come in company: their meaning says so
        assert read(name, tmp_path, changed(remove)) <= n_samples


def test_the_page_has_every_format_and_field() -> None:
    page = pages()["formats.md"]
    for name, layout in LAYOUTS.items():
        assert f"## {name}\n" in page
        for field in layout.fields:
            assert f"| `{field.name}` | {field.kind} |" in page
