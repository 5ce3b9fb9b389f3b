"""Planted repairs, from a dataset to their labels: the rates must be the planted ones."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from runners.drawing.backends.planted import PlantedBackend
from runners.steps.execute import ExecuteReport
from runners.tasks.templates import load
from tests.support.sql import rows
from tests.support.steps import build, execute, generate, import_generations, ingest_dataset
from tests.support.worlds import repairs
from warehouse.errors import BadInput

pytestmark = pytest.mark.long(seconds=20)

N = 30
RATES = {"often": 0.7, "always": 1.0}


def draw(lm: str, dataset: str, n: int = N, **more: Any) -> int:
    options = {"pass_rate": RATES.get(lm, 1.0)}
    report = generate(
        backend="planted", lm=lm, dataset=dataset, n=n, options=options, progress=False, **more
    )
    return report.n_drawn


@pytest.fixture(scope="module", autouse=True)
def executed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExecuteReport]:
    """A separate warehouse: both datasets, planted models, one import, all judged."""
    folder = tmp_path_factory.mktemp("repairs")
    fixes = [
        repairs.fix(
            fixPatch=repairs.patch("    a();", f"    b{n}();"), fixCommitSHA1=f"{n:02x}" * 20
        )
        for n in range(10, 15)
    ]
    samples = folder / "samples.jsonl"
    lines = [
        {"task_id": "Toy-1", "completion": f"<fixed>\n{repairs.FIXED_LINE} // !\n</fixed>"},
        {"task_id": "toy-10", "completion": "<fixed></fixed>"},
    ]
    samples.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(folder / "home"))
        ingest_dataset("defects4j", repairs.defects4j(folder / "patches"), unpinned=True)
        ingest_dataset("manysstubs4j", repairs.sstubs(folder / "sstubs.json", *fixes))
        for lm in RATES:
            assert draw(lm, "defects4j") == 3 * N
            assert draw(lm, "manysstubs4j") == 5 * N
        assert draw("always", "defects4j", n=1) == 0
        assert draw("bare", "defects4j", n=1, prompt="original") == 3
        import_generations(
            samples, format="humaneval", dataset="defects4j", lm="mended", truncate="fixed_line_v1"
        )
        report = execute(progress=False)
        build(select="+errata +int_generation_labelled")
        yield report


def test_repairs_are_never_run_as_programs(executed: ExecuteReport) -> None:
    assert (executed.n_generations, executed.n_planned) == (0, 0)
    assert executed.n_not_available == 2 * (3 + 5) * N + 3 + 2
    assert rows("select count(*) from raw.admission") == [(0,)]


def test_exact_match_rates_are_the_planted_ones() -> None:
    found = rows(
        """
        select language_model.lm, problem.task_id, labelled.notion, labelled.null_reason,
            count(*), count(labelled.y_v1),
            count(*) filter (labelled.y_v1), count(*) filter (labelled.y_v2)
        from intermediate.int_generation_labelled as labelled
        inner join intermediate.int_problem_numbered as problem using (problem_no)
        inner join intermediate.int_language_model_numbered as language_model using (lm_no)
        where language_model.lm in (select unnest(?::varchar[]))
        group by all
        """,
        list(RATES),
    )
    reasons = {}
    for lm, task, notion, reason, n, n_labels, *right in found:
        reasons[task, notion] = reason
        truth = PlantedBackend(lm, {"pass_rate": RATES[lm]})
        planted = sum(
            truth._uniform(task, index, "right") < truth.pass_probability(task, index)
            for index in range(N)
        )
        assert n == N
        assert (n_labels, right) == ((0, [0, 0]) if reason else (N, [planted, planted]))
    mined = {task for task, _ in reasons if "@" in task}
    assert len(mined) == 5
    assert reasons == {
        ("Toy-1", "exact_match"): None,
        ("Toy-10", "exact_match"): None,
        ("Toy-1", "all_pass"): "not_available",
        ("Toy-10", "all_pass"): "not_available",
        ("Closure-13", "exact_match"): "errata",
        ("Closure-13", "all_pass"): "errata",
        **{(task, "exact_match"): None for task in mined},
    }
    often = [row[6] for row in found if row[0] == "often" and row[3] is None]
    assert 0.6 < sum(often) / (7 * N) < 0.8


def test_what_is_asked_and_what_is_kept() -> None:
    found = rows(
        """
        select setting.task, setting.style, setting.stop, request.template, request.template_key,
            setting.prompt_kind, problem.reference, text.kept_text, text.kept_rule, text.raw_text
        from raw.generation as generation
        inner join raw.language_model as language_model using (lm_id)
        inner join raw.setting as setting using (setting_id)
        inner join raw.problem as problem using (problem_id)
        inner join raw.generation_text as text using (generation_id)
        inner join raw.generation_request as request using (generation_id)
        where language_model.lm in ('always', 'bare') and problem.dataset = 'defects4j'
        """
    )
    for task, style, stop, template, key, prompt_kind, reference, kept, rule, raw in found:
        assert (task, style, stop) == ("repair", "completion", '["</fixed>"]')
        assert (template == "repair_v1") == (key == load("repair_v1").key)
        assert template == prompt_kind
        assert (kept, rule, raw) == (reference, "fixed_line_v1", f"{reference}</fixed>")
    assert Counter(row[3] for row in found) == {"original": 3, "repair_v1": 3 * N}


def test_another_task_needs_its_own_template() -> None:
    with pytest.raises(BadInput, match="synthesis_chat_v1 is not made for repair"):
        draw("always", "defects4j", prompt="synthesis_chat_v1")
    with pytest.raises(BadInput, match="no prompt template 'repair_v0'"):
        draw("always", "defects4j", prompt="repair_v0")


def test_repairs_made_elsewhere_are_repairs_too() -> None:
    assert rows(
        """
        select problem.task_id, setting.task, labelled.y_v1, labelled.y_v2
        from intermediate.int_generation_labelled as labelled
        inner join intermediate.int_language_model_numbered as language_model using (lm_no)
        inner join intermediate.int_setting_numbered as setting using (setting_no)
        inner join intermediate.int_problem_numbered as problem using (problem_no)
        where language_model.lm = 'mended' and labelled.notion = 'exact_match'
        order by 1
        """
    ) == [("Toy-1", "repair", False, True), ("Toy-10", "repair", False, False)]
