"""Two language models beside each other: differences, tests, and the problems that differ."""

import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from models.keys import text_key
from warehouse.reports.comparison.printed import (
    CHANGE,
    PERCENT,
    POINTS,
    SCORE,
    described,
    entry_names,
    title,
)
from warehouse.reports.comparison.rows import problems_query
from warehouse.reports.display import ShownColumn, text
from warehouse.reports.metric_words import SKILL, is_score, metric_name
from warehouse.reports.query import query
from warehouse.reports.site.contents import Contents, Record, records
from warehouse.reports.site.page import Page, Templates, address
from warehouse.reports.site.pages.problems import SIGNS
from warehouse.reports.site.tables import SiteTable, Target, table_of
from warehouse.snapshot.query import QueryResult, Reader

MOST_COMPUTED = 60
"""Pairs outside the families of the view that are computed: each takes a tenth of a second."""
P = ShownColumn("holm_p", "p (Holm)", 0, True)
Pair = tuple[str, str]


class ComparisonPages:
    """All pairs that the view has, and pairs of entries of a release that it has not."""

    def __init__(self, reader: Reader, contents: Contents, templates: Templates):
        self._contents = contents
        self._templates = templates
        self._view = reader.versions().get("comparison", "")
        self._sql = query("site/comparisons", view=self._view)
        self._rows = reader.one(self._sql) if self._view else QueryResult([], [], [])
        self._of_pair: dict[Pair, list[Record]] = defaultdict(list)
        self._sqls: dict[Pair, str] = {}
        self._flips: dict[Pair, list[Record]] = defaultdict(list)
        if not self._view:
            return
        for row in self._rows.rows:
            record = dict(zip(self._rows.columns, row, strict=True))
            self._of_pair[record["lm_id_a"], record["lm_id_b"]].append(record)
        self._add_flips(reader, self._sql)
        self._compute(reader)
        self._tasks = {(p["release_id"], p["task_id"]): p for p in contents.problems.values()}

    def _add_flips(self, reader: Reader, sql: str) -> None:
        compared = problems_query(query("site/first_comparisons", rows=sql))
        for flip in records(reader, query("comparison/flips", rows=compared)):
            self._flips[flip["lm_id_a"], flip["lm_id_b"]].append(flip)

    def _compute(self, reader: Reader) -> None:
        """Compare entries of one release that are in no family; of very many the first."""
        if not reader.one(query("comparison/computes", macro="compared_v1")).rows:
            return
        entries = records(reader, query("site/entries"))
        for one, other in combinations(entries, 2):
            pair = (one["lm_id"], other["lm_id"])
            alike = all(one[name] == other[name] for name in ("release_id", "simulated"))
            if not alike or pair in self._of_pair or pair[::-1] in self._of_pair:
                continue
            if len(self._sqls) >= MOST_COMPUTED:
                return
            both = {"lm_id": pair[0], "other_lm_id": pair[1]}
            settings = [(one["setting_id"], other["setting_id"])]
            computed = query("comparison/of_any_two", **both, settings=settings)
            sql = query("comparison/selected", rows=computed, **both, given={}, group=None)
            found = records(reader, sql)
            if found:
                self._sqls[pair] = sql
                self._of_pair[pair] += found
                self._add_flips(reader, sql)

    def pages(self) -> Iterator[Page]:
        """Yield the list of pairs, and a page for each."""
        yield self._templates.page("compare", "compare", "Compare", tables=[*self._lists()])
        for pair, rows in self._of_pair.items():
            yield self._page(pair, rows)

    def _lists(self) -> Iterator[SiteTable]:
        """Yield the differences in pass@1 of each release: those of the view, and others."""
        by_release: dict[tuple[str, bool], list[Record]] = defaultdict(list)
        for pair, rows in self._of_pair.items():
            for row in rows:
                if row["metric"] == "pass_at_k" and row["k"] == 1:
                    by_release[row["release_id"], pair in self._sqls].append(row)
        for (release, is_computed), rows in by_release.items():
            found = self._contents.releases.get(release)
            heading = f"pass@1 on {found['name'] if found else release}"
            heading += ", entries of no family, asked otherwise or not on one board" * is_computed
            sql = "\n;\n".join(self._sqls.values()) if is_computed else self._sql
            yield self._table(heading, rows, (PERCENT, POINTS), sql)

    def _table(
        self, heading: str, rows: Sequence[Record], shapes: tuple[ShownColumn, ...], sql: str
    ) -> SiteTable:
        columns = list(rows[0])
        of_metric = [_with_names(row) for row in rows]
        types = ["DOUBLE" if _is_number(rows, name) else "VARCHAR" for name in columns]
        result = QueryResult(columns, types, [tuple(row[c] for c in columns) for row in of_metric])
        places = {name: place for place, name in enumerate(columns)}
        texts = {"dataset": "dataset", "metric": "metric", "lm_a": "a", "lm_b": "b"}
        value, change = shapes
        shown = [ShownColumn(name, label, places[name], False) for name, label in texts.items()]
        shown += [
            ShownColumn("n_common", "problems", places["n_common"], True),
            replace(value, name="value_a", label="a", index=places["value_a"]),
            replace(value, name="value_b", label="b", index=places["value_b"]),
            replace(
                change,
                name="difference",
                label="a less b",
                index=places["difference"],
                low=places["difference_lo"],
                high=places["difference_hi"],
            ),
            replace(P, index=places["holm_p"]),
        ]
        where = {"lm_a": self._pair_target, "lm_b": self._pair_target}
        return table_of(heading, self._view, result, sql, shown=shown, targets=where)

    def _pair_target(self, row: Record) -> Target:
        return self._address((row["lm_id_a"], row["lm_id_b"])), ""

    def _address(self, pair: Pair) -> str:
        return address("compare", text_key("/".join(pair)), " ".join(self._names(pair)))

    def _names(self, pair: Pair) -> list[str]:
        first = self._of_pair[pair][0]
        return [str(first["lm_a"]), str(first["lm_b"])]

    def _page(self, pair: Pair, rows: Sequence[Record]) -> Page:
        sql = self._sqls.get(pair, self._sql)
        names = self._names(pair)
        first = [row for row in rows if row["metric"] == "pass_at_k" and row["k"] == 1]
        shares = [row for row in rows if not is_score(row["metric"])]
        skills = [row for row in rows if row["metric"].startswith(SKILL)]
        scores = [row for row in rows if is_score(row["metric"]) and row not in skills]
        return self._templates.page(
            "pair",
            self._address(pair),
            " and ".join(names),
            names=names,
            commanded=shlex.join(pair),
            lms=[self._contents.language_models.get(key) for key in pair],
            facts=[(title(row), list(described(row))) for row in first],
            view=self._view,
            flipped=[(title(row), self._differing(row)) for row in first],
            tables=[
                self._table(heading, chosen, shapes, sql)
                for heading, chosen, shapes in (
                    ("Metrics in percent", shares, (PERCENT, POINTS)),
                    ("Scores from 0 to 1", scores, (SCORE, CHANGE)),
                    ("Skill scores", skills, (SCORE, CHANGE)),
                )
                if chosen
            ],
        )

    def _differing(self, row: Record) -> list[dict[str, Any]]:
        """Return the problems of a comparison whose values differ, with their generations."""
        keys = [f"{name}_{side}" for name in ("setting_id", "forward_lm_id") for side in "ab"]
        keys += ["release_id"]
        found = []
        for flip in self._flips[row["lm_id_a"], row["lm_id_b"]]:
            if all(flip[key] == row[key] for key in keys):
                problem = self._tasks.get((flip["release_id"], flip["task_id"]))
                found.append(
                    {
                        "task_id": flip["task_id"],
                        "target": problem["address"] if problem else None,
                        "sides": [self._side(flip, side) for side in "ab"],
                    }
                )
        return found

    def _side(self, flip: Record, side: str) -> dict[str, Any]:
        verdict = flip[f"verdict_{side}"]
        keys = flip[f"generation_ids_{side}"] or []
        known = [self._contents.generations[key] for key in keys]
        counts = f"{flip[f'n_passed_{side}']} of {flip[f'n_{side}']}"
        return {
            "shown": f"{SIGNS.get(verdict, '')} {text(verdict)}" if verdict else counts,
            "generations": [
                (address("generation", row["generation_id"]), row["sample_index"]) for row in known
            ],
        }


def _with_names(row: Record) -> Record:
    """Return a row with the names of its metric and entries as they are printed."""
    names = entry_names(row)
    named = {"lm_a": names[0], "lm_b": names[1]}
    return row | named | {"metric": metric_name(row["metric"], row["k"])}


def _is_number(rows: Sequence[Record], name: str) -> bool:
    return any(isinstance(row[name], int | float) for row in rows)
