"""Ratings by people: how similar they find two programs of a task, on the levels of the judge.

Chon et al. (arXiv 2408.14504, Table 4) correlate measures with such ratings; theirs are not
published. A file is read whole before anything is stored.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ingest.catalogue import Catalogue, catalogue_of
from ingest.fields import Fields, json_objects
from ingest.files import sha256_of
from ingest.keys import rating_id
from ingest.samples import Sample
from models.base import Row
from models.keys import content_key, text_key
from models.tables import PairRating, Scorer
from models.words import HUMAN_MEASURE, RATING_LEVELS, Style
from warehouse.errors import BadInput
from warehouse.facts.ratings import judged_candidates, stored_levels
from warehouse.parameters import Spec
from warehouse.store.connection import bring_up_to_date, reading
from warehouse.store.runs import recorded

PEOPLE = "people"
PEOPLE_ID = content_key(HUMAN_MEASURE, "", PEOPLE)


@dataclass(frozen=True)
class RatingsSpec(Spec):
    """A JSON Lines file of ratings by people.

    Each line has dataset, task_id, code_a, code_b, rater and level. The codes are whole programs
    that were judged for the task, as ``raw.candidate`` has them; code_a is what was shown first.
    ``skip_unknown`` passes over lines with other codes, and counts them.
    """

    path: Path
    skip_unknown: bool = False


@dataclass(frozen=True)
class RatingsReport:
    """Lines that a file has, those repeated or passed over, and new rows of raw.pair_rating."""

    n_ratings: int
    n_repeated: int
    n_skipped: int
    n_raters: int
    n_pairs: int
    n_added: int


@dataclass(frozen=True)
class RatedLine:
    """One line: the problem, both texts and their keys, who rated them, and the level."""

    place: Fields
    problem_id: str
    codes: tuple[str, str]
    candidates: tuple[str, str]
    rater: str
    level: int

    @property
    def key(self) -> str:
        """The key of its row."""
        return rating_id(PEOPLE_ID, *self.candidates, 0, self.rater)


def import_ratings(spec: RatingsSpec) -> RatingsReport:
    """Read ratings by people and append what is new.

    Raises BadInput, naming file, row and reason, before anything is written. The reason is a field
    that does not fit, an unknown task, or a code that was never judged for it. Another level of the
    same person for the same pair is a reason too.
    """
    bring_up_to_date()
    lines = list(_lines(spec.path))
    keys = {key for line in lines for key in line.candidates}
    with reading() as con:
        judged = judged_candidates(con, sorted(keys))
        stored = stored_levels(con, [line.key for line in lines])
    known = [line for line in lines if _is_known(line, judged, skip_unknown=spec.skip_unknown)]
    levels: dict[str, int] = dict(stored)
    for line in known:
        level = levels.setdefault(line.key, line.level)
        if level != line.level:
            raise line.place.bad(
                f"{line.rater} rated this pair in this order with level {level} before: "
                "a person has one level per pair and order"
            )
    n_added = 0
    if known:
        inputs = [spec.path]
        settings = spec.settings() | {"sha256": sha256_of(spec.path)}
        with recorded("ratings", settings=settings, inputs=inputs) as run:
            n_added = run.append(_rows(known, run.run_id))["pair_rating"]
            run.summary.update(n_ratings=len(lines), n_skipped=len(lines) - len(known))
    return RatingsReport(
        n_ratings=len(lines),
        n_repeated=len(known) - n_added,
        n_skipped=len(lines) - len(known),
        n_raters=len({line.rater for line in known}),
        n_pairs=len({frozenset(line.candidates) for line in known}),
        n_added=n_added,
    )


def scorer_of_people(run_id: str) -> Scorer:
    """Return the row of the scorer that all people are."""
    return Scorer(
        scorer_id=PEOPLE_ID,
        measure=HUMAN_MEASURE,
        name=PEOPLE,
        release_id=None,
        identity=PEOPLE,
        detail="{}",
        run_id=run_id,
    )


def _lines(path: Path) -> Iterator[RatedLine]:
    catalogues: dict[str, Catalogue] = {}
    for place in json_objects(path):
        dataset = place.text("dataset")
        if dataset not in catalogues:
            try:
                catalogues[dataset] = catalogue_of(dataset)
            except BadInput as error:
                raise place.bad(error.reason) from error
        rater, level = place.text("rater", limit=1_000), place.values.get("level")
        if not (rater.strip() and rater.isprintable()):
            raise place.bad(f"the field 'rater' is {rater!r}, no name of a person")
        if type(level) is not int or level not in RATING_LEVELS:
            raise place.bad("the field 'level' must be a whole number from 1 to 5")
        codes = place.text("code_a"), place.text("code_b")
        task = Sample(row=place.row, task_id=place.text("task_id"), text="", style=Style.SOLUTION)
        yield RatedLine(
            place=place,
            problem_id=catalogues[dataset].find(task, "original", place).problem_id,
            codes=codes,
            candidates=(text_key(codes[0]), text_key(codes[1])),
            rater=rater,
            level=level,
        )


def _is_known(line: RatedLine, judged: set[tuple[str, str]], *, skip_unknown: bool) -> bool:
    """Say whether both codes were judged for the task; raises BadInput unless others may be."""
    for name, key in zip(("code_a", "code_b"), line.candidates, strict=True):
        if (key, line.problem_id) in judged:
            continue
        if skip_unknown:
            return False
        raise line.place.bad(
            f"the field {name!r} is no program judged for this task: give its whole text "
            "as raw.candidate has it, or skip such lines with --skip-unknown"
        )
    return True


def _rows(lines: list[RatedLine], run_id: str) -> Iterator[Row]:
    scorer = scorer_of_people(run_id)
    yield scorer
    for line in lines:
        yield PairRating(
            rating_id=line.key,
            scorer_id=scorer.scorer_id,
            problem_id=line.problem_id,
            candidate_first=line.candidates[0],
            candidate_second=line.candidates[1],
            vote=0,
            level=line.level,
            null_reason=None,
            generation_id=None,
            rater=line.rater,
            n_characters_first=len(line.codes[0]),
            n_characters_second=len(line.codes[1]),
            run_id=run_id,
        )
