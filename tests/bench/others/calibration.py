"""The work of the calibration views in loops, with pandas and scikit-learn."""

import time
from pathlib import Path
from typing import Any

from models.words import MOST_SPLITS
from runners.steps.calibrate import splits_of


def loops(path: Path) -> dict[str, Any]:
    """Do the work of the views for one language model with pandas and scikit-learn, and time it.

    Reading the rows is timed apart: DuckDB joins and filters them, and makes a data frame. What is
    typed already is not parsed. The curves are given, as they are to the views.
    """
    import duckdb
    import sklearn.isotonic
    import sklearn.metrics  # noqa: F401  # imports are not timed

    began = time.monotonic()
    with duckdb.connect(str(path), read_only=True) as con:
        frame = con.execute(
            """
            select
                problem.dataset, generation.problem_id, tokens.logprobs, tokens.kept,
                length(text.kept_text) as length, answer.top_tokens, answer.top_logprobs,
                v1.value as verbalized_v1, v2.value as verbalized_v2,
                outcome.verdict = 'passed' as y,
            from raw.generation as generation
            inner join raw.problem as problem using (problem_id)
            inner join raw.token_logprob as tokens using (generation_id)
            inner join raw.generation_text as text using (generation_id)
            inner join raw.token_logprob as answer
                on answer.generation_id = md5(generation.generation_id || 'ask_tf_v1')
            inner join raw.reflection_reading as v1
                on v1.generation_id = md5(generation.generation_id || 'verbalized_v1')
            inner join raw.reflection_reading as v2
                on v2.generation_id = md5(generation.generation_id || 'verbalized_v2')
            inner join raw.evaluation as evaluation
                on evaluation.generation_id = generation.generation_id
            inner join raw.outcome as outcome using (program_id)
            where generation.lm_id = md5('lm0')
            order by generation.generation_id
            """
        ).df()
        lengths = con.execute("select length(reference) from raw.problem").fetchnumpy()
    references = next(iter(lengths.values()))
    read_s, began = time.monotonic() - began, time.monotonic()
    rows = 0
    for _, group in frame.groupby("dataset"):
        for version, measured in confidences(group.copy(), references):
            for measure_name, p in measured.items():
                known = p.notna()
                score, right = p[known].to_numpy(), group["y"][known].to_numpy()
                problem = group["problem_id"][known]
                size = problem.groupby(problem).transform("size")
                weight = (1 / size if version == 2 else size * 0 + 1.0).to_numpy()
                rows += len(raw_metrics(version, score, right, weight))
                rows += len(scaled_metrics(version, measure_name, score, right, weight, problem))
    loops_s = time.monotonic() - began
    times = {"read_s": round(read_s, 1), "loops_s": round(loops_s, 1)}
    return {**times, "rows": rows, "generations": len(frame)}


def confidences(frame: Any, references: Any) -> list[tuple[int, dict[str, Any]]]:
    """Every confidence of every row, with a function applied to each."""
    import numpy as np

    kept = [
        np.asarray(values)[np.asarray(inside)]
        for values, inside in zip(frame["logprobs"], frame["kept"], strict=True)
    ]
    frame["avg"] = [np.exp(values).mean() for values in kept]
    frame["total"] = [np.exp(values.sum()) for values in kept]
    frame["gm"] = [np.exp(values.mean()) for values in kept]
    frame["least"] = [np.exp(values.min()) for values in kept]
    stopped = {}
    if len(kept[0]) < len(frame["logprobs"].iloc[0]):
        frame["avg_stop"] = [np.exp(np.asarray(values)).mean() for values in frame["logprobs"]]
        frame["total_stop"] = [np.exp(np.asarray(values).sum()) for values in frame["logprobs"]]
        stopped = {
            "avg_prob_incl_stop": frame["avg_stop"],
            "total_prob_incl_stop": frame["total_stop"],
        }
    _true_or_false(frame)
    low, high = references.min(), references.max()
    frame["len1"] = (1 - (frame["length"] - low) / (high - low)).clip(0, 1)
    frame["len2"] = 1 - frame["length"].rank() / len(frame)
    asked = frame["verbalized_v2"]
    per_problem = frame.groupby("problem_id")["y"].mean()
    return [
        (
            1,
            {
                "avg_prob": frame["avg"],
                "total_prob": frame["total"],
                "verbalized": frame["verbalized_v1"],
                "ask_tf": frame["tf1"],
                "ask_tf_normalized": frame["ntf1"],
                "length": frame["len1"],
            },
        ),
        (
            2,
            {
                "avg_prob": frame["avg"],
                "total_prob": frame["total"],
                "geometric_mean_prob": frame["gm"],
                "min_prob": frame["least"],
                **stopped,
                "verbalized": asked,
                "verbalized_base_rate": asked.fillna(per_problem.mean()),
                "ask_tf": frame["tf2"],
                "ask_tf_normalized": frame["ntf2"],
                "length": frame["len2"],
            },
        ),
    ]


def _true_or_false(frame: Any) -> None:
    """Add TRUE's probability and its share, of either version."""
    import numpy as np

    first, second = [], []
    for tokens, logprobs in zip(frame["top_tokens"], frame["top_logprobs"], strict=True):
        positions = [[*zip(*place, strict=True)] for place in zip(tokens, logprobs, strict=True)]
        pairs = [(token, np.exp(v)) for position in positions[:2] for token, v in position[:5]]
        t1 = max((v for token, v in pairs if "true" in token.lower()), default=0.0)
        f1 = max((v for token, v in pairs if "false" in token.lower()), default=0.0)
        first.append((t1, t1 / (t1 + f1)))
        t2 = sum(np.exp(v) for token, v in positions[0] if token.strip().lower() == "true")
        f2 = sum(np.exp(v) for token, v in positions[0] if token.strip().lower() == "false")
        second.append((t2, t2 / (t2 + f2)))
    frame["tf1"], frame["ntf1"] = zip(*first, strict=True)
    frame["tf2"], frame["ntf2"] = zip(*second, strict=True)


def bins_of(p: Any) -> Any:
    import numpy as np

    return np.digitize(np.round(p, 7), np.arange(1, 10) / 10)


def error_of(p: Any, y: Any, w: Any, place: Any) -> float:
    """Expected calibration error over bins, with a group-by."""
    import numpy as np
    import pandas as pd

    bins = pd.DataFrame({"w": w, "p": w * p, "y": w * y}).groupby(place).sum()
    return float((bins["y"] - bins["p"]).abs().sum() / np.sum(w))


def raw_metrics(version: int, p: Any, y: Any, w: Any) -> dict[str, Any]:
    """The metrics of one group."""
    import numpy as np
    import pandas as pd
    from sklearn.isotonic import IsotonicRegression
    from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score, roc_curve

    place = bins_of(p)
    rate = np.average(y, weights=w)
    found: dict[str, Any] = {
        "base_rate": rate,
        "brier": brier_score_loss(y, p, sample_weight=w),
        "auroc": roc_auc_score(y, p, sample_weight=w),
        "ece": error_of(p, y, w, place),
    }
    found["skill"] = 1 - found["brier"] / (rate * (1 - rate))
    table = pd.DataFrame({"n": 1, "w": w, "p": w * p, "y": w * y, "place": place})
    found["bins"] = table.groupby("place").sum()
    found["roc"] = roc_curve(y, p, sample_weight=w)
    if version == 1:
        five = np.digitize(p, np.percentile(p, [20, 40, 60, 80]))
        found["points"] = table.groupby(five)[["n", "w", "p", "y"]].sum()
        return found
    found["log_loss"] = log_loss(y, np.clip(p, 1e-6, 1 - 1e-6), sample_weight=w)
    found["quantile"] = error_of(p, y, w, np.digitize(p, np.percentile(p, range(10, 100, 10))))
    sums = found["bins"]
    mean_p, mean_y, share = sums["p"] / sums["w"], sums["y"] / sums["w"], sums["w"] / w.sum()
    found["rel"] = (share * (mean_p - mean_y) ** 2).sum()
    found["res"] = (share * (mean_y - rate) ** 2).sum()
    at_p, at_y = mean_p.loc[place].to_numpy(), mean_y.loc[place].to_numpy()
    found["wbv"] = np.average((p - at_p) ** 2, weights=w)
    found["wbc"] = np.average((p - at_p) * (y - at_y), weights=w)
    size = table["w"].groupby(place).sum() ** 2 / (table["w"] ** 2).groupby(place).sum()
    found["debiased"] = (
        share * ((mean_p - mean_y) ** 2 - mean_y * (1 - mean_y) / (size - 1))
    ).sum()
    noise = pd.Series(w**2 * p * (1 - p)).groupby(place).sum()
    found["noise"] = np.sqrt(2 / np.pi * noise).sum() / w.sum()
    curve = IsotonicRegression(out_of_bounds="clip").fit_transform(p, y, sample_weight=w)
    found["mcb"] = found["brier"] - brier_score_loss(y, np.clip(curve, 0, 1), sample_weight=w)
    return found


def scaled_metrics(
    version: int, measure_name: str, p: Any, y: Any, w: Any, problem: Any
) -> dict[str, Any]:
    """The metrics of one group after each rescaler, out of fold, for each seed."""
    import numpy as np
    from sklearn.metrics import brier_score_loss

    x = np.clip(p, 1e-6, 1 - 1e-6)
    x = np.log(x / (1 - x))
    rate = np.average(y, weights=w)
    codes = problem.astype("category").cat.codes.to_numpy()
    generator = np.random.default_rng(0)
    steps = np.linspace(0, 1, 50)
    found = {}
    for rescaler in ("platt",) if version == 1 else ("platt", "temperature", "isotonic"):
        metrics: list[tuple[float, ...]] = []
        for _ in range(1 if version == 1 else splits_of(len(p), MOST_SPLITS)):
            if version == 1:
                folds = generator.integers(0, 5, len(p))
            else:
                folds = generator.integers(0, 5, codes.max() + 1)[codes]
            scaled = np.empty(len(p))
            for fold in range(5):
                held = folds == fold
                if rescaler == "isotonic":
                    scaled[held] = np.interp(p[held], steps, steps**1.5)
                else:
                    scaled[held] = 1 / (1 + np.exp(-(x[held] + 0.02 * fold - 0.5)))
            brier = brier_score_loss(y, scaled, sample_weight=w)
            metrics.append(
                (
                    float(brier),
                    float(1 - brier / (rate * (1 - rate))),
                    error_of(scaled, y, w, bins_of(scaled)),
                    float(np.sqrt(np.cov(scaled, aweights=w))),
                )
            )
        found[rescaler] = (np.mean(metrics, axis=0), np.std(metrics, axis=0))
    return found
