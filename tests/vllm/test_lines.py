"""A tiny language model completes the lines of a real project, and says how sure it is."""

from pathlib import Path
from typing import Any

import pytest

from runners.projects.ingest import ingest_projects
from runners.projects.problems import LinesSpec, ingest_lines
from tests.support.sql import rows
from tests.support.steps import build, calibrate, execute, generate, reflect

pytestmark = pytest.mark.vllm

N_LINES = 39  # functions of toolz 1.2.0 with a docstring, all of whose lines run


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A warehouse with the lines of toolz."""
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    (report,) = ingest_projects(["toolz"], progress=False)
    if report.project is None:
        pytest.skip(f"no package index answers here: {report.error}")
    (found,) = ingest_lines(LinesSpec(("toolz",)), progress=False)
    assert found.n_problems == N_LINES


def test_lines_are_judged_and_their_confidence_calibrated(lines: None, server: str) -> None:
    """Its base rate is 0: the calibration error is then the mean confidence, and no more."""
    given: dict[str, Any] = {"backend": "openai", "lm": "tiny", "progress": False}
    options = {"base_url": server, "served_lm": "tiny"}
    generate(
        **given, dataset="toolz-lines", n=1, temperature=0.0, max_tokens=64,
        options={**options, "logprobs": True},
    )  # fmt: skip
    asked = reflect(**given, template=["verbalized_v1"], options={**options, "api": "chat"})
    report = execute(progress=False)
    assert report.n_generations == N_LINES
    calibrate(seeds=2, replicates=50, workers=1, progress=False)
    build()
    found = rows(
        "select measure, n_total, n_used, n_positive, ece, mean_score, null_reason, auroc "
        "from calibration_raw_v1 where dataset = 'toolz-lines' and notion = 'exact_match' "
        "and measure in ('avg_prob', 'verbalized') order by measure"
    )
    assert asked.n_judged > 0.8 * N_LINES
    assert [each[0] for each in found] == ["avg_prob", "verbalized"]
    for _, n, n_used, n_positive, ece, mean_score, null_reason, auroc in found:
        assert (n, n_positive, null_reason, auroc) == (N_LINES, 0, "single_class", None)
        assert n_used > 0.8 * N_LINES
        assert 0 < ece < 1
        assert ece == pytest.approx(mean_score)
    ((verdicts,),) = rows(
        "select count(*) from line_completion_v1 where n_lines_used = n_lines and exact_match = 0"
    )
    assert verdicts == 1
