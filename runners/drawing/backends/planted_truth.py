"""What a planted language model is: its options, and the exact truth each measure then has.

Each sample has a true probability q of being right. It is pass_rate, plus at most spread for its
task, plus at most sample_spread, less drop from the sample drop_from on, cut to [0, 1]. It is then
right with exactly that chance. The confidence it states is c, a line in logits of q held within
[0.001, 0.999]::

    logit(c) = slope * logit(q) + overconfidence

so that a perfect calibration of c has slope 1 / slope and intercept -overconfidence / slope. What
reflections state, c_r, is the same line with reflect_slope and reflect_overconfidence where those
are given. With n kept tokens, all alike (token_spread = 0), the measures are exactly::

                          curve = "avg_prob"     curve = "total_prob"
    avg_prob              c                      c ** (1 / n)
    total_prob            c ** n                 c
    geometric_mean_prob   c                      c ** (1 / n)
    min_prob              c                      c ** (1 / n)
    avg_prob_incl_stop    c                      (n * avg_prob + 1) / (n + 1)
    total_prob_incl_stop  c ** (n + 1)           c

    verbalized            c_r to 4 digits (both prompts), unless the reply is unreadable
    ask_tf                answer_mass * spelling * c_r (version 1), answer_mass * c_r (version 2)
    ask_tf_normalized     c_r (both versions)
    length (version 1)    c, to half a character: see length_range
    unskilled             the pass rate

With token_spread = s > 0 the measure on the line stays exact, as does its kin with the stop token.
min_prob is c - s * min(c, 1 - c), or c ** ((1 + s) / n) where n > 1; the rest has no simple form.
The kin exist where stop_token is set and chat is not. length needs length_range to be that of the
reference solutions, and holds for texts that are not longer by themselves.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ingest.mutations import MUTATIONS
from warehouse.errors import BadInput, known_names

STEEPEST = 20
FAULTS = {
    "timeout": "Failure gave_up: every attempt timed out",
    "rate_limited": "Failure gave_up: every attempt was answered with 429",
    "truncated": "the first half of the text, finish reason length",
    "empty": "an empty completion",
    "no_code": "prose in place of code",
    "wrong_language": "a block of another language in place of code",
    "logprob_count": "a log-probability too few",
    "logprob_nan": "a log-probability that is NaN",
    "logprob_positive": "a log-probability above 0",
}
"""Faults that can be planted, each at its own rate; a sample has at most one of them."""
CURVES = ("avg_prob", "total_prob")


@dataclass(frozen=True)
class Truth:
    """What is planted; how the shares become measures is the module's docstring.

    pass_rate: mean probability that a sample is right; spread, sample_spread: half-width of the
    uniform spread of that probability over problems, and over the samples of a problem; drop: what
    is taken from it in samples with an index of drop_from and above (a language model that gets
    worse between two nights); n_styles:
    number of equally likely, mutually dissimilar ways to write an answer (two samples are clones
    with probability 1/n_styles); slope, overconfidence: of the stated confidence in logits (1 and
    0 are calibrated); reflect_slope, reflect_overconfidence: the same of reflections, where they
    differ; curve: the measure that is on the line; token_spread: how unequal the tokens are, in
    [0, 1); stop_token: whether one ends the tokens; answer_mass: probability of the two answers
    among all tokens; spelling: share of the usual spelling of each; unreadable: share of stated
    percentages that are none; length_range: shortest and longest reference; chat:
    whether it answers messages with whole programs in a fenced block; sensitivity: by mutation,
    what is taken from q on the mutated side of a counterfactual pair, cut to [0, 1]; telling: share
    of descriptions that say enough to write the code with chance q; guess: chance without one, or
    with another; quoting: share of descriptions that quote the code. A plan is such a description:
    of its two solutions, the one that tells is chosen in that share. example_gain: what worked
    examples in the prompt of a function or program add to q; error, endless and
    unparseable: shares of the wrong samples that raise, never end, or do not parse; faults:
    rate of each of ``FAULTS``; judge_bias, judge_noise and judge_prose: of ratings of pairs, see
    ``planted_judge``.
    """

    pass_rate: float = 0.5
    spread: float = 0.0
    sample_spread: float = 0.0
    drop: float = 0.0
    drop_from: int = 0
    n_styles: int = 4
    slope: float = 1.0
    overconfidence: float = 0.0
    reflect_slope: float | None = None
    reflect_overconfidence: float | None = None
    curve: str = "avg_prob"
    token_spread: float = 0.0
    stop_token: bool = False
    answer_mass: float = 1.0
    spelling: float = 1.0
    unreadable: float = 0.0
    length_range: Sequence[int] | None = None
    chat: bool = False
    error: float = 0.1
    endless: float = 0.0
    unparseable: float = 0.05
    faults: Mapping[str, float] = field(default_factory=dict)
    sensitivity: Mapping[str, float] = field(default_factory=dict)
    telling: float = 1.0
    guess: float = 0.0
    quoting: float = 0.0
    example_gain: float = 0.0
    judge_bias: float = 0.0
    judge_noise: float = 0.0
    judge_prose: float = 0.0
    seed: int = 0


def line(probability: float, slope: float, shift: float) -> float:
    """Return what is stated where the truth is ``probability``: a line in logits."""
    clipped = min(0.999, max(0.001, probability))
    return 1 / (1 + math.exp(-(slope * math.log(clipped / (1 - clipped)) + shift)))


def check(truth: Truth) -> None:
    """Raise BadInput naming the option that does not fit."""
    shares = ("pass_rate", "spread", "sample_spread", "drop", "error", "endless", "unparseable")
    stated = ("answer_mass", "spelling", "unreadable", "token_spread")
    for name in (*shares, *stated, "telling", "guess", "quoting", "example_gain", "judge_prose"):
        _check_share(name, getattr(truth, name))
    _check_judge(truth)
    if truth.token_spread == 1:
        raise BadInput("planted backend: token_spread must be less than 1")
    if not _is_whole(truth.n_styles) or truth.n_styles < 1:
        raise BadInput(f"planted backend: n_styles must be at least 1, not {truth.n_styles!r}")
    if not _is_whole(truth.drop_from) or truth.drop_from < 0:
        raise BadInput(f"planted backend: drop_from must be at least 0, not {truth.drop_from!r}")
    if truth.error + truth.endless + truth.unparseable > 1:
        raise BadInput("planted backend: error + endless + unparseable must not exceed 1")
    if truth.curve not in CURVES:
        raise BadInput(f"planted backend: curve is one of {', '.join(CURVES)}: {truth.curve!r}")
    for name in ("slope", "overconfidence", "reflect_slope", "reflect_overconfidence"):
        value = getattr(truth, name)
        if value is not None and not (_is_number(value) and abs(value) <= STEEPEST):
            raise BadInput(f"planted backend: {name} must lie in [-{STEEPEST}, {STEEPEST}]")
    ends = truth.length_range
    if ends is not None and not (_is_pair(ends) and 0 <= ends[0] < ends[1]):
        raise BadInput("planted backend: length_range is the shortest and the longest length")
    for name in ("faults", "sensitivity"):
        if not isinstance(getattr(truth, name), Mapping):
            raise BadInput(f'planted backend: {name} is an object of rates, as {{"name": 0.1}}')
    require_known("fault", truth.faults, FAULTS)
    require_known("mutation", truth.sensitivity, MUTATIONS)
    for name, drop in truth.sensitivity.items():
        if not _is_number(drop) or not -1 <= drop <= 1:
            raise BadInput(f"planted backend: sensitivity.{name} must lie in [-1, 1]")
    for name, rate in truth.faults.items():
        _check_share(f"faults.{name}", rate)
    if sum(truth.faults.values()) > 1:
        raise BadInput("planted backend: the rates of faults must not exceed 1 together")


def _check_judge(truth: Truth) -> None:
    bias, noise = truth.judge_bias, truth.judge_noise
    if not (_is_number(bias) and abs(bias) <= 4 and _is_number(noise) and 0 <= noise <= 2):
        raise BadInput("planted backend: judge_bias lies in [-4, 4] and judge_noise in [0, 2]")
    if abs(bias) / 2 + noise > 2:
        raise BadInput("planted backend: |judge_bias| / 2 + judge_noise must not exceed 2")


def require_known(noun: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raise BadInput for a name that is not among the known ones."""
    unknown = sorted(set(names).difference(known))
    if unknown:
        raise BadInput(f"planted backend: no {noun} {unknown[0]!r}{known_names(unknown[0], known)}")


def _is_pair(value: Any) -> bool:
    is_list = isinstance(value, list | tuple) and len(value) == 2
    return is_list and all(_is_whole(each) for each in value)


def _is_whole(value: Any) -> bool:
    """Say whether an option is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or _is_whole(value)


def _check_share(name: str, value: Any) -> None:
    if not _is_number(value) or not 0 <= value <= 1:
        raise BadInput(f"planted backend: {name} must lie in [0, 1], not {value!r}")
