"""Programs recast as function synthesis: odd layouts keep their meaning."""

import ast

import pytest

from ingest.answers.synthesis import docstring, function_under_test, recast

LAYOUTS = {
    "plain": "import math\ndef f(x):\n    return math.sqrt(x)\n",
    "crlf": "import math\r\ndef f(x):\r\n\tif x:\r\n\t\treturn 1\r\n\treturn 2\r\n",
    "tabs_and_spaces": "def f(x):\r\n  if x:\r\n\t   return 1\r\n  else:\r\n     return 2",
    "one_line": "def f(x): return x + 1\n",
    "one_line_with_parts": "def f(x): y = x; return y\nz = 3\n",
    "comment_beside": "def f(x): # doubles\n  return 2 * x\n",
    "comment_first": "def f(x):\n# odd place\n  # then\n  return x\n",
    "own_docstring": 'def f(x):\n    """Old."""\n    return x\n',
    "long_signature": "def f(\n    x: dict = {1: 1},\n    *, y=lambda: 3\n) -> int:\n  return 1\n",
    "string_inside": 'def f(x):\n  s = """\n  keep\n me\n"""\n  return s + x\n',
    "bracket_inside": "def f(x):\n\treturn [1,\n2,\n\t\t3]\n",
    "decorated": "import functools\n@functools.cache\ndef f(x):\n return x\n",
    "code_after": "def f(x):\n  return g(x)\ndef g(x):\n  return 1\n",
    "defined_twice": "def f(x):\n  return 1\ndef f(x):\n  return 2\n",
    "class_before": "class A:\n  pass\n\n\ndef f(x):\n  return A()\n",
    "continued": "def f(x):\n  return 1 + \\\n2\n",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_parts_join_to_the_same_program(layout):
    source = LAYOUTS[layout]
    parts = recast(source, "f", 'Say "hi" and \'\'\'bye\'\'\' with a \\ and """quotes""".')
    program = ast.parse(parts.prompt + parts.reference + parts.suffix)
    function = [node for node in program.body if getattr(node, "name", "") == "f"][-1]
    assert ast.get_docstring(function) == (
        'Say "hi" and \'\'\'bye\'\'\' with a \\ and """quotes""".'
    )
    del function.body[0]
    assert ast.dump(program) == ast.dump(ast.parse(source.replace("\r\n", "\n")))
    first = next(line for line in parts.reference.split("\n") if line.strip(" #"))
    assert parts.prompt.endswith('    """\n')
    assert parts.reference.endswith("\n")
    assert first.startswith(("    ", "#"))
    assert not parts.suffix or parts.suffix.startswith("\n")


def test_a_completion_without_a_last_newline_still_joins_the_suffix():
    parts = recast(LAYOUTS["code_after"], "f", "Text.")
    ast.parse(parts.prompt + "    return g(x)" + parts.suffix)


def test_docstring_keeps_several_lines():
    assert docstring("One.\r\n\r\n  Two.") == '    """\n    One.\n\n    Two.\n    """\n'


def test_function_under_test_is_the_first_callee_the_program_defines():
    source = "def g(x):\n  return x\ndef f(x):\n  return g(x)\n"
    assert function_under_test(source, ["assert set(f(g(1))) == {1}", "assert f(2) == 2"]) == "f"


@pytest.mark.parametrize("asserts", [["assert f(1)", "assert g(1)"], ["assert len([]) == 0"]])
def test_asserts_of_several_functions_or_none_are_refused(asserts):
    with pytest.raises(ValueError, match="do not call one function"):
        function_under_test("def f(x):\n  return x\ndef g(x):\n  return x\n", asserts)


def test_a_function_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="does not define 'h'"):
        recast(LAYOUTS["plain"], "h", "Text.")
