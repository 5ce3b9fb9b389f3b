"""The tables of the mutation paper: their layout, and what each version shows."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.mutations import MUTATIONS
from tests.support.steps import export_paper, publish
from tests.support.worlds.mutation_views import make_mutation_views
from tests.support.worlds.views import mark_built
from warehouse.errors import BadInput
from warehouse.reports.papers import mutations
from warehouse.snapshot.query import query
from warehouse.store.connection import writing

TABLE_1 = """| mutation | places | declined | invalid | unjudged | no cut | pairs | problems |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| *humaneval* |  |  |  |  |  |  |  |
| Names, random | 100 | 20 | 8 | 1 | 4 | 67 | 50 |
| If-else flip | 100 | 20 | 8 | 1 | 4 | 67 | 50 |
| *mbpp* |  |  |  |  |  |  |  |
| If-else flip | 100 | 20 | 8 | 1 | 4 | 67 | 50 |
"""

TABLE_2 = r"""% needs \usepackage{booktabs} and \usepackage[T1]{fontenc}
\begin{tabular}{lrrrrr}
\toprule
language model & completions & original (\%) & Names, random (\%) & If-else flip (\%) & new\_one (\%) \\
\midrule
\multicolumn{6}{l}{\textit{humaneval}} \\
alpha\_1 \& co & 10 & \textbf{50.00} & \textbf{25.00} {\scriptsize [20.00, 30.00]} & 25.00 {\scriptsize [20.00, 30.00]} & -- \\
beta & 10 & \textbf{50.00} & \underline{50.00} {\scriptsize [45.00, 55.00]} & -- & -- \\
"""  # noqa: E501

TABLE_3 = """| from | to | pairs | drop (%) | paper's drop (%) | paper's ratio |
| --- | --- | ---: | ---: | ---: | ---: |
| *alpha\\_1 & co on humaneval* |  |  |  |  |  |
| == | != | 10 | +12.50 [0.00, +25.00] | 13.21 | 3.9 |
| is | is not | 10 | -25.00 [-37.50, -12.50] | -- | -- |
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("mutations")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(place / "home"))
        make_mutation_views()
        mark_built()
        publish()
        export_paper("mutations", out=place / "tables")
        export_paper("mutations", version=2, out=place / "tables")
        yield place / "tables"


def test_every_table_in_every_format(tables: Path) -> None:
    stems = {"1_pairs_v1", "2_effects_v1", "3_operators_v1", "1_pairs_v2", "2_effects_v2"}
    assert {path.name for path in tables.iterdir() if "provenance" not in path.name} == {
        f"mutations_table_{stem}.{suffix}" for stem in stems for suffix in ("tex", "csv", "md")
    }


def test_layout(tables: Path) -> None:
    assert (tables / "mutations_table_1_pairs_v1.md").read_text() == TABLE_1
    title, _, rest = (tables / "mutations_table_2_effects_v1.tex").read_text().partition("\n")
    assert title.endswith(r"table 2: Average mutation effect (ame\_v1)")
    assert rest.startswith(TABLE_2)
    assert r"\textit{humaneval, simulated language models}" in rest
    assert (tables / "mutations_table_3_operators_v1.md").read_text().startswith(TABLE_3)


def test_minus_signs_are_minus_signs(tables: Path) -> None:
    text = (tables / "mutations_table_3_operators_v1.tex").read_text()
    assert r"$-$25.00 {\scriptsize [$-$37.50, $-$12.50]}" in text


def test_version_2_shows_the_signed_drop(tables: Path) -> None:
    text = (tables / "mutations_table_2_effects_v2.md").read_text()
    assert "+12.50** [0.00, +25.00]" in text
    rows = (tables / "mutations_table_1_pairs_v2.csv").read_text().splitlines()
    assert len(rows) == 2  # one mutation in edition 2


def test_the_setting_with_most_completions_is_the_one_shown(tables: Path) -> None:
    with (tables / "mutations_table_2_effects_v1.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["setting_id"] for row in rows} == {"warm"}
    assert len(rows) == 3 + 2 + 3


def test_the_record_can_be_run_again(tables: Path) -> None:
    for path in tables.glob("*.md"):
        record = json.loads((tables / f"{path.name}.provenance.json").read_text())
        assert record["paper"] == "mutations"
        assert record["view_version"] in record["reads"]
        assert len(query(record["query"]).rows) == record["rows"]


def test_labels_are_of_mutations_that_exist() -> None:
    assert set(mutations.MUTATIONS) <= set(MUTATIONS)


def test_what_is_not_there(home: Path) -> None:
    make_mutation_views()
    with writing() as con:
        for view in ("mutation_yield_v1", "ame_v1", "operator_effect_v1"):
            con.execute(f"delete from {view}")
    mark_built()
    with pytest.raises(BadInput, match=r"no mutations result in version 1.*`assay mutate`"):
        export_paper("mutations", warehouse=True)
    with pytest.raises(BadInput, match="there is no view ame_v9"):
        export_paper("mutations", version=9, warehouse=True)
