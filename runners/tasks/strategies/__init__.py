"""Prompting strategies for programs: the name of each to what it asks, imported when asked for.

They are those of Chon et al. 2024 (arXiv 2408.14504, Table 3). dbt has their prompts as the var
``strategies``, and views name the strategy of a setting by its prompt.
"""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from runners.tasks.strategies.base import Strategy

STRATEGIES: "Registry[Strategy]" = Registry(
    "strategy",
    {
        "vanilla": "runners.tasks.strategies.vanilla:VANILLA",
        "few_shot_cot": "runners.tasks.strategies.few_shot_cot:FEW_SHOT_COT",
        "planning": "runners.tasks.strategies.planning:PLANNING",
    },
)
