"""Differences of two entries that no view has, resampled when they are asked for.

``assay calibrate`` stores differences in AUROC, ECE and skill for the pairs of families alone: all
pairs grow with the square of the entries. Any other pair comes from here. The function and the seed
are those of stored pairs, so its numbers are those that would have been stored.
"""

from collections.abc import Sequence
from typing import Any

from warehouse.reports.comparison.rows import AskedPair

REPLICATES = 2000
PREFIXES = {"auroc": "auroc_", "ece": "ece_", "skill_score": "skill_"}


def resampled(pairs: Sequence[AskedPair], answers: Any, *, replicates: int) -> list[dict[str, Any]]:
    """Return a row per pair and statistic: both values, their difference, its interval and p."""
    from runners.measuring.calibration.paired import PairDue, PairsDue, scored_subjects, work

    due = [
        PairDue(str(number), "", pair.subject_no_a, pair.subject_no_b)
        for number, pair in enumerate(pairs)
    ]
    found = work(PairsDue(scored_subjects(answers), due, replicates))
    return [
        {
            "entry_a": pair.entry_a,
            "entry_b": pair.entry_b,
            "metric": PREFIXES[each.statistic] + pair.measure,
            "n_common": one.n_common,
            "n_dropped_a": pair.n_problems_a - one.n_common,
            "n_dropped_b": pair.n_problems_b - one.n_common,
            "seed": one.seed,
            "value_a": each.value_a,
            "value_b": each.value_b,
            "difference": each.difference,
            "difference_lo": each.interval.low,
            "difference_hi": each.interval.high,
            "standard_error": each.standard_error,
            "p_value": each.p_value,
            "null_reason": each.interval.null_reason,
        }
        for pair, one in zip(pairs, found, strict=True)
        for each in one.compared
    ]
