"""Measure similarity, for SQL to judge: of the candidates of a problem, and of round trips.

Of each pair of candidates tokens are counted. The program of a round trip is compared with the code
that was taken out, the description of an edit with what a person said of the edit.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, groupby, islice
from typing import Any

from models.keys import content_key
from models.tables import PairSimilarity, TextSimilarity
from models.words import TASKS_OF_METRICS
from runners.judging.languages import TOKENIZERS
from runners.measuring.similarity.answers import measured
from runners.progress import track
from runners.specs import SimilaritySpec
from warehouse.facts.measuring import TextDue, due_pairs, due_texts
from warehouse.frames import schema_of
from warehouse.store.connection import bring_up_to_date, reading
from warehouse.store.locks import one_at_a_time
from warehouse.store.runs import RunHandle, recorded

PAIRS_PER_APPEND = 500_000
TEXTS_PER_APPEND = 5_000
"""About ten seconds of work."""

CELLS_AT_ONCE = 8_000_000


@dataclass
class SimilarityReport:
    """What was compared: candidates tokenised, new pairs, and new texts of round trips.

    Pairs and texts are counted per measure.
    """

    candidates: int = 0
    pairs: dict[str, int] = field(default_factory=dict)
    round_trips: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0


@one_at_a_time("similarity", "similarity")
def similarity_pairs(spec: SimilaritySpec, *, progress: bool = True) -> SimilarityReport:
    """Compare every pair and round trip that is not compared yet and append what is measured.

    Interrupted, it continues where it stopped.
    """
    began = time.monotonic()
    report = SimilarityReport()
    bring_up_to_date()
    with reading() as con:
        pending, sources = due_pairs(
            con,
            max_samples=spec.max_samples,
            measures=spec.measures,
            tasks=TASKS_OF_METRICS["whole_functions"],
        )
        texts = due_texts(con, spec.text_measures)
    if pending.num_rows or texts:
        report.candidates = len(sources)
        with recorded("similarity", settings=spec.settings()) as run:
            starts = range(0, pending.num_rows, PAIRS_PER_APPEND)
            for start in track(starts, len(starts), "similarity", enabled=progress):
                part = pending.slice(start, PAIRS_PER_APPEND)
                run.append_frames({PairSimilarity: _compare(part, sources, run.run_id)})
            report.pairs = dict(Counter(pending["measure"].to_pylist()))
            report.round_trips = _compare_texts(texts, run, progress=progress)
            run.summary |= {"candidates": report.candidates, "pairs": report.pairs}
            run.summary |= {"round_trips": report.round_trips}
    report.seconds = time.monotonic() - began
    return report


def _compare_texts(texts: list[TextDue], run: RunHandle, *, progress: bool) -> dict[str, int]:
    """Append rows of text_similarity, and return the number of texts per measure."""
    import pyarrow as pa

    schema = schema_of(TextSimilarity)
    found = measured(track(texts, len(texts), "round trips", enabled=progress), run.run_id)
    while part := list(islice(found, TEXTS_PER_APPEND)):
        frame = pa.Table.from_pylist(list(chain.from_iterable(part)), schema=schema)
        run.append_frames({TextSimilarity: frame})
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({measure: len(text.generation_ids) for measure in text.measures})
    return dict(sorted(counts.items()))


def _compare(pending: Any, sources: dict[str, str], run_id: str) -> Any:
    """Return rows of pair_similarity for pending pairs, which come ordered by problem."""
    import numpy as np
    import pyarrow as pa

    measures = pending["measure"].to_pylist()
    firsts, seconds = pending["candidate_a"].to_pylist(), pending["candidate_b"].to_pylist()
    problems = pending["problem_id"].to_pylist()
    n_rows = len(measures)
    counts = {name: np.zeros(n_rows, np.int32) for name in ("shared", "a", "b")}
    for start, stop in _blocks(measures, problems):
        tokenise = TOKENIZERS.load(measures[start])
        names = sorted({*firsts[start:stop], *seconds[start:stop]})
        row_of = {name: row for row, name in enumerate(names)}
        table = _count_table([tokenise(sources[name]) for name in names])
        sizes = table.sum(axis=1, dtype=np.int32)
        a = np.fromiter((row_of[name] for name in firsts[start:stop]), np.int64)
        b = np.fromiter((row_of[name] for name in seconds[start:stop]), np.int64)
        counts["shared"][start:stop] = _shared(table, a, b)
        counts["a"][start:stop], counts["b"][start:stop] = sizes[a], sizes[b]
    keys = [content_key(*parts) for parts in zip(firsts, seconds, measures, strict=True)]
    return pa.table(
        {
            "pair_id": keys,
            "candidate_a": pending["candidate_a"],
            "candidate_b": pending["candidate_b"],
            "measure": pending["measure"],
            "n_shared": counts["shared"],
            "n_tokens_a": counts["a"],
            "n_tokens_b": counts["b"],
            "run_id": pa.array([run_id] * n_rows),
        }
    )


def _blocks(measures: list[str], problems: list[str]) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of runs of one measure and problem."""
    stop = 0
    for _, block in groupby(zip(measures, problems, strict=True)):
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
