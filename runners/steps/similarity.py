"""Measure similarity, for SQL to judge: of the candidates of a problem, and of round trips.

Of each pair of candidates tokens are counted, and every measure of pairs gives a score. The program
of a round trip is compared with the code that was taken out. The description of an edit is compared
with what a person said of the edit.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from ingest.catalogue import kind_of
from models.tables import PairCountBlock, TextSimilarity
from models.words import PYTHON, TASKS_OF_METRICS, TEXT_NOT_KEPT, UNKEPT_CANDIDATE
from runners.measuring.pairs.encoder_folder import library_of
from runners.measuring.pairs.scores import append_scores
from runners.measuring.pairs.tokens import tokens_compared
from runners.measuring.similarity.answers import measured
from runners.progress import track
from runners.specs import SimilaritySpec
from warehouse.errors import BadInput
from warehouse.facts.measuring import TextDue, all_pairs, due_pairs, due_texts
from warehouse.facts.problems import answered_datasets
from warehouse.frames import schema_of
from warehouse.parameters import BadValue
from warehouse.store.connection import bring_up_to_date, reading
from warehouse.store.locks import one_at_a_time
from warehouse.store.runs import RunHandle, recorded

PAIRS_PER_APPEND = 500_000
TEXTS_PER_APPEND = 5_000
"""About ten seconds of work."""


@dataclass
class SimilarityReport:
    """What was compared: new pairs, and new texts of round trips, per measure.

    ``unscored`` counts the new pairs without a score, per measure and reason.
    """

    pairs: dict[str, int] = field(default_factory=dict)
    unscored: dict[str, int] = field(default_factory=dict)
    round_trips: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0


@one_at_a_time("similarity", "similarity")
def similarity_pairs(spec: SimilaritySpec, *, progress: bool = True) -> SimilarityReport:
    """Compare every pair and round trip that is not compared yet and append what is measured.

    Answers in languages other than Python are left out: no measure reads them. Interrupted, it
    continues where it stopped.
    """
    began = time.monotonic()
    fit(spec)
    report = SimilarityReport()
    bring_up_to_date()
    tasks = TASKS_OF_METRICS["whole_functions"]
    with reading() as con:
        left_out = [name for name in answered_datasets(con) if kind_of(name).language != PYTHON]
        pairs = all_pairs(con, max_samples=spec.max_samples, tasks=tasks, left_out=left_out)
        texts = due_texts(con, spec.text_measures)
    with recorded("similarity", settings=spec.settings()) as run:
        counts, unkept = _count_tokens(pairs, spec.measures, run, progress=progress)
        report.pairs = dict(counts)
        report.unscored = {f"{measure}: {TEXT_NOT_KEPT}": n for measure, n in unkept.items()}
        scored, unscored = append_scores(
            pairs,
            spec.pair_measures,
            spec.encoder,
            run,
            workers=spec.workers,
            progress=progress,
        )
        report.pairs |= scored
        report.unscored |= unscored
        report.round_trips = _compare_texts(texts, run, progress=progress)
        run.summary |= {"pairs": report.pairs, "unscored": report.unscored}
        run.summary |= {"round_trips": report.round_trips}
    report.seconds = time.monotonic() - began
    return report


def fit(spec: SimilaritySpec) -> None:
    """Raise BadValue for an encoder that no installed library reads, before anything long."""
    if spec.encoder is None:
        return
    try:
        library_of(spec.encoder)
    except BadInput as error:
        raise BadValue("encoder", error.reason.removeprefix("encoder ")) from error


def _count_tokens(
    pairs: Any, measures: Sequence[str], run: RunHandle, *, progress: bool
) -> tuple[Counter[str], Counter[str]]:
    """Append rows of pair_count_block, and return the number of pairs per measure.

    The second number is that of pairs with a sample whose text is not kept.
    """
    import pyarrow.compute as pc

    if not pairs.num_rows:
        return Counter(), Counter()
    with reading() as con:
        pending, sources = due_pairs(con, pairs, measures)
    starts = range(0, pending.num_rows, PAIRS_PER_APPEND)
    for start in track(starts, len(starts), "similarity", enabled=progress):
        part = pending.slice(start, PAIRS_PER_APPEND)
        run.append_frames({PairCountBlock: tokens_compared(part, sources, run.run_id)})
    first, second = (pc.equal(pending[f"candidate_{each}"], UNKEPT_CANDIDATE) for each in "ab")
    without_text = pending.filter(pc.or_(first, second))
    return Counter(pending["measure"].to_pylist()), Counter(without_text["measure"].to_pylist())


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
