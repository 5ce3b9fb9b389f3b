"""Pages of datasets and of problems: who solves what, and each sample of it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from warehouse.reports import display
from warehouse.reports.query import query
from warehouse.reports.site.contents import Contents, Record, records
from warehouse.reports.site.page import Page, Templates, address
from warehouse.reports.site.pages.overview import targets
from warehouse.reports.site.tables import SiteTable, table_of
from warehouse.snapshot.query import QueryResult, Reader

MOST_TESTS = 100
MOST_CHARACTERS = 5_000
DARKEST = 4
DIFFICULTY = "problem_difficulty"

SIGNS = {
    "passed": "✓",
    "failed": "✗",
    "error": "!",
    "timeout": "t",
    "out_of_memory": "m",
    "tampered": "x",
    "harness_fault": "h",
}
"""How a verdict is shown where there is no room for its name."""


def setting_of(setting: Record) -> str:
    """Return a setting in words: the style, the prompt, and how it was sampled."""
    parts = [setting["style"], f"{setting['prompt_kind']} prompt"]
    sampled = {"T": "temperature", "top_p": "top_p", "at most tokens": "max_tokens", "seed": "seed"}
    parts += [
        f"{name}={setting[column]:g}"
        for name, column in sampled.items()
        if setting[column] is not None
    ]
    return ", ".join([*parts, *filter(None, [setting["label"]])])


def anchor_of(entry: Record) -> str:
    """Return the place on a problem's page of the samples of an entry."""
    return f"e-{entry['lm_id'][:12]}-{entry['setting_id'][:12]}"


class ProblemPages:
    """What the views say of each problem, for the pages of datasets and problems."""

    def __init__(self, reader: Reader, contents: Contents, templates: Templates):
        self._contents = contents
        self._templates = templates
        self._matrix_sql = query("site/matrix")
        self._matrix = {
            (row["problem_id"], row["lm_id"], row["setting_id"]): row
            for row in records(reader, self._matrix_sql)
        }
        solved = records(reader, query("site/solved"))
        self._solved = {row["problem_id"]: row["n_solving"] for row in solved}
        self._entries: dict[str, list[Record]] = defaultdict(list)
        for entry in records(reader, query("site/entries")):
            lm = contents.language_models.get(entry["lm_id"])
            if lm is not None:
                self._entries[entry["release_id"]].append(entry | {"address": lm["address"]})
        self._view = reader.versions()[DIFFICULTY]
        self._sql = query("export/ordered", name=[self._view], order=["dataset", "task_id"])
        self._difficulty = reader.one(self._sql)

    def of_datasets(self, boards: Sequence[tuple[set[str], SiteTable]]) -> Iterator[Page]:
        """Yield a page for each release."""
        for key, release in self._contents.releases.items():
            entries = self._entries[key]
            problems = [
                (problem, [self._cell(problem, entry) for entry in entries])
                for problem in self._contents.problems.values()
                if problem["release_id"] == key
            ]
            yield self._templates.page(
                "dataset",
                release["address"],
                release["name"],
                release=release,
                boards=[table for releases, table in boards if key in releases],
                entries=entries,
                problems=problems,
                solved=self._solved,
                matrix_sql=self._matrix_sql,
                difficulty=self._difficulties("release_id", key, "Difficulty of the problems"),
            )

    def _cell(self, problem: Record, entry: Record) -> Record | None:
        found = self._matrix.get((problem["problem_id"], entry["lm_id"], entry["setting_id"]))
        if found is None:
            return None
        shade = round(DARKEST * found["n_passed"] / found["n_scored"]) if found["n_scored"] else 0
        return found | {"shade": shade, "anchor": anchor_of(entry)}

    def _difficulties(self, column: str, key: str, title: str) -> SiteTable | None:
        place = self._difficulty.columns.index(column)
        rows = [row for row in self._difficulty.rows if row[place] == key]
        if not rows:
            return None
        result = QueryResult(self._difficulty.columns, self._difficulty.types, rows)
        wanted = ["task_id", "simulated", "n_lms", "n_lms_solving", "n_samples", "difficulty"]
        shown = display.columns(result, (*wanted, "discrimination"))
        where = targets(self._contents)
        return table_of(title, self._view, result, self._sql, shown=shown, targets=where)

    def pages(self) -> Iterator[Page]:
        """Yield a page for each problem."""
        for key, problem in self._contents.problems.items():
            yield self._templates.page(
                "problem",
                problem["address"],
                f"{problem['dataset']} {problem['task_id']}",
                problem=problem,
                release=self._contents.releases[problem["release_id"]],
                difficulty=self._difficulties("problem_id", key, "Difficulty"),
                groups=self._groups(key),
                signs=SIGNS,
                setting_of=setting_of,
                with_texts=self._contents.with_texts,
                most_tests=MOST_TESTS,
                most_characters=MOST_CHARACTERS,
            )

    def _groups(self, problem_id: str) -> list[Record]:
        """Return the samples of a problem by language model and setting, in the order read."""
        contents = self._contents
        rows = [contents.generations[key] for key in contents.of_problem[problem_id]]
        found = []
        for (lm_id, setting_id), group in groupby(
            rows, lambda row: (row["lm_id"], row["setting_id"])
        ):
            counts = self._matrix.get((problem_id, lm_id, setting_id))
            found.append(
                {
                    "anchor": anchor_of({"lm_id": lm_id, "setting_id": setting_id}),
                    "lm": contents.language_models[lm_id],
                    "setting": contents.settings[setting_id],
                    "n_passed": counts["n_passed"] if counts else 0,
                    "n_scored": counts["n_scored"] if counts else 0,
                    "samples": [self._sample(row, problem_id) for row in group],
                }
            )
        return found

    def _sample(self, generation: Record, problem_id: str) -> dict[str, Any]:
        verdict = self._contents.verdicts[generation["generation_id"]].get(problem_id)
        return {
            "address": address("generation", generation["generation_id"]),
            "index": generation["sample_index"],
            "verdict": verdict["verdict"] if verdict else None,
        }
