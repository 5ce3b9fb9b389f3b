"""Rewrite a trusted test module so that each assert is recorded by itself."""

import ast
import builtins
import symtable
from collections.abc import Iterator
from dataclasses import dataclass

RECORDER = "__assay__"


@dataclass(frozen=True)
class Rewritten:
    """A test module whose asserts report to ``__assay__`` and never stop it."""

    tree: ast.Module
    n_tests: int
    labels: tuple[str, ...]  # the text of each assert, shortened
    calls_check: bool  # it defines check(candidate), as HumanEval's do
    free_names: tuple[str, ...]  # names it uses and does not define


def rewrite(test_code: str, setup_code: str) -> Rewritten:
    """Number the asserts in source order and wrap each; raises SyntaxError."""
    tree = ast.parse(test_code)
    asserts = sorted(
        (node for node in ast.walk(tree) if isinstance(node, ast.Assert)),
        key=lambda node: (node.lineno, node.col_offset),
    )
    numbers = {id(node): number for number, node in enumerate(asserts)}
    lines = test_code.splitlines()
    labels = tuple(_text(lines, node) for node in asserts)
    free = _free_names(test_code, setup_code)
    calls_check = any(
        isinstance(node, ast.FunctionDef) and node.name == "check" for node in tree.body
    )
    wrapped = ast.fix_missing_locations(_Wrap(numbers).visit(tree))
    return Rewritten(wrapped, len(asserts), labels, calls_check, free)


def _text(lines: list[str], node: ast.stmt) -> str:
    """The lines of a statement as one, shortened."""
    return " ".join(line.strip() for line in lines[node.lineno - 1 : node.end_lineno])[:200]


class _Wrap(ast.NodeTransformer):
    def __init__(self, numbers: dict[int, int]):
        self.numbers = numbers

    def visit_Assert(self, node: ast.Assert) -> ast.Try:
        number = ast.Constant(self.numbers[id(node)])
        caught = ast.Name("__assay_error__", ast.Load())
        return ast.copy_location(
            ast.Try(
                body=[
                    ast.Expr(_report("enter", number)),
                    ast.Expr(_report("check", number, node.test)),
                ],
                handlers=[
                    ast.ExceptHandler(
                        ast.Attribute(ast.Name(RECORDER, ast.Load()), "kinds", ast.Load()),
                        "__assay_error__",
                        [ast.Expr(_report("caught", number, caught))],
                    )
                ],
                orelse=[],
                finalbody=[],
            ),
            node,
        )


def _report(method: str, *arguments: ast.expr) -> ast.Call:
    recorder = ast.Name(RECORDER, ast.Load())
    return ast.Call(ast.Attribute(recorder, method, ast.Load()), list(arguments), [])


def _free_names(*sources: str) -> tuple[str, ...]:
    """Globals that the modules read, less builtins and what they bind at their top level."""
    used: set[str] = set()
    bound: set[str] = set(vars(builtins))
    for source in sources:
        module = symtable.symtable(source, "<tests>", "exec")
        bound.update(s.get_name() for s in module.get_symbols() if s.is_assigned())
        bound.update(s.get_name() for s in module.get_symbols() if s.is_imported())
        for scope in _scopes(module):
            symbols = (s for s in scope.get_symbols() if s.is_referenced())
            used.update(s.get_name() for s in symbols if scope is module or s.is_global())
    return tuple(sorted(used - bound))


def _scopes(scope: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield scope
    for child in scope.get_children():
        yield from _scopes(child)


def defined(prompt: str, solution: str) -> dict[str, bool]:
    """Names that a prompt binds with whole top-level statements, and whether each is a class.

    The last statement of a prompt may continue in the solution: what it defines is to be written.
    """
    try:
        statements = ast.parse(prompt + solution).body
    except SyntaxError:
        return {}
    n_lines = len(prompt.splitlines())
    found: dict[str, bool] = {}
    for statement in statements:
        if (statement.end_lineno or 0) > n_lines:
            break
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[statement.name] = isinstance(statement, ast.ClassDef)
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            names = [(alias.asname or alias.name).partition(".")[0] for alias in statement.names]
            found.update(dict.fromkeys(names, False))
        else:
            stored = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
            names = [node.id for node in stored if isinstance(node.ctx, ast.Store)]
            found.update(dict.fromkeys(names, False))
    return found
