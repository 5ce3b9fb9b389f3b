"""What a part of the views reads: dbt's own list, compared with the relations that are there."""

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from warehouse.errors import AssayError

Relation = tuple[str, str]
"""A schema and a name in it."""

MOST_NAMES = 3


def refuse_unbuilt(
    select: str, listed: Sequence[str], manifest: Any, relations: Collection[Relation]
) -> None:
    """Raise AssayError where a selected view or data test reads one that is not built.

    ``listed`` is what ``dbt ls`` says of the selection, ``manifest`` what dbt parsed. A view that
    is selected itself is built before its readers.
    """
    selected = {json.loads(line)["unique_id"] for line in listed}
    missing = sorted(set(_missing(selected, manifest, relations)))
    if missing:
        more = len(missing) - MOST_NAMES
        names = ", ".join(missing[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
        raise AssayError(
            f"the views that {select!r} and its data tests read are not built ({names}): "
            "run `assay build`, which builds all"
        )


def _missing(
    selected: Collection[str], manifest: Any, relations: Collection[Relation]
) -> Iterator[str]:
    for reader in selected:
        node = manifest.nodes.get(reader)
        for name in node.depends_on_nodes if node is not None else ():
            parent = manifest.nodes.get(name)  # None for a source: raw tables are always there
            if (
                parent is not None
                and name not in selected
                and (parent.schema, parent.alias) not in relations
            ):
                yield parent.alias
