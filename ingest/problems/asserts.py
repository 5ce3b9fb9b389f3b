"""The tests inside a test module: its assert statements in source order."""

import ast

from ingest.parsing import parse


def assert_statements(test_code: str) -> list[ast.Assert]:
    """Return the assert statements of a module, nested ones too, in source order.

    Raises SyntaxError when the module does not parse.
    """
    found = [node for node in ast.walk(parse(test_code)) if isinstance(node, ast.Assert)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def assert_sources(test_code: str) -> list[str]:
    """Return the source text of each assert statement, in source order."""
    return [ast.get_source_segment(test_code, node) or "" for node in assert_statements(test_code)]
