"""Which setting is shown of a language model, once more in plain Python from raw rows."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tests.support.oracles import ame, execution
from tests.support.oracles.execution import Raw

Key = tuple[str, str, str]  # family, language model, dataset


@dataclass(frozen=True)
class HeadlineEntry:
    """One setting under one release, with what decides."""

    setting: str
    release: str
    n_samples: int
    n_problems: int
    n_pairs: int | None = None


def ranked(raw: Raw) -> dict[Key, list[tuple[HeadlineEntry, str]]]:
    """Return the settings of each language model and dataset in order, each with its reason."""
    found: dict[Key, list[HeadlineEntry]] = defaultdict(list)
    for (lm, dataset, setting), cells in execution.samples(raw).items():
        found["leaderboard", lm, dataset].append(_of_samples(setting, cells))
    for (lm, dataset, setting, _), cells in execution.samples_by_release(raw).items():
        known = {
            problem: [row for row in rows if row["verdict"] is not None]
            for problem, rows in cells.items()
            if execution.set_aside(raw, problem) is None and not execution.replaced(raw, setting)
        }
        known = {problem: rows for problem, rows in known.items() if rows}
        if known:
            found["calibration", lm, dataset].append(_of_samples(setting, known))
    for (lm, dataset, setting), scores in ame.scores(raw).items():
        for edition in (1, 2):
            used = [s for s in scores if s.edition == edition and s.reason is None]
            if used:
                found[f"mutations_v{edition}", lm, dataset].append(
                    HeadlineEntry(
                        setting,
                        used[0].problem.rpartition(".")[0],
                        max(s.m or 0 for s in used),
                        len({s.problem for s in used}),
                        len(used),
                    )
                )
    return {key: _in_order(raw, key[0], entries) for key, entries in found.items()}


def _of_samples(setting: str, cells: dict[str, list[Any]]) -> HeadlineEntry:
    release = next(iter(cells)).rpartition(".")[0]
    return HeadlineEntry(setting, release, sum(map(len, cells.values())), len(cells))


def _in_order(
    raw: Raw, family: str, entries: Iterable[HeadlineEntry]
) -> list[tuple[HeadlineEntry, str]]:
    newest: dict[str, HeadlineEntry] = {}
    for entry in entries:
        other = newest.setdefault(entry.setting, entry)
        newest[entry.setting] = max(entry, other, key=lambda each: _began(raw, each))
    kept = sorted(
        newest.values(), key=lambda entry: [place for _, _, place in _places(raw, family, entry)]
    )
    if len(kept) == 1:
        return [(kept[0], "only setting")]
    reasons = [_reason(raw, family, kept[0], kept[1])[0]]
    reasons += [_reason(raw, family, kept[0], entry)[1] for entry in kept[1:]]
    return list(zip(kept, reasons, strict=True))


def _reason(raw: Raw, family: str, ahead: HeadlineEntry, behind: HeadlineEntry) -> tuple[str, str]:
    pairs = zip(_places(raw, family, ahead), _places(raw, family, behind), strict=True)
    return next((one[0], one[1]) for one, other in pairs if one[2] != other[2])


def _places(raw: Raw, family: str, entry: HeadlineEntry) -> list[tuple[str, str, Any]]:
    """What decides, in order, the smaller the better: how it is said of either, and its value."""
    setting = execution.by(raw["setting"], "setting_id")[entry.setting]
    warmth = setting["temperature"] if family == "calibration" else 0
    return [
        ("not resampled", "resampled", setting["resampled"]),
        ("no prompting strategy", "prompting strategy", _has_strategy(setting["prompt_kind"])),
        ("lowest temperature", "higher temperature", (warmth is None, warmth or 0)),
        ("most samples", "fewer samples", -entry.n_samples),
        ("most pairs", "fewer pairs", -(entry.n_pairs or 0)),
        ("most problems", "fewer problems", -entry.n_problems),
        ("newest release", "older release", -_began(raw, entry)),
        ("first key", "later key", entry.setting),
    ]


def _has_strategy(prompt_kind: str) -> bool:
    return bool(re.search(r"chat_(few_shot_cot|planning)_v\d+$", prompt_kind))


def _began(raw: Raw, entry: HeadlineEntry) -> float:
    """Return when the release of an entry was ingested."""
    release = execution.by(raw["dataset_release"], "release_id")[entry.release]
    started: float = execution.by(raw["run"], "run_id")[release["run_id"]]["started_at"].timestamp()
    return started


def check(raw: Raw, rows: list[dict[str, Any]]) -> None:
    """Compare the rows of the view with what raw rows say, all columns that decide."""
    theirs = {
        (*key, entry.setting): (
            rank, len(settings), reason, entry.release, entry.n_samples, entry.n_pairs,
            entry.n_problems,
        )
        for key, settings in ranked(raw).items()
        for rank, (entry, reason) in enumerate(settings, 1)
    }  # fmt: skip
    names = ("rank", "n_settings", "reason", "release_id", "n_samples", "n_pairs", "n_problems")
    ours = {
        (row["family"], row["lm_id"], row["dataset"], row["setting_id"]): tuple(
            row[name] for name in names
        )
        for row in rows
    }
    assert ours == theirs
