"""Score pairs of programs by every measure, problem by problem, and append the rows."""

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from models.base import Row
from models.keys import content_key
from models.tables import CandidateFeature, PairScoreBlock
from models.words import TEXT_NOT_KEPT, UNKEPT_CANDIDATE
from runners.measuring.pairs import PAIR_MEASURES
from runners.measuring.pairs.base import Material, NoFeature, PairMeasure
from runners.measuring.pairs.tokens import blocks
from runners.progress import track
from runners.workers import in_processes
from warehouse.facts.measuring import ScoresDue, due_scores, references
from warehouse.frames import Frames, frames_of
from warehouse.store.connection import reading
from warehouse.store.runs import RunHandle

APPEND_EVERY_S = 20.0


@dataclass(frozen=True)
class PairsOfProblem:
    """Programs of one problem, their features where they are known, and the pairs of them."""

    candidate_ids: list[str]
    sources: list[str]
    known: list[Any]
    first: Any
    second: Any


@dataclass(frozen=True)
class PairsScored:
    """The same pairs with their scores, and the features that were not known."""

    pairs: PairsOfProblem
    values: list[float | None]
    null_reasons: list[str | None]
    features: dict[str, Any]


def append_scores(
    pairs: Any,
    measures: Sequence[str],
    encoder: Path | None,
    run: RunHandle,
    *,
    workers: int,
    progress: bool,
) -> tuple[dict[str, int], dict[str, int]]:
    """Append the scores of every pair that has none, by some measures.

    Return the number of new pairs by measure, and of those without a score by measure and reason.
    """
    tried: Counter[str] = Counter()
    unscored: Counter[str] = Counter()
    if not pairs.num_rows:
        return {}, {}
    with reading() as con:
        material = Material(references(con, pairs), encoder)
    kinds = PAIR_MEASURES.load_all(measures)
    waiting = ((measure, scorer) for measure, kind in kinds for scorer in kind.scorers(material))
    while (found := _next_due(waiting, pairs)) is not None:
        measure, scorer, due = found
        for part in _in_parts(_scored(scorer, due, workers, progress=progress)):
            run.append_frames(_frames(scorer, part, run.run_id))
            for scored in part:
                tried[measure] += len(scored.values)
                why = Counter(filter(None, scored.null_reasons))
                unscored.update({f"{measure}: {reason}": why[reason] for reason in why})
    return dict(tried), dict(unscored)


def _next_due(
    waiting: Iterator[tuple[str, PairMeasure]], pairs: Any
) -> tuple[str, PairMeasure, ScoresDue] | None:
    """Advance to the next scorer with pairs to score; return measure, scorer and these pairs.

    The warehouse is opened once for all scorers that have none.
    """
    with reading() as con:
        for measure, scorer in waiting:
            due = due_scores(con, pairs, scorer.scorer_id, scorer.release_id)
            if due.pairs.num_rows:
                return measure, scorer, due
    return None


def _scored(
    scorer: PairMeasure, due: ScoresDue, workers: int, *, progress: bool
) -> Iterator[PairsScored]:
    """Yield the pairs of each problem as they are scored."""
    problems = due.pairs["problem_id"].to_pylist()
    alone = scorer.worth_a_pool is None or len(problems) < scorer.worth_a_pool
    n_workers = 1 if alone else min(workers, os.cpu_count() or 1)
    spans = list(blocks(problems))
    given = _problems(due, scorer.kept, spans)
    with closing(in_processes(partial(score_problem, scorer), given, n_workers)) as results:
        yield from track(results, len(spans), scorer.measure, enabled=progress)


def score_problem(scorer: PairMeasure, pairs: PairsOfProblem) -> PairsScored:
    """Score the pairs of one problem; a pair has the reason of a program without a feature."""
    import numpy as np

    unkept = NoFeature(TEXT_NOT_KEPT)
    features = [
        unkept if candidate_id == UNKEPT_CANDIDATE else known
        for candidate_id, known in zip(pairs.candidate_ids, pairs.known, strict=True)
    ]
    missing = [row for row, feature in enumerate(features) if feature is None]
    found = scorer.features([pairs.sources[row] for row in missing]) if missing else []
    for row, feature in zip(missing, found, strict=True):
        features[row] = feature
    usable = [row for row, each in enumerate(features) if not isinstance(each, NoFeature)]
    position_of = np.full(len(features), -1, np.int64)
    position_of[usable] = np.arange(len(usable))
    first, second = position_of[pairs.first], position_of[pairs.second]
    both = (first >= 0) & (second >= 0)
    values: list[float | None] = [None] * len(first)
    if both.any():
        scores = scorer.compare([features[row] for row in usable], first[both], second[both])
        for row, score in zip(np.flatnonzero(both).tolist(), scores.tolist(), strict=True):
            values[row] = score
    reasons = [
        _reason(features[a], features[b]) for a, b in zip(pairs.first, pairs.second, strict=True)
    ]
    new = {pairs.candidate_ids[row]: features[row] for row in missing} if scorer.kept else {}
    return PairsScored(pairs, values, reasons, new)


def _reason(one: Any, other: Any) -> str | None:
    """Return why a pair has no score: of two reasons the first, unless a text is not kept."""
    found = [each.null_reason for each in (one, other) if isinstance(each, NoFeature)]
    return TEXT_NOT_KEPT if TEXT_NOT_KEPT in found else next(iter(found), None)


def _problems(
    due: ScoresDue, kept: str, spans: Sequence[tuple[int, int]]
) -> Iterator[PairsOfProblem]:
    import numpy as np

    known = _known(due.features, kept)
    for start, stop in spans:
        part = due.pairs.slice(start, stop - start)
        firsts, seconds = part["candidate_a"].to_pylist(), part["candidate_b"].to_pylist()
        names = sorted({*firsts, *seconds})
        row_of = {name: row for row, name in enumerate(names)}
        yield PairsOfProblem(
            candidate_ids=names,
            sources=[due.sources[name] for name in names],
            known=[known.get(name) for name in names],
            first=np.fromiter((row_of[name] for name in firsts), np.int64, len(firsts)),
            second=np.fromiter((row_of[name] for name in seconds), np.int64, len(seconds)),
        )


def _known(features: Any, kept: str) -> dict[str, Any]:
    """Return the kept features by candidate; a vector as an array."""
    if not kept or not features.num_rows:
        return {}
    found: dict[str, Any] = {}
    names, reasons = (features[name].to_pylist() for name in ("candidate_id", "null_reason"))
    for name, reason, value in zip(names, reasons, features[kept], strict=True):
        whole = value.values.to_numpy() if kept == "vector" and reason is None else value.as_py()
        found[name] = NoFeature(reason) if reason is not None else whole
    return found


def _in_parts(scored: Iterator[PairsScored]) -> Iterator[list[PairsScored]]:
    """Yield what came within some seconds together, so that little is lost when work is cut."""
    part: list[PairsScored] = []
    began = time.monotonic()
    for each in scored:
        part.append(each)
        if time.monotonic() - began > APPEND_EVERY_S:
            yield part
            part, began = [], time.monotonic()
    if part:
        yield part


def _frames(scorer: PairMeasure, part: list[PairsScored], run_id: str) -> Frames:
    rows: list[Row] = [scorer.row(run_id)]
    for scored in part:
        rows.append(_block(scorer.scorer_id, scored, run_id))
        rows += _feature_rows(scorer, scored.features, run_id)
    return frames_of(rows)


def _block(scorer_id: str, scored: PairsScored, run_id: str) -> PairScoreBlock:
    names = scored.pairs.candidate_ids
    places = [(rows + 1).tolist() for rows in (scored.pairs.first, scored.pairs.second)]
    return PairScoreBlock(
        block_id=content_key(scorer_id, names, *places),
        scorer_id=scorer_id,
        candidates=names,
        firsts=places[0],
        seconds=places[1],
        scores=scored.values,
        null_reasons=scored.null_reasons,
        run_id=run_id,
    )


def _feature_rows(
    scorer: PairMeasure, features: dict[str, Any], run_id: str
) -> Iterator[CandidateFeature]:
    for candidate_id, feature in features.items():
        is_null = isinstance(feature, NoFeature)
        yield CandidateFeature(
            feature_id=content_key(scorer.scorer_id, candidate_id),
            scorer_id=scorer.scorer_id,
            candidate_id=candidate_id,
            vector=list(feature) if scorer.kept == "vector" and not is_null else None,
            digest=feature if scorer.kept == "digest" and not is_null else None,
            null_reason=feature.null_reason if is_null else None,
            run_id=run_id,
        )
