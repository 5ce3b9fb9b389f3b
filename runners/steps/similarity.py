"""Measure how alike the candidates of a problem are: token counts per pair, for SQL to judge."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from models.keys import content_key
from models.tables import PairSimilarity
from runners.progress import track
from warehouse.facts.measuring import due_pairs
from warehouse.parameters import Range
from warehouse.store.connection import reading
from warehouse.store.locks import one_at_a_time
from warehouse.store.runs import recorded

MAX_SAMPLES = 200
PAIRS_PER_APPEND = 500_000
CELLS_AT_ONCE = 8_000_000


@dataclass
class SimilarityReport:
    """What was compared: candidates tokenised, and new pairs per measure."""

    candidates: int = 0
    pairs: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0


@one_at_a_time("similarity", "similarity")
def similarity_pairs(
    *,
    max_samples: Annotated[int, Range(2, 1_000_000_000, whole=True)] = MAX_SAMPLES,
    measures: Sequence[str] = ("scc_v1", "tokens_v2"),
    progress: bool = True,
) -> SimilarityReport:
    """Compare every pair that is not compared yet and append its counts.

    Pairs are taken among the first ``max_samples`` samples a language model gave to a problem under
    one setting: the number of pairs grows with its square. Pairs left out make the views' Sim over
    all samples NULL for that problem, with its reason. Interrupted, it continues where it stopped.
    """
    began = time.monotonic()
    report = SimilarityReport()
    with reading() as con:
        pending, sources = due_pairs(con, max_samples=max_samples, measures=measures)
    if pending.num_rows:
        report.candidates = len(sources)
        with recorded("similarity", settings={"max_samples": max_samples}) as run:
            starts = range(0, pending.num_rows, PAIRS_PER_APPEND)
            for start in track(starts, len(starts), "similarity", enabled=progress):
                part = pending.slice(start, PAIRS_PER_APPEND)
                run.append_frames({PairSimilarity: _compare(part, sources, run.run_id)})
            report.pairs = dict(Counter(pending["measure"].to_pylist()))
            run.summary |= {"candidates": report.candidates, "pairs": report.pairs}
    report.seconds = time.monotonic() - began
    return report


def _compare(pending: Any, sources: dict[str, str], run_id: str) -> Any:
    """Return rows of pair_similarity for pending pairs, which come ordered by problem."""
    import numpy as np
    import pyarrow as pa

    measures = pending["measure"].to_pylist()
    firsts, seconds = pending["candidate_a"].to_pylist(), pending["candidate_b"].to_pylist()
    problems = pending["problem_id"].to_pylist()
    n_rows = len(measures)
    counts = {name: np.zeros(n_rows, np.int32) for name in ("shared", "a", "b")}
    for start, stop in _blocks(measures, problems):
        tokenise = MEASURES[measures[start]]
        names = sorted({*firsts[start:stop], *seconds[start:stop]})
        row_of = {name: row for row, name in enumerate(names)}
        table = _count_table([tokenise(sources[name]) for name in names])
        sizes = table.sum(axis=1, dtype=np.int32)
        a = np.fromiter((row_of[name] for name in firsts[start:stop]), np.int64)
        b = np.fromiter((row_of[name] for name in seconds[start:stop]), np.int64)
        counts["shared"][start:stop] = _shared(table, a, b)
        counts["a"][start:stop], counts["b"][start:stop] = sizes[a], sizes[b]
    keys = [content_key(*parts) for parts in zip(firsts, seconds, measures, strict=True)]
    return pa.table(
        {
            "pair_id": keys,
            "candidate_a": pending["candidate_a"],
            "candidate_b": pending["candidate_b"],
            "measure": pending["measure"],
            "n_shared": counts["shared"],
            "n_tokens_a": counts["a"],
            "n_tokens_b": counts["b"],
            "run_id": pa.array([run_id] * n_rows),
        }
    )


def _blocks(measures: list[str], problems: list[str]) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of runs of one measure and problem."""
    start = 0
    for row in range(1, len(measures) + 1):
        if row == len(measures) or (measures[row], problems[row]) != (
            measures[start],
            problems[start],
        ):
            yield start, row
            start = row


def _count_table(bags: list[list[str]]) -> Any:
    """Return the counts of each token (column) in each bag (row)."""
    import numpy as np

    column_of: dict[str, int] = {}
    tallies = [Counter(bag) for bag in bags]
    for tally in tallies:
        for token in tally:
            column_of.setdefault(token, len(column_of))
    most = max((max(tally.values(), default=0) for tally in tallies), default=0)
    table = np.zeros((len(bags), len(column_of)), np.uint16 if most < 2**16 else np.uint32)
    for row, tally in enumerate(tallies):
        for token, count in tally.items():
            table[row, column_of[token]] = count
    return table


def _shared(table: Any, a: Any, b: Any) -> Any:
    """Return the size of the multiset intersection of rows a[i] and b[i], for each i."""
    import numpy as np

    shared = np.zeros(len(a), np.int32)
    step = max(1, CELLS_AT_ONCE // max(1, table.shape[1]))
    for start in range(0, len(a), step):
        both = np.minimum(table[a[start : start + step]], table[b[start : start + step]])
        shared[start : start + step] = both.sum(axis=1, dtype=np.int32)
    return shared


SEPARATORS = re.compile(r"""[;.\[\]()~!\-+&*/%<>^|?{}=#,\\:$"']""")
BLOCK_COMMENT = re.compile(r'""".*?"""', re.DOTALL)
LINE_COMMENT = re.compile(r"#[^\n]*")


def scc_tokens(source: str) -> list[str]:
    """Return the tokens of SourcererCC's file tokenizer, set for Python.

    Block comments are triple double quotes, line comments begin with #; every separator becomes a
    space, so operators do not count. Chon et al. (arXiv 2408.14504) use this measure; they leave
    the settings open. See also Sajnani et al., ICSE 2016.
    """
    text = LINE_COMMENT.sub(" ", BLOCK_COMMENT.sub(" ", source))
    return SEPARATORS.sub(" ", text).split()


PYTHON_TOKEN = re.compile(
    r"""
    (?P<comment>\#[^\n]*)
    | (?P<string>(?i:[rbuft]|rb|br|rf|fr|rt|tr)?
        (?:\"{3}(?:[^\\]|\\.)*?(?:\"{3}|\Z) | '{3}(?:[^\\]|\\.)*?(?:'{3}|\Z)
         | \"(?:[^"\\\n]|\\.)*\"? | '(?:[^'\\\n]|\\.)*'?))
    | (?P<number>(?:0[xXoObB][\da-fA-F_]+
        | (?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)[jJ]?)
    | (?P<name>\w+)
    | (?P<operator>\*\*=|//=|>>=|<<=|\.\.\.|!=|->|:=|\*\*|//|>>|<<|<=|>=|==|[-+*/%@&|^]=|[^\s\w])
    | (?P<newline>\n)
    | (?P<space>(?:[^\S\n]|\\\n)+)
    """,
    re.VERBOSE | re.DOTALL,
)


def python_tokens(source: str) -> list[str]:
    """Return Python tokens: names, numbers, strings and operators; no comments, no layout.

    A string that is a statement of its own (a docstring, in either quote style) is a comment too.
    Our own lexer, so that a text which does not parse has tokens as well, and so that every Python
    version gives the same ones (3.12 splits f-strings, 3.11 does not).
    """
    tokens: list[str] = []
    depth = 0
    begins = True  # at the beginning of a logical line
    alone: int | None = None  # where a string stands that may be all of its line
    for found in PYTHON_TOKEN.finditer(source):
        kind, text = found.lastgroup, found.group()
        if kind in ("space", "comment"):
            continue
        if kind == "newline" or text == ";":
            if kind == "newline" and depth:
                continue
            if alone is not None:
                del tokens[alone:]
            if text == ";":
                tokens.append(text)
            begins, alone = True, None
            continue
        if kind == "string" and (begins or alone is not None):
            alone = len(tokens) if alone is None else alone
        else:
            alone = None
        begins = False
        tokens.append(text)
        if kind == "operator":
            if text in "([{":
                depth += 1
            elif text in ")]}":
                depth = max(0, depth - 1)
    if alone is not None:
        del tokens[alone:]
    return tokens


MEASURES: dict[str, Callable[[str], list[str]]] = {"scc_v1": scc_tokens, "tokens_v2": python_tokens}
