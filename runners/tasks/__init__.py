"""What `assay generate` can ask: name of a task to its class, imported when asked for."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from runners.tasks.base import Task
    from runners.tasks.reflection import ReflectionForm

TASKS: "Registry[type[Task]]" = Registry(
    "task",
    {
        "synthesis": "runners.tasks.synthesis:Synthesis",
        "repair": "runners.tasks.repair:Repair",
        "counterfactual": "runners.tasks.counterfactual:Counterfactual",
        "description": "runners.tasks.round_trip:Description",
        "resynthesis": "runners.tasks.round_trip:Resynthesis",
        "edit_description": "runners.tasks.editing:EditDescription",
        "edit": "runners.tasks.editing:Editing",
        "plan_reflection": "runners.tasks.strategies.planning:PlanReflection",
        "plan_solutions": "runners.tasks.strategies.planning:PlanSolutions",
        "plan_choice": "runners.tasks.strategies.planning:PlanChoice",
        "line_completion": "runners.tasks.completion.lines:LineCompletion",
        "function_completion": "runners.tasks.completion.functions:FunctionCompletion",
    },
    group="assay.tasks",
    of="runners.tasks.base:Task",
    named="name",
)

REFLECTIONS: "Registry[ReflectionForm]" = Registry(
    "reflection",
    {
        "verbalized_v1": "runners.tasks.reflection:VERBALIZED_V1",
        "verbalized_v2": "runners.tasks.reflection:VERBALIZED_V2",
        "ask_tf_v1": "runners.tasks.reflection:ASK_TF_V1",
    },
)
"""What `assay reflect` can ask, by the name of the prompt template."""
