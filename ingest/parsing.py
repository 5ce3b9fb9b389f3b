"""Parsing other people's code without their warnings."""

import ast
import warnings


def parse(code: str) -> ast.Module:
    """Return the syntax tree; raises SyntaxError or ValueError. Says nothing of odd escapes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code)
