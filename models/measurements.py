"""Tables of what SQL cannot measure: similarities, stated probabilities, folds, curves."""

from sqlalchemy import ARRAY, Column, Double, Integer, String
from sqlmodel import Field

from models.base import Row


class ReflectionReading(Row, table=True):
    """One row per reflection and reader: the probability its text states."""

    reading_id: str = Field(primary_key=True, description="Hash of generation_id and reader.")
    generation_id: str = Field(description="The reflection; its parent is the judged generation.")
    reader: str = Field(description="verbalized_v1 or verbalized_v2.")
    value: float | None = Field(
        description="Stated probability in [0, 1]; NULL when none was read."
    )
    rule: str | None = Field(description="The rule that read it, such as R1; NULL when none did.")
    null_reason: str | None = Field(description="parse_fail; NULL when there is a value.")
    run_id: str = Field(description="The run that read it.")


class CalibrationFit(Row, table=True):
    """One row per calibration subject, rescaler, fold seed and fold: a fitted curve."""

    fit_id: str = Field(
        primary_key=True,
        description="Hash of subject_key, input_key, rescaler, fold_seed, fold and library.",
    )
    subject_key: str = Field(description="What was fitted: see calibration_subjects.")
    input_key: str = Field(description="Hash of the scores and labels it was fitted on.")
    rescaler: str = Field(description="platt, temperature, isotonic.")
    fold_seed: int | None = Field(description="Seed of the folds; NULL for a fit on all rows.")
    fold: int | None = Field(description="The fold held out, from 0; NULL for a fit on all rows.")
    slope: float | None = Field(description="a in sigmoid(a x + b); NULL for isotonic.")
    intercept: float | None = Field(description="b in sigmoid(a x + b), in logits.")
    steps_x: list[float] | None = Field(
        sa_column=Column(ARRAY(Double), nullable=True),
        description="Isotonic: ascending scores at which the curve is known.",
    )
    steps_y: list[float] | None = Field(
        sa_column=Column(ARRAY(Double), nullable=True),
        description="Isotonic: the curve there; linear between, constant outside.",
    )
    n_train: int = Field(description="Rows it was fitted on.")
    n_positive: int = Field(description="Right ones among them.")
    flag: str | None = Field(description="one_class, constant_score, steep; NULL when none.")
    null_reason: str | None = Field(description="fit_failed or n_lt_min; NULL when fitted.")
    library: str = Field(description="Library and version, and the optimiser.")
    run_id: str = Field(description="The run that fitted it.")


class CalibrationFold(Row, table=True):
    """One row per grouped split and problem: the fold of all its samples, for every seed."""

    fold_id: str = Field(
        primary_key=True, description="Hash of split_key, problem_id, library and number of seeds."
    )
    split_key: str = Field(description="What was split: see calibration_subjects.")
    problem_id: str = Field(description="The problem.")
    folds: list[int] = Field(
        sa_column=Column(ARRAY(Integer), nullable=False),
        description="Fold, from 0, under seed 0, 1, ...",
    )
    library: str = Field(description="Library and version, and the splitter.")
    run_id: str = Field(description="The run that split.")


class KfoldOrder(Row, table=True):
    """One row per number of rows: the fold of each position under the shuffled five-fold split."""

    order_id: str = Field(primary_key=True, description="Hash of n_rows, seed and library.")
    n_rows: int = Field(description="Rows split, sorted by score and then generation_id.")
    seed: int = Field(description="Seed of the shuffle.")
    folds: list[int] = Field(
        sa_column=Column(ARRAY(Integer), nullable=False),
        description="Fold, from 0, of the first, second, ... row.",
    )
    library: str = Field(description="Library and version.")
    run_id: str = Field(description="The run that made it.")


class Estimate(Row, table=True):
    """One row per subject of calibration or claims, or pair, rescaler and statistic outside SQL."""

    estimate_id: str = Field(
        primary_key=True,
        description="Hash of subject_key, input_key, rescaler, statistic, method and seed.",
    )
    subject_key: str = Field(
        description="What was measured: see calibration_subjects, pair_key of "
        "calibration_pairings, and claimed_calibration."
    )
    input_key: str = Field(description="Hash of the scores and labels it was measured on.")
    rescaler: str = Field(description="none, platt, temperature or isotonic.")
    statistic: str = Field(description="Such as smooth_ece, ece_debiased_l1, brier, auroc.")
    value: float | None = Field(description="Estimate; NULL where SQL has the point value.")
    low: float | None = Field(description="Lower end of the 95 % interval; NULL when none.")
    high: float | None = Field(description="Upper end of the 95 % interval; NULL when none.")
    null_reason: str | None = Field(description="Why there is neither; NULL when there is.")
    n_replicates: int | None = Field(description="Replicates or resamples; NULL when none.")
    n_dropped: int | None = Field(description="Replicates in which it was not defined.")
    seed: int | None = Field(description="Seed; NULL when nothing is random.")
    method: str = Field(description="How, such as cluster bootstrap, percentile.")
    library: str = Field(description="Library and version.")
    run_id: str = Field(description="The run that measured it.")


class PairCountBlock(Row, table=True):
    """One row per token measure and pairs of programs counted at once, those of a problem.

    The view ``facts.pair_counted`` has one row per pair.
    """

    block_id: str = Field(
        primary_key=True, description="Hash of measure, candidates, firsts and seconds."
    )
    measure: str = Field(description="scc_v1 (separators dropped) or tokens_v2 (Python tokens).")
    candidates: list[str] = Field(
        sa_column=Column(ARRAY(String), nullable=False),
        description="candidate_id of each program, ascending.",
    )
    n_tokens: list[int] = Field(
        sa_column=Column(ARRAY(Integer), nullable=False), description="Tokens of each program."
    )
    firsts: list[int] = Field(
        sa_column=Column(ARRAY(Integer), nullable=False),
        description="Of each pair, the place in candidates, from 1, of its smaller candidate_id.",
    )
    seconds: list[int] = Field(
        sa_column=Column(ARRAY(Integer), nullable=False),
        description="The place of the larger candidate_id; the same for a program beside itself.",
    )
    n_shared: list[int] = Field(
        sa_column=Column(ARRAY(Integer), nullable=False),
        description="Size of the multiset intersection of each pair's tokens.",
    )
    run_id: str = Field(description="The run that measured it.")


class Scorer(Row, table=True):
    """One row per scorer: a measure of pairs, with the references or encoder that it uses."""

    scorer_id: str = Field(primary_key=True, description="Hash of measure, release and identity.")
    measure: str = Field(
        description="Its name and version, such as tfidf_v1: see docs/similarity.md."
    )
    name: str = Field(
        description="Folder name of the encoder, dataset and version of the references, the "
        "language model that judges, or people; empty for trees and structure."
    )
    release_id: str | None = Field(
        description="The release whose references it was fitted on; NULL when it is fitted on none."
    )
    identity: str = Field(
        description="embedding_v1: checksum of the encoder's files. tfidf_v1: checksum of "
        "vocabulary and counts. tree_edit_v1: version of the parser. structure_v1: version of "
        "the rules. judge_v1, judge_v2: hash of language model, setting and prompt template. "
        "human_v1: people."
    )
    detail: str = Field(
        description="JSON: libraries with versions, number of references and terms, node limit; "
        "of a pair judge: language model, setting, template, orders and votes; of people: empty."
    )
    run_id: str = Field(description="The run that used it first.")


class CandidateFeature(Row, table=True):
    """One row per scorer and candidate: a vector or fingerprint, kept so it is computed once."""

    feature_id: str = Field(primary_key=True, description="Hash of scorer_id and candidate_id.")
    scorer_id: str = Field(description="The scorer.")
    candidate_id: str = Field(description="The candidate.")
    vector: list[float] | None = Field(
        sa_column=Column(ARRAY(Double), nullable=True),
        description="The encoder's vector; NULL for other measures, and where null_reason is set.",
    )
    digest: str | None = Field(
        description="The structural fingerprint; NULL for other measures, and where null_reason is "
        "set."
    )
    null_reason: str | None = Field(
        description="empty_code, no_known_token, no_parse, too_large, not_finite or text_not_kept; "
        "NULL when there is a vector or a digest."
    )
    run_id: str = Field(description="The run that computed it.")


class PairScoreBlock(Row, table=True):
    """One row per scorer and pairs of programs scored at once, those of a problem.

    The view ``facts.pair_scored`` has one row per pair.
    """

    block_id: str = Field(
        primary_key=True, description="Hash of scorer_id, candidates, firsts and seconds."
    )
    scorer_id: str = Field(description="The scorer.")
    candidates: list[str] = Field(
        sa_column=Column(ARRAY(String), nullable=False),
        description="candidate_id of each program, ascending.",
    )
    firsts: list[int] = Field(
        sa_column=Column(ARRAY(Integer), nullable=False),
        description="Of each pair, the place in candidates, from 1, of its smaller candidate_id.",
    )
    seconds: list[int] = Field(
        sa_column=Column(ARRAY(Integer), nullable=False),
        description="The place of the larger candidate_id; the same for a program beside itself.",
    )
    scores: list[float | None] = Field(
        sa_column=Column(ARRAY(Double), nullable=False),
        description="How alike each pair is, from 0 to 1; of an encoder, from -1. NULL where there "
        "is no score.",
    )
    null_reasons: list[str | None] = Field(
        sa_column=Column(ARRAY(String), nullable=False),
        description="empty_code, no_known_token, no_parse, too_large, not_finite or text_not_kept, "
        "of either program of the pair; NULL when there is a score.",
    )
    run_id: str = Field(description="The run that measured it.")


class PairRating(Row, table=True):
    """One row per scorer, ordered pair of candidates, vote and rater: the level that was given."""

    rating_id: str = Field(
        primary_key=True, description="Hash of scorer, both candidates, vote and rater."
    )
    scorer_id: str = Field(description="The language model and how it was asked, or people.")
    problem_id: str = Field(description="The problem that both programs answer.")
    candidate_first: str = Field(description="The candidate shown first; may equal the second.")
    candidate_second: str = Field(description="The candidate shown second.")
    vote: int = Field(description="From 0: each vote is another reply to the same request.")
    level: int | None = Field(
        description="From 1, completely different, to 5, an exact copy; NULL where none was read."
    )
    null_reason: str | None = Field(
        description="empty_reply, no_level (none in the form that was asked for), unreadable "
        "(several numbers) or out_of_range; NULL when there is a level."
    )
    generation_id: str | None = Field(description="The reply; NULL for people.")
    rater: str | None = Field(description="Who gave the level; NULL for a language model.")
    n_characters_first: int = Field(description="Length of the first program as it was shown.")
    n_characters_second: int = Field(description="Length of the second program as it was shown.")
    run_id: str = Field(description="The run that brought it.")


class TextSimilarity(Row, table=True):
    """One row per text of a round trip, measure and component: how alike it is to its reference."""

    text_similarity_id: str = Field(
        primary_key=True, description="Hash of generation_id, measure and component."
    )
    generation_id: str = Field(
        description="A program, compared with the code that was taken out and described; or a "
        "description of an edit, compared with what a person said of the edit."
    )
    measure: str = Field(description="bleu_intl_v1, chrf_v1 or codebleu_v1.")
    component: str = Field(
        description="bleu, chrf, or of CodeBLEU ngram_match, weighted_ngram_match, syntax_match, "
        "dataflow_match."
    )
    value: float | None = Field(
        description="Fraction in [0, 1]; NULL where the reference leaves it undefined, as code "
        "without data flow does."
    )
    run_id: str = Field(description="The run that measured it.")
