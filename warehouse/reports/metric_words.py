"""What the metrics of comparisons are called, and how their values are printed."""

METRICS = {
    "pass_at_k": "pass@{k}",
    "csim": "CSim@{k}",
    "dpass": "DPass@{k}",
    "exact_match": "exact match",
    "rtc_pass": "round trips that pass",
    "rtc_exact_match": "round trips that match",
}
EXACT = "exact_match_"
SKILL = "skill_"
"""How the names of skill scores begin, which alone have no lower bound."""
SCORES = {
    "brier_": "Brier score of {} (lower is better)",
    "auroc_": "AUROC of {}",
    "ece_": "ECE of {} (lower is better)",
    SKILL: "skill score of {}",
}


def is_score(metric: str) -> bool:
    """Tell whether a metric is printed as it is; others are printed in percent."""
    return metric.startswith(tuple(SCORES))


def metric_name(metric: str, k: int) -> str:
    """Return what a metric is called."""
    for prefix, words in SCORES.items():
        if metric.startswith(prefix):
            measure = metric.removeprefix(prefix)
            judged = " under exact match" if measure.startswith(EXACT) else ""
            return words.format(measure.removeprefix(EXACT)) + judged
    if metric.startswith("accuracy_drop_"):
        return f"accuracy drop by {metric.removeprefix('accuracy_drop_')}"
    return METRICS.get(metric, metric).format(k=k)
