"""Which raw rows are behind a row of a mart: one entry for each mart, and nowhere else.

A link names a query of ``warehouse/facts/sql/why/rows`` and says which columns of the mart fill its
parameters. A parameter that no column fills is NULL, which the queries take as: any. A mart may
have several links, as one that compares two entries. Where no rows can be named, ``UNLINKED`` says
why, and where to ask.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Link:
    """A query, its parameters by the columns that fill them, and those that are the same always.

    ``side`` tells two entries of one row apart; ``note`` says what the query cannot tell.
    """

    rows: str
    columns: Mapping[str, str]
    fixed: Mapping[str, int | str] = field(default_factory=dict)
    side: str = ""
    note: str = ""


def same(*names: str) -> dict[str, str]:
    """Return parameters that are named as their columns."""
    return {name: name for name in names}


ENTRY = same("lm_id", "setting_id", "release_id")
SUBJECT = same("lm_id", "setting_id", "release_id", "dataset", "notion", "measure")
FORWARD = same("lm_id", "setting_id", "forward_lm_id", "forward_setting_id")
FIRST_K = "where scope is first_k, the first k answers to each problem that have a verdict count"
OF_BIN = "all answers of the subject; a bin or point takes those in its range of scores"
FIRST_OF_EACH = "the first answer to each edit counts"


def samples(side: str = "", note: str = "", **columns: str) -> Link:
    """Return the link to the judged answers of an entry; ``columns`` are those named otherwise."""
    return Link("samples", ENTRY | columns, side=side, note=note)


def answers(version: int, note: str = "", **fixed: str) -> Link:
    """Return the link to the answers of a calibration subject."""
    named = {name: column for name, column in SUBJECT.items() if name not in fixed}
    side = fixed.get("notion", "")
    return Link("answers", named, {"version": version, **fixed}, side=side, note=note)


def pairs(edition: int, *more: str, **columns: str) -> Link:
    """Return the link to the completions of counterfactual pairs of an entry."""
    return Link("pairs", ENTRY | same(*more) | columns, {"edition": edition})


def two(**columns: str) -> tuple[Link, ...]:
    """Return the links to an entry and the one beside it, whose columns these are."""
    return (samples("this"), samples("other", **columns))


CLAIMS = Link("claims", same("claim_source_id", "metric"))
OWN_DESCRIPTIONS = Link("round_trips", {**FORWARD, "forward_lm_id": "lm_id", "dataset": "dataset"})

LINKS: Mapping[str, Sequence[Link]] = {
    "agreement_reproduction_v1": (samples(note="the first 10 answers to each problem are paired"),),
    "ame_v1": (pairs(1, "mutation"),),
    "ame_v2": (pairs(2, "mutation"),),
    "ame_greedy_v1": (pairs(1, "mutation"),),
    "ame_pairs_v1": (Link("pairs", ENTRY | same("pair_id")),),
    "calibration_by_correctness_v1": (
        answers(1, notion="all_pass"),
        answers(1, notion="exact_match"),
    ),
    "calibration_subjects_v1": (Link("answers", SUBJECT | same("version")),),
    "calibration_raw_v1": (answers(1),),
    "calibration_raw_v2": (answers(2),),
    "calibration_scaled_v1": (answers(1),),
    "calibration_scaled_v2": (answers(2),),
    "claim_verdicts_v1": (Link("samples", same("generation_id", "problem_id")),),
    "claimed_calibration_v1": (CLAIMS,),
    "claimed_comparison_v1": (
        Link("claims", {"claim_source_id": "claim_source_id_a", "metric": "metric"}, side="a"),
        Link("claims", {"claim_source_id": "claim_source_id_b", "metric": "metric"}, side="b"),
    ),
    "claimed_vs_judged_v1": (
        Link(
            "samples",
            same("lm_id", "release_id"),
            note="the claims are rows of claim_verdicts; the answers without a claim are here too",
        ),
    ),
    "compared_entries_v1": (samples(),),
    "comparison_v1": (
        samples("a", lm_id="lm_id_a", setting_id="setting_id_a"),
        samples("b", lm_id="lm_id_b", setting_id="setting_id_b"),
    ),
    "comparison_to_best_v1": two(lm_id="best_lm_id", setting_id="best_setting_id"),
    "confidence_v1": (Link("asked", same("generation_id")),),
    "confidence_v2": (Link("asked", same("generation_id")),),
    "distinct_solutions_v1": (samples(note=FIRST_K),),
    "diversity_by_difficulty_v1": (samples(difficulty="difficulty", note=FIRST_K),),
    "diversity_by_difficulty_v2": (samples(difficulty="difficulty", note=FIRST_K),),
    "diversity_by_temperature_v1": two(setting_id="other_setting_id"),
    "diversity_by_temperature_v2": two(setting_id="other_setting_id"),
    "edit_companions_v1": (Link("asked", ENTRY, note=FIRST_OF_EACH),),
    "effect_reproduction_v1": (
        Link("pairs", same("lm_id", "setting_id", "dataset", "mutation"), {"edition": 1}),
    ),
    "execution_health_v1": (samples(),),
    "execution_runs_v1": (Link("outcomes", same("run_id")),),
    "generation_health_v1": (Link("asked", ENTRY),),
    "generation_verdicts_v1": (Link("samples", same("generation_id", "problem_id")),),
    "headline_round_trip_v1": (OWN_DESCRIPTIONS,),
    "headline_setting_v1": (Link("answers", {**ENTRY, "dataset": "dataset"}),),
    "instruct_vs_base_v1": two(lm_id="other_lm_id", setting_id="other_setting_id"),
    "instruct_vs_base_v2": two(lm_id="other_lm_id", setting_id="other_setting_id"),
    "judge_health_v1": (Link("ratings", same("scorer_id")),),
    "leaderboard_v1": (samples(),),
    "leaderboard_v2": (samples(),),
    "limit_sensitivity_v1": (samples(),),
    "line_completion_v1": (samples(dataset="dataset"),),
    "line_completion_v2": (samples(dataset="dataset"),),
    "line_reproduction_v1": (Link("samples", same("lm_id", "setting_id", "dataset")),),
    "measure_agreement_v1": (samples(note="the first 10 answers to each problem are paired"),),
    "mutation_baseline_v1": (pairs(1),),
    "mutation_baseline_v2": (pairs(2),),
    "mutation_correlation_v1": (
        Link(
            "pairs",
            same("simulated", "setting_id", "release_id")
            | {"mutation": "mutation_a", "other_mutation": "mutation_b"},
            {"edition": 1},
        ),
    ),
    "mutation_correlation_v2": (pairs(2, mutation="mutation_a", other_mutation="mutation_b"),),
    "mutation_losses_v1": (Link("mutants", same("release_id", "edition", "mutation")),),
    "mutation_yield_v1": (Link("mutants", same("release_id", "edition", "mutation")),),
    "operator_effect_v1": (
        Link("pairs", ENTRY | same("operator"), {"edition": 1, "mutation": "if_else_flip"}),
    ),
    "operator_reproduction_v1": (
        Link(
            "pairs",
            same("lm_id", "setting_id", "operator"),
            {"edition": 1, "mutation": "if_else_flip"},
        ),
    ),
    "pair_reproduction_v1": (
        Link("mutants", same("mutation"), {"edition": 1}, note="the mutants of every dataset"),
    ),
    "pass_at_k_v1": (samples(),),
    "pass_at_k_curve_v1": (samples(),),
    "problem_values_v1": (Link("samples", same("problem_id"), note="the answers of all entries"),),
    "problem_difficulty_v1": (Link("headline_samples", same("problem_id", "simulated")),),
    "project_functions_v1": (Link("suites", same("project_release_id", "path", "def_line")),),
    "project_health_v1": (Link("suites", same("project_release_id")),),
    "project_tests_v1": (Link("suites", same("project_release_id", "test")),),
    "rater_agreement_v1": (Link("ratings", same("release_id")),),
    "reliability_bins_v1": (answers(1, OF_BIN),),
    "reliability_bins_v2": (answers(2, OF_BIN),),
    "reliability_points_v1": (answers(1, OF_BIN),),
    "reproduction_v1": (answers(1),),
    "reproduction_v2": (Link("asked", same("lm_id", "setting_id", "dataset")),),
    "roc_v1": (answers(1, OF_BIN),),
    "roc_v2": (answers(2, OF_BIN),),
    "round_trip_reproduction_v1": (OWN_DESCRIPTIONS,),
    "round_trips_v1": (Link("asked", same("generation_id")),),
    "rtc_beside_pass_at_1_v1": (
        OWN_DESCRIPTIONS,
        samples("pass@1", setting_id="pass_at_1_setting_id"),
    ),
    "rtc_beside_pass_at_1_v2": (
        OWN_DESCRIPTIONS,
        samples("pass@1", setting_id="pass_at_1_setting_id"),
    ),
    "rtc_by_project_v1": (Link("round_trips", FORWARD | same("dataset", "mean_over")),),
    "rtc_by_project_v2": (Link("round_trips", FORWARD | same("dataset", "mean_over")),),
    "rtc_editing_v1": (Link("round_trips", FORWARD | same("release_id")),),
    "rtc_editing_v2": (Link("round_trips", FORWARD | same("release_id")),),
    "rtc_synthesis_v1": (Link("round_trips", FORWARD | same("release_id")),),
    "rtc_synthesis_v2": (Link("round_trips", FORWARD | same("release_id")),),
    "sim_at_k_v1": (samples(note=FIRST_K),),
    "sim_at_k_v2": (samples(note=FIRST_K),),
    "similarity_reproduction_v1": (samples(difficulty="difficulty", note=FIRST_K),),
    "strategies_v1": (samples(difficulty="difficulty", note=FIRST_K),),
    "strategies_v2": (samples(difficulty="difficulty", note=FIRST_K),),
    "strategy_reproduction_v1": (samples(difficulty="difficulty"),),
}

PRINTED = (
    "it compares printed numbers with each other; published_results and published_counts hold them"
)

UNLINKED: Mapping[str, str] = {
    "calibration_pairings_v1": "its subjects are rows of calibration_subjects: ask about those",
    "alerts_v1": "a night is many rows: docs/nights.md says how to list them",
    "calibration_pairs_v1": "its subject_no is a row of calibration_subjects: ask about that one",
    "claimed_pairs_v1": "its subject_key is a row of claimed_calibration: ask about that one",
    "published_checks_v1": PRINTED,
    "published_diversity_checks_v1": PRINTED,
    "published_effect_checks_v1": PRINTED,
    "published_round_trip_checks_v1": PRINTED,
    "rtc_project_correlation_v1": "it correlates rows of rtc_by_project: ask about those",
    "rtc_vs_pass_at_1_v1": "it correlates rows of rtc_beside_pass_at_1, or printed numbers: ask "
    "about those",
}
