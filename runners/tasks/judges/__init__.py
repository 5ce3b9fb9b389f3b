"""What `assay rate` can ask: name of the prompt template to the form of the judge."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from runners.tasks.judges.forms import JudgeForm

JUDGES: "Registry[JudgeForm]" = Registry(
    "pair judge",
    {
        "pair_judge_v1": "runners.tasks.judges.forms:PAIR_JUDGE_V1",
        "pair_judge_v2": "runners.tasks.judges.forms:PAIR_JUDGE_V2",
    },
)
