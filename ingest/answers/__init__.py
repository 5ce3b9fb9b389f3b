"""Truncation rules, by the name stored with each text."""

from typing import TYPE_CHECKING

from warehouse.registry import Registry

if TYPE_CHECKING:
    from ingest.answers.truncate import TruncationRule

RULES: "Registry[TruncationRule]" = Registry(
    "keeping rule",
    {
        "whole": "ingest.answers.truncate:whole",
        "stop": "ingest.answers.truncate:at_stop",
        "function_end_v1": "ingest.answers.truncate:function_end_v1",
        "function_end_v2": "ingest.answers.truncate:function_end_v2",
        "module_end_v1": "ingest.answers.truncate:module_end_v1",
        "fixed_line_v1": "ingest.answers.truncate:fixed_line_v1",
        "braces_end_v1": "ingest.answers.braces:braces_end_v1",
    },
)
