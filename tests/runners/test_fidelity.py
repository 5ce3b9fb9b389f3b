"""Import, execute, build: the verdicts that come out are those of the makers' own harnesses."""

import json
from pathlib import Path
from typing import Any

from runners.cli import main
from warehouse.connection import reading


def assay(*arguments: str) -> None:
    """Run a command line that must succeed."""
    assert main.run(list(arguments)) == 0


def rows(sql: str) -> list[tuple[Any, ...]]:
    with reading() as con:
        return con.execute(sql).fetchall()


def write_lines(path: Path, *lines: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def test_a_seed_gets_imports_only_where_the_rule_says_so(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    assay("ingest", "starter")
    [(prompt,)] = rows("select prompt from raw.problem where task_id = 'starter/bee_dance'")
    body = (
        '    x, y, turn = 0, 0, 0\n    for move in moves:\n        turn += "FRUL".index(move)\n'
        '        if move == "F":\n            x += round(math.sin(turn * math.pi / 2))\n'
        "            y += round(math.cos(turn * math.pi / 2))\n    return x, y\n"
    )
    seed = {
        "task_id": "starter/bee_dance",
        "prompt": prompt,
        "canonical_solution": "import math\ndef bee_dance(moves): ...\n",
        "solution": prompt + body,
        "is_solved": False,
    }
    path = write_lines(tmp_path / "seeds.jsonl", seed)
    given = ("import", path, "--format", "ldb", "--dataset", "starter", "--lm", "seeds")
    assay(*given)
    assay(*given, "--truncate", "canonical_imports_v1", "--label", "with imports")
    assay("execute")
    assay("build", "--select", "staging +generation_verdicts")
    found = rows("select setting, verdict from generation_verdicts_v1 order by setting")
    assert [("with imports" in setting, verdict) for setting, verdict in found] == [
        (False, "error"),
        (True, "passed"),
    ]
    kept = rows("select kept_rule, raw_text from raw.generation_text order by 1")
    assert kept == [("canonical_imports_v1", prompt + body), ("whole", prompt + body)]
