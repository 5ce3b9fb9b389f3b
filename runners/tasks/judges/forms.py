"""A pair judge: a language model is asked how similar two programs of one problem are.

The paper is Chon et al. (arXiv 2408.14504, appendix A.1). Version 1 asks as its authors do, once
and in one order, but at temperature 0. Version 2 shows the programs in both orders and asks three
times each, because judges favour an order and their votes differ.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ingest import keys
from ingest.answers.truncate import whole
from models.tables import PairRating
from models.words import JUDGE_MEASURES
from runners.drawing.backends.base import Completion
from runners.drawing.generations import AnswerRule, KeptAnswer
from runners.measuring.similarity.syntax import without_comments
from runners.tasks.judges.levels import ReadLevel, last_line, only_number

TASK = "rating"
KIND = "rating"
PLANTED = "level"


@dataclass(frozen=True)
class JudgeForm:
    """How a template is asked: the measure of its replies, and what reads a level from one.

    Without another limit a reply has ``max_tokens`` tokens.
    """

    measure: str
    temperature: float
    max_tokens: int
    read: Callable[[str], ReadLevel]

    @property
    def n_orders(self) -> int:
        """1: the smaller candidate_id is shown first; 2: also the other way round."""
        return JUDGE_MEASURES[self.measure][0]

    @property
    def n_votes(self) -> int:
        """Replies that are asked for in each order."""
        return JUDGE_MEASURES[self.measure][1]


PAIR_JUDGE_V1 = JudgeForm("judge_v1", 0.0, 16, only_number)
# at temperature 0 three votes would be one; the released script leaves it at 1, the usual default
PAIR_JUDGE_V2 = JudgeForm("judge_v2", 1.0, 256, last_line)


@dataclass(frozen=True, slots=True)
class ShownPair:
    """Two programs as a request shows them: their candidates and their lengths."""

    candidate_first: str
    candidate_second: str
    n_characters_first: int
    n_characters_second: int


def shown(source: str) -> str:
    """Return a program as judges see it: without comments and strings that are whole statements."""
    return without_comments(source).strip("\n")


def answer_rule(form: JudgeForm, scorer_id: str, asked: dict[str, ShownPair]) -> AnswerRule:
    """Return what keeps a reply whole, with the row of its level.

    ``asked`` has the pair of each request by generation_id; a pair is removed when it is rated.
    """

    def kept_reply(completion: Completion) -> KeptAnswer:
        found = form.read(completion.text)
        row = rating_row(scorer_id, asked.pop(completion.request.generation_id), found, completion)
        kept = whole(completion.text)
        if found.null_reason is None:
            return KeptAnswer(kept, "whole", rows=(row,))
        detail = f"{found.null_reason} in {completion.text[:200]!r}"
        return KeptAnswer(kept, "whole", (("parse_fail", detail),), (row,))

    return kept_reply


def rating_row(
    scorer_id: str, pair: ShownPair, found: ReadLevel, completion: Completion
) -> PairRating:
    """Return the row of what a reply gives; its ``run_id`` is filled in later."""
    first, second, request = pair.candidate_first, pair.candidate_second, completion.request
    return PairRating(
        rating_id=keys.rating_id(scorer_id, first, second, request.sample_index, None),
        scorer_id=scorer_id,
        problem_id=request.problem_id,
        candidate_first=first,
        candidate_second=second,
        vote=request.sample_index,
        level=found.level,
        null_reason=found.null_reason,
        generation_id=request.generation_id,
        rater=None,
        n_characters_first=pair.n_characters_first,
        n_characters_second=pair.n_characters_second,
        run_id="",
    )
