"""Measure how alike the texts of round trips are to what they should be like."""

from collections.abc import Iterable, Iterator
from typing import Any

from models.keys import content_key
from runners.measuring.similarity import MEASURES
from warehouse.facts.measuring import TextDue


def measured(texts: Iterable[TextDue], run_id: str) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of text_similarity of each text, both sides at the left margin."""
    for text in texts:
        candidate, reference = at_margin(text.kept_text), at_margin(text.reference)
        rows = []
        for measure in text.measures:
            components = MEASURES.load(measure)(candidate, reference)
            for component, value in components.items():
                kinds = {"measure": measure, "component": component, "value": value}
                rows += [
                    {
                        "text_similarity_id": content_key(generation_id, measure, component),
                        "generation_id": generation_id,
                        **kinds,
                        "run_id": run_id,
                    }
                    for generation_id in text.generation_ids
                ]
        yield rows


def at_margin(code: str) -> str:
    """Return code moved left by the indentation of its first statement.

    Unlike textwrap.dedent it also moves code in which a comment or a line of a text begins further
    left.
    """
    lines = code.split("\n")
    first = next((line for line in lines if line.strip() and line.lstrip()[0] != "#"), "")
    margin = first[: len(first) - len(first.lstrip(" \t"))]
    return "\n".join(line.removeprefix(margin) for line in lines)
