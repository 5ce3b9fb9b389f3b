"""The example notebook: its cells, and what they give on a small world of simulated models.

``python -m tests.notebook`` runs the cells and writes docs/snapshot.ipynb; a test compares.
"""

import ast
import json
import os
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.data import ROOT
from tests.support.steps import build, execute, generate, ingest_dataset, publish

NOTEBOOK = ROOT / "docs" / "snapshot.ipynb"

CELLS = (
    (
        """# A snapshot in Python

`assay_snapshot()` opens the newest snapshot of the home, `assay_snapshot("FOLDER")` another one.
Every view is a DuckDB relation, and `.df()` makes a pandas frame of it. Numbers come from the
views, each with its interval. The language models here are simulated: `planted-coin` passes half
of the problems, and `planted-expert` most of them.""",
        """from warehouse.snapshot.notebook import assay_snapshot

snapshot = assay_snapshot()
rates = snapshot.pass_at_k.filter("k in (1, 5)").order("k, pass_at_k desc")
rates.project("lm, k, pass_at_k, pass_at_k_lo, pass_at_k_hi, n_used").df().round(3)""",
    ),
    (
        "Every metric joins on the generation. A reading statement gives a relation too.",
        '''snapshot.sql("""
    select lm, verdict, count(*) as n, median(length(kept_text)) as median_length
    from generation_verdicts
    inner join raw.generation_text using (generation_id)
    group by all
    order by all
""").df()''',
    ),
    (
        "Which problems are hard? `problem_difficulty` has one row per problem.",
        """hardest = snapshot.problem_difficulty.order("difficulty desc, task_id").limit(5)
hardest.project("task_id, n_samples, n_samples_passed, difficulty").df().round(3)""",
    ),
    (
        "`describe` says what columns mean, and `dir(snapshot)` lists the views.",
        """snapshot.describe("problem_difficulty").df().head(4)""",
    ),
)
"""What each pair of cells says, and the code below it."""


def make_world(home: Path) -> None:
    """Make and publish a warehouse with two simulated language models."""
    ingest_dataset("starter")
    for lm, pass_rate in (("planted-coin", 0.5), ("planted-expert", 0.85)):
        options = {"pass_rate": pass_rate, "seed": 1}
        generate(backend="planted", lm=lm, dataset="starter", n=5, options=options, progress=False)
    execute(progress=False)
    build()
    publish(with_texts=True)


def run_cell(source: str, names: dict[str, Any]) -> dict[str, list[str]]:
    """Run a cell; return its last expression as text and as HTML."""
    import pandas as pd

    *body, last = ast.parse(source).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
    frame = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    with pd.option_context("display.width", 120, "display.max_columns", 20):
        shown = {"text/plain": repr(frame), "text/html": frame.to_html()}
    return {kind: text.splitlines(keepends=True) for kind, text in shown.items()}


def _cell(name: str, source: str) -> dict[str, Any]:
    return {"id": name, "metadata": {}, "source": source.splitlines(keepends=True)}


def notebook() -> dict[str, Any]:
    """Run all cells on a new world and return the notebook as JSON values."""
    names: dict[str, Any] = {}
    cells = []
    with tempfile.TemporaryDirectory() as home, patch.dict(os.environ, {"ASSAY_HOME": home}):
        make_world(Path(home))
        for number, (said, source) in enumerate(CELLS, start=1):
            cells.append({"cell_type": "markdown", **_cell(f"text-{number}", said)})
            shown = run_cell(source, names)
            result = {"output_type": "execute_result", "metadata": {}, "data": shown}
            outputs = [{**result, "execution_count": number}]
            code = {"cell_type": "code", "execution_count": number, "outputs": outputs}
            cells.append({**code, **_cell(f"code-{number}", source)})
        names["snapshot"].close()
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


if __name__ == "__main__":
    text = json.dumps(notebook(), indent=1, ensure_ascii=False) + "\n"
    NOTEBOOK.write_text(text, encoding="utf-8")
    print(f"wrote {NOTEBOOK}")
