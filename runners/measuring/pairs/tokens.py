"""Count the tokens that two programs share, for many pairs at once."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from models.keys import content_key
from models.tables import PairCountBlock
from runners.measuring.pairs import TOKENIZERS
from warehouse.frames import schema_of

CELLS_AT_ONCE = 8_000_000


def tokens_compared(pending: Any, sources: dict[str, str], run_id: str) -> Any:
    """Return rows of pair_count_block for pairs, which are ordered by measure and problem."""
    import numpy as np
    import pyarrow as pa

    measures = pending["measure"].to_pylist()
    firsts, seconds = pending["candidate_a"].to_pylist(), pending["candidate_b"].to_pylist()
    problems = pending["problem_id"].to_pylist()
    rows = []
    for start, stop in blocks(list(zip(measures, problems, strict=True))):
        measure = measures[start]
        tokenise = TOKENIZERS.load(measure)
        names = sorted({*firsts[start:stop], *seconds[start:stop]})
        row_of = {name: row for row, name in enumerate(names)}
        table = _count_table([tokenise(sources[name]) for name in names])
        a = np.fromiter((row_of[name] for name in firsts[start:stop]), np.int64)
        b = np.fromiter((row_of[name] for name in seconds[start:stop]), np.int64)
        places = ((a + 1).tolist(), (b + 1).tolist())
        rows.append(
            {
                "block_id": content_key(measure, names, *places),
                "measure": measure,
                "candidates": names,
                "n_tokens": table.sum(axis=1, dtype=np.int32),
                "firsts": places[0],
                "seconds": places[1],
                "n_shared": _shared(table, a, b),
                "run_id": run_id,
            }
        )
    return pa.Table.from_pylist(rows, schema=schema_of(PairCountBlock))


def blocks(groups: list[Any]) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of neighbours that are equal."""
    stop = 0
    for _, block in groupby(groups):
        start, stop = stop, stop + sum(1 for _ in block)
        yield start, stop


def _count_table(bags: list[list[str]]) -> Any:
    """Return the counts of each token (column) in each bag (row)."""
    import numpy as np

    column_of: dict[str, int] = {}
    tallies = [Counter(bag) for bag in bags]
    for tally in tallies:
        for token in tally:
            column_of.setdefault(token, len(column_of))
    most = max((max(tally.values(), default=0) for tally in tallies), default=0)
    table = np.zeros((len(bags), len(column_of)), np.uint16 if most < 2**16 else np.uint32)
    for row, tally in enumerate(tallies):
        for token, count in tally.items():
            table[row, column_of[token]] = count
    return table


def _shared(table: Any, a: Any, b: Any) -> Any:
    """Return the size of the multiset intersection of rows a[i] and b[i], for each i."""
    import numpy as np

    shared = np.zeros(len(a), np.int32)
    step = max(1, CELLS_AT_ONCE // max(1, table.shape[1]))
    for start in range(0, len(a), step):
        both = np.minimum(table[a[start : start + step]], table[b[start : start + step]])
        shared[start : start + step] = both.sum(axis=1, dtype=np.int32)
    return shared
