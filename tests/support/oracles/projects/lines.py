"""Line completion once more, slowly, in plain Python from raw rows."""

import io
import tokenize
from dataclasses import dataclass, field

from tests.support.oracles import execution as oracles
from tests.support.oracles.execution import Raw
from tests.support.oracles.statistics.intervals import Ends, of_ratio

SHARES = ("all_pass", "exact_match", "pass_and_match", "pass_only", "match_only", "neither")
ALL = "*-lines"
NO_TEXT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
PAIRED_BY = ("style", "temperature", "top_p", "max_tokens", "stop", "seed", "resampled", "label")


def python_tokens(text: str) -> list[str]:
    """Return the tokens of a whole line as Python's own tokenizer has them, without comments."""
    found = tokenize.generate_tokens(io.StringIO(text.strip()).readline)
    return [t.string for t in found if t.type not in (*NO_TEXT, tokenize.ENDMARKER)]


def is_match(version: int, answer: str, reference: str) -> bool:
    """Tell whether a line is the hidden one."""
    if not answer.strip():
        return False
    if version == 1:
        return answer.strip() == reference.strip()
    return python_tokens(answer) == python_tokens(reference)


@dataclass(frozen=True)
class Label:
    """The labels of one sample; ``reason`` says why there is none by the tests."""

    passes: bool | None
    matches: bool | None
    reason: str | None

    def value(self, share: str) -> bool | None:
        """Return whether the sample counts for a share; None where a label is missing."""
        if share == "all_pass":
            return self.passes
        if share == "exact_match":
            return self.matches
        if self.passes is None or self.matches is None:
            return None
        return {
            "pass_and_match": self.passes and self.matches,
            "pass_only": self.passes and not self.matches,
            "match_only": self.matches and not self.passes,
            "neither": not self.passes and not self.matches,
        }[share]


Lines = list[list[Label]]
"""The labels of the samples of each line of a release, by its place; none without a sample."""


@dataclass
class LinesEntry:
    """One language model, dataset and setting, or all its datasets."""

    datasets: dict[str, Lines] = field(default_factory=dict)
    bare: "LinesEntry | None" = None
    """The same without docstrings; over all datasets, of those that were asked so."""

    @property
    def labels(self) -> list[Label]:
        return [label for each in self.datasets.values() for line in each for label in line]

    def parts(self, dataset: str, version: int, measure: str) -> list[tuple[float, float]]:
        """Return the sums above and below the bar that each line adds to a measure."""
        lines = self.datasets[dataset]
        if measure in SHARES:
            return [_part(line, version, measure) for line in lines]
        notion = measure.removesuffix("_docstring_effect")
        bare = self.bare.datasets.get(dataset) if self.bare else None
        found = []
        for place, line in enumerate(lines):
            whole = _part(line, 2, notion)
            other = _part(bare[place], 2, notion) if bare else (0.0, 0.0)
            both = whole[1] and other[1]
            found.append((whole[0] - other[0], 1.0) if both else (0.0, 0.0))
        return found


def _part(line: list[Label], version: int, share: str) -> tuple[float, float]:
    values = [label.value(share) for label in line]
    known = [value for value in values if value is not None]
    if version == 1 or not known:
        return float(sum(known)), float(len(known))
    return sum(known) / len(known), 1.0


def entries(raw: Raw, version: int) -> dict[tuple[str, str, str], LinesEntry]:
    """Return the entries by language model, dataset and setting, those of all datasets too."""
    problems = oracles.by(raw["problem"], "problem_id")
    texts = oracles.by(raw["generation_text"], "generation_id")
    found: dict[tuple[str, str, str], LinesEntry] = {}
    for key, cells in oracles.samples(raw, ("line_completion",)).items():
        release = problems[next(iter(cells))]["release_id"]
        mine: Lines = [[] for p in raw["problem"] if p["release_id"] == release]
        for problem, rows in cells.items():
            aside = oracles.set_aside(raw, problem)
            for row in rows:
                text = texts[row["order"][1]]["kept_text"]
                passes = None if row["verdict"] is None else row["verdict"] == "passed"
                matches = is_match(version, text, problems[problem]["reference"])
                label = Label(passes, matches, row["reason"])
                if oracles.replaced(raw, key[2]):
                    label = Label(None, None, "not_applicable")
                elif aside:
                    label = Label(None, None, aside)
                mine[problems[problem]["position"]].append(label)
        found[key] = LinesEntry({key[1]: mine})
    of_projects = {p["dataset"] for p in raw["problem"] if p["compare"] == "project"}
    for lm, dataset, setting in list(found):
        if dataset not in of_projects:
            continue
        whole = found.setdefault((lm, ALL, setting), LinesEntry())
        whole.datasets[dataset] = found[lm, dataset, setting].datasets[dataset]
    for (lm, dataset, setting), entry in found.items():
        partner = bare_setting(raw, lm, setting)
        if partner:
            entry.bare = found.get((lm, dataset, partner))
    return {k: e for k, e in found.items() if k[1] != ALL or len(e.datasets) > 1}


def shown(raw: Raw, setting: str) -> str:
    """Return the kind of the variants that a setting shows: one in these worlds."""
    kinds = oracles.by(raw["variant"], "variant_id")
    (kind,) = {
        kinds[g["variant_id"]]["kind"] for g in raw["generation"] if g["setting_id"] == setting
    }
    return str(kind)


def bare_setting(raw: Raw, lm: str, setting: str) -> str | None:
    """Return the setting of a language model that differs in the docstring alone."""
    rows = {row["setting_id"]: row for row in raw["setting"] if row["task"] == "line_completion"}
    asked = {row["setting_id"] for row in raw["generation"] if row["lm_id"] == lm}
    if shown(raw, setting) != "function":
        return None
    mine = [rows[setting][name] for name in PAIRED_BY]
    for other, row in sorted(rows.items()):
        same = [row[name] for name in PAIRED_BY] == mine
        if same and other in asked and shown(raw, other) == "function_without_docstring":
            return other
    return None


def value(entry: LinesEntry, version: int, measure: str) -> float | None:
    """Return a share or an effect over all lines of an entry."""
    parts = [part for name in entry.datasets for part in entry.parts(name, version, measure)]
    return _ratio(parts)


def _ratio(parts: list[tuple[float, float]]) -> float | None:
    bottom = sum(below for _, below in parts)
    return sum(above for above, _ in parts) / bottom if bottom else None


def interval(entry: LinesEntry, version: int, measure: str) -> tuple[Ends, str | None]:
    """Return the interval over lines, or over projects where there are several, or why not."""
    names = sorted(entry.datasets)
    clusters = entry.parts(names[0], version, measure)
    if len(names) > 1:
        parts = [entry.parts(name, version, measure) for name in names]
        clusters = [(sum(t for t, _ in each), sum(b for _, b in each)) for each in parts]
    return of_ratio(clusters, "share" if measure in SHARES else "difference")
