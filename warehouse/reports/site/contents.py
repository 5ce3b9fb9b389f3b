"""What a site shows of the rows: each thing with its name and address, read once."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from models.words import CONFIDENCES
from warehouse.reports.query import query
from warehouse.reports.site.page import address
from warehouse.reports.site.tables import Target
from warehouse.snapshot.query import Reader

Record = dict[str, Any]


def records(reader: Reader, sql: str) -> list[Record]:
    """Run a query and return its rows by column."""
    result = reader.one(sql)
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]


@dataclass(frozen=True)
class Contents:
    """Rows by key. Each record of a thing has its ``address``, and its ``name`` where it has one.

    ``verdicts`` are of a generation by problem; ``children`` are about a generation.
    """

    releases: dict[str, Record]
    language_models: dict[str, Record]
    settings: dict[str, Record]
    problems: dict[str, Record]
    generations: dict[str, Record]
    runs: list[Record]
    programs: dict[str, list[Record]]
    with_texts: bool
    children: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    of_problem: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    verdicts: dict[str, dict[str, Record]] = field(default_factory=lambda: defaultdict(dict))
    confidences: dict[str, Sequence[tuple[str, str, float]]] = field(default_factory=dict)

    def lm_target(self, record: Record) -> Target | None:
        """Return the page of the language model that a row names."""
        found = self.language_models.get(record.get("lm_id", ""))
        return (found["address"], "") if found else None

    def release_target(self, record: Record) -> Target | None:
        """Return the page of the release that a row names."""
        found = self.releases.get(record.get("release_id", ""))
        return (found["address"], "") if found else None

    def problem_target(self, record: Record) -> Target | None:
        """Return the page of the problem that a row names."""
        found = self.problems.get(record.get("problem_id", ""))
        return (found["address"], "") if found else None

    def generation_target(self, record: Record) -> Target | None:
        """Return the page of the generation that a row names."""
        key = record.get("generation_id")
        return (address("generation", key), "") if key in self.generations else None


def contents_of(reader: Reader, *, with_texts: bool) -> Contents:
    """Read everything but the texts of generations, which are too many to be held."""
    found = Contents(
        releases=_releases(reader),
        language_models=_language_models(reader),
        settings=_by_key(records(reader, query("site/raw/settings")), "setting_id"),
        problems=_problems(reader, with_texts),
        generations=_by_key(records(reader, query("site/raw/generations")), "generation_id"),
        runs=records(reader, query("site/raw/runs")),
        programs=_programs(reader),
        with_texts=with_texts,
    )
    for key, generation in found.generations.items():
        found.of_problem[generation["problem_id"]].append(key)
        if generation["parent_generation_id"]:
            found.children[generation["parent_generation_id"]].append(key)
    for verdict in records(reader, query("site/verdicts")):
        key, judging = verdict["generation_id"], verdict["problem_id"]
        found.verdicts[key][judging] = verdict
        if found.generations[key]["problem_id"] != judging:
            found.of_problem[judging].append(key)
    found.confidences.update(_confidences(reader))
    return found


def _by_key(rows: Sequence[Record], key: str) -> dict[str, Record]:
    return {row[key]: row for row in rows}


def _releases(reader: Reader) -> dict[str, Record]:
    rows = records(reader, query("site/raw/releases"))
    for row in rows:
        row["name"] = f"{row['dataset']} {row['version']}"
        row["address"] = address("dataset", row["release_id"], row["name"])
    return _by_key(rows, "release_id")


def _language_models(reader: Reader) -> dict[str, Record]:
    rows = records(reader, query("site/raw/language_models"))
    names = [row["lm"] for row in rows]
    for row in rows:
        several = names.count(row["lm"]) > 1
        row["name"] = f"{row['lm']} {row['revision']}".strip() if several else row["lm"]
        row["address"] = address("language_model", row["lm_id"], row["lm"])
    return _by_key(rows, "lm_id")


def _problems(reader: Reader, with_texts: bool) -> dict[str, Record]:
    rows = records(reader, query("site/raw/problems", with_texts=with_texts))
    for row in rows:
        row["address"] = address("problem", row["problem_id"], f"{row['dataset']} {row['task_id']}")
    return _by_key(rows, "problem_id")


def _programs(reader: Reader) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = defaultdict(list)
    for row in records(reader, query("site/raw/programs")):
        found[row["program_id"]].append(row)
    return found


def _confidences(reader: Reader) -> dict[str, Sequence[tuple[str, str, float]]]:
    """Return the measures of each generation that have a value, with their labels."""
    view = reader.versions().get("confidence")
    if view is None:
        return {}
    there = {name for _, name, *_ in reader.columns(f"main.{view}").rows}
    measures = [name for name in CONFIDENCES if name in there]
    result = reader.one(query("site/confidences", view=view, measures=measures))
    return {
        key: [
            (measure, CONFIDENCES[measure], value)
            for measure, value in zip(measures, values, strict=True)
            if value is not None
        ]
        for key, *values in result.rows
    }
