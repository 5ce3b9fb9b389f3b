"""Lines of the starter set's functions, from the functions to the views: what is planted is found.

Lines come from functions whose admission is by reference, so no project and no suite is needed.
"""

import pytest

from runners.cli.main import run
from runners.projects.problems import LinesSpec, ingest_lines
from tests.data import FILES, shared
from tests.support.sql import rows
from tests.support.steps import build, execute, generate, ingest_dataset
from warehouse.errors import BadInput

pytestmark = pytest.mark.long(seconds=120)

PLANTED = {"right": 1.0, "half": 0.5, "wrong": 0.0}
N = 48
UNNOTICED = ["HumanEval/124", "HumanEval/46"]
"""A line that no test executes, and one whose error the function catches itself."""


def test_planted_pass_rates_come_back(home: object) -> None:
    with pytest.raises(BadInput, match="run `assay ingest starter`"):
        ingest_lines(LinesSpec(("starter",)), progress=False)
    ingest_dataset("starter")
    (report,) = ingest_lines(LinesSpec(("starter",)), progress=False)
    assert (report.dataset, report.version) == ("starter-lines", "1-lines_v1")
    assert (report.error, report.n_problems, report.n_new) == (None, N, N)
    (again,) = ingest_lines(LinesSpec(("starter",)), progress=False)
    assert (again.n_problems, again.n_new) == (N, 0)
    same = "a.tests_key = b.tests_key and a.prompt || a.reference || a.suffix"
    assert rows(
        f"select count(*), bool_and({same} = b.prompt || b.reference || b.suffix) "
        "from raw.problem as a inner join raw.problem as b using (task_id) "
        "where a.dataset = 'starter-lines' and b.dataset = 'starter'"
    ) == [(N, True)]
    for lm, rate in PLANTED.items():
        given = {"backend": "planted", "lm": lm, "options": {"pass_rate": rate}}
        generate(**given, dataset="starter-lines", n=4, progress=False)
    done = execute(progress=False)
    assert done.failing_canaries == done.rejected_problems == []
    assert (done.n_generations, set(done.verdicts)) == (3 * 4 * N, {"passed", "error"})
    build(select="+line_completion_v2 +pass_at_k")
    found = rows(
        "select lm, all_pass, exact_match, n_lines_used, shown, over_projects "
        "from line_completion_v2 order by lm"
    )
    (half, right, wrong) = found
    assert right == ("right", 1.0, 1.0, N, "function", False)
    assert wrong == ("wrong", 0.0, 0.0, N, "function", False)
    # four times the standard error of 192 draws
    assert half[1] == half[2] == pytest.approx(0.5, abs=4 * (0.25 / (4 * N)) ** 0.5)
    lms = rows("select distinct lm from pass_at_k where dataset = 'starter-lines' and k = 1")
    assert len(lms) == 3


def test_a_line_that_no_test_notices_is_refused(
    home: object, capsys: pytest.CaptureFixture[str]
) -> None:
    ingest_dataset("humaneval", shared(FILES["humaneval"]))
    code = run(["ingest", "lines", "humaneval", "starter"])
    assert code == 1, "one gives lines, the other is not ingested"
    shown = capsys.readouterr().out
    assert "dataset humaneval-lines, version 6d43fb9-lines_v1, problems 108" in shown
    assert "ingest lines starter: error dataset 'starter' is not in the warehouse" in shown
    given = {"backend": "planted", "lm": "wrong", "options": {"pass_rate": 0.0}, "n": 1}
    generate(**given, dataset="humaneval-lines", progress=False)
    done = execute(progress=False)
    assert [each.split(" ")[0] for each in sorted(done.rejected_problems)] == UNNOTICED
    assert all("whose hidden line only raises" in each for each in done.rejected_problems)
    assert done.verdicts.get("passed", 0) == 0
    assert done.n_executed == 108 - len(UNNOTICED)
