"""One row of a mart: found by a condition in SQL, or by the values of columns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from warehouse.errors import BadInput, known_names
from warehouse.names import literal, quoted
from warehouse.reports.display import text
from warehouse.reports.query import query
from warehouse.snapshot.query import QueryResult, Reader
from warehouse.values import plain
from warehouse.views.describe import ViewDoc

SHOWN_KEYS = 6
LOOKED_AT = 200
PAIR = re.compile(r"(\w+)=(.*)", re.DOTALL)
SQL_WORDS = re.compile(r"['\"]|\s(and|or)\s", re.IGNORECASE)


@dataclass(frozen=True)
class FoundRow:
    """A row by its columns, and the condition that selects it alone."""

    values: dict[str, Any]
    types: dict[str, str]
    condition: str


def find_row(reader: Reader, view: ViewDoc, words: Sequence[str]) -> FoundRow:
    """Return the one row that ``words`` select; raises BadInput where it is none, or several."""
    conditions = _conditions(view, words)
    condition = " and ".join(conditions.values()) or "true"
    matching = {"view": view.name, "condition": condition}
    found = reader.one(query("why/matching", **matching), max_rows=LOOKED_AT)
    if len(found.rows) == 1:
        values = dict(zip(found.columns, found.rows[0], strict=True))
        return FoundRow(values, dict(zip(found.columns, found.types, strict=True)), condition)
    if not found.rows:
        some = reader.one(query("why/some", view=view.name), max_rows=LOOKED_AT)
        if not some.rows:
            raise BadInput(f"{view.name} has no rows")
        for word, alone in conditions.items():
            _require_any(reader, view, word, alone)
        raise BadInput(f"no row of {view.name} fits; it has rows with {_keys(view, some)}")
    ((n,),) = reader.one(query("why/n_matching", **matching)).rows
    raise BadInput(
        f"{n} rows of {view.name} fit, and one is explained: say also which of {_keys(view, found)}"
    )


def _require_any(reader: Reader, view: ViewDoc, word: str, condition: str) -> None:
    """Raise BadInput where no row has the value that a word such as k=10 asks for."""
    pair = PAIR.fullmatch(word)
    if pair is None or condition == word:  # SQL
        return
    ((n,),) = reader.one(query("why/n_matching", view=view.name, condition=condition)).rows
    if n:
        return
    name, value = pair.groups()
    values = reader.one(query("why/values", view=view.name, column=quoted(name))).rows
    there = known_names(value, [str(one) for (one,) in values])
    raise BadInput(f"no row of {view.name} has {text(word)}{there}")


def _conditions(view: ViewDoc, words: Sequence[str]) -> dict[str, str]:
    """Return the condition of each word, such as k=10; one text may be SQL itself."""
    pairs = [PAIR.fullmatch(word) for word in words]
    if len(words) == 1 and (pairs[0] is None or SQL_WORDS.search(words[0])):
        return {words[0]: words[0]}
    known = [column.name for column in view.columns]
    conditions = {}
    for word, pair in zip(words, pairs, strict=True):
        if pair is None:
            raise BadInput(f"{text(word)!r} is not NAME=VALUE; put a condition in SQL in quotes")
        name, value = pair.groups()
        if name not in known:
            raise BadInput(f"{view.name} has no column {text(name)!r}{known_names(name, known)}")
        column = quoted(name)
        if value.upper() == "NULL":
            conditions[word] = f"{column} is null"
        else:
            conditions[word] = f"cast({column} as varchar) = {literal(value)}"
    return conditions


def _keys(view: ViewDoc, found: QueryResult) -> str:
    """Return the first keys, by the columns in which they differ."""
    places = {name: at for at, name in enumerate(found.columns)}
    key = [places[name] for name in view.key] or list(range(len(found.columns)))
    told = {"lm_id": "lm", "lm_id_a": "lm_a", "lm_id_b": "lm_b"}
    differing = [at for at in key if len({_cell(row[at]) for row in found.rows}) > 1] or key
    # a name says more than a hash where it tells rows apart as well
    shown = []
    for at in differing:
        name = found.columns[at]
        other = places.get(told.get(name, ""), at)
        pairs = {(_cell(row[at]), _cell(row[other])) for row in found.rows}
        n_names = len({name for _, name in pairs})
        shown.append(other if n_names == len(pairs) else at)
    lines = [
        " ".join(f"{found.columns[at]}={_cell(row[at])}" for at in shown) for row in found.rows
    ]
    distinct = list(dict.fromkeys(lines))
    more = " | ..." if len(distinct) > SHOWN_KEYS else ""
    return " | ".join(distinct[:SHOWN_KEYS]) + more


def _cell(value: Any) -> str:
    return "NULL" if value is None else text(plain(value))
