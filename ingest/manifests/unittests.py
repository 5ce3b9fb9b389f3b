"""Tests that are classes of ``unittest``, as asserts: one for each test method.

A class is run by ``unittest`` itself, one method at a time, with its ``setUp``, ``tearDown`` and
their like for the class. A method that is skipped has not passed. The names of helpers do not begin
with ``test``, so none of them is taken for a method. A module that asks for its file is named one
in the working folder of the program.
"""

import ast

from ingest.parsing import parse

FILE = '__file__ = "tests.py"\n'
RUNNER = '''

def _passes(case, method):
    """Say whether one method of a test class passes; raise what it raised."""
    import unittest

    result = unittest.TestResult()
    unittest.TestSuite([case(method)]).run(result)
    if result.errors or result.skipped:
        (_, said) = (result.errors + result.skipped)[0]
        raise RuntimeError(said.strip().splitlines()[-1])
    return result.wasSuccessful() and result.testsRun == 1 and not result.expectedFailures


'''


def method_asserts(code: str) -> str:
    """Return a module of test classes, with an assert at its end for each test method.

    Asserts inside the methods are tests too. Raises ValueError where there is no test method, and
    SyntaxError for a module that does not parse. What a module does only when it is the main one is
    left as it is: it is not the main one.
    """
    tree = parse(code)
    methods = {
        (case.name, method.name): None
        for case in tree.body
        if isinstance(case, ast.ClassDef) and case.bases
        for method in case.body
        if isinstance(method, ast.FunctionDef) and method.name.startswith("test")
    }
    if not methods:
        raise ValueError("no class has a method whose name begins with 'test'")
    calls = "".join(f'assert _passes({case}, "{method}")\n' for case, method in methods)
    asks = any(isinstance(node, ast.Name) and node.id == "__file__" for node in ast.walk(tree))
    return (FILE if asks else "") + code.rstrip() + RUNNER + calls
