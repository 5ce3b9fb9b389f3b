"""Rewrite a trusted test module so that each assert is recorded by itself."""

import ast
import builtins
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
    free = _free_names(tree, ast.parse(setup_code))
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
                        ast.Name("Exception", ast.Load()),
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


def _free_names(*trees: ast.Module) -> tuple[str, ...]:
    """Names read anywhere, less builtins and what the modules bind at their top level."""
    used: set[str] = set()
    bound: set[str] = set(vars(builtins))
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used.add(node.id)
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                bound.add(statement.name)
            elif isinstance(statement, ast.Import | ast.ImportFrom):
                bound.update((a.asname or a.name).partition(".")[0] for a in statement.names)
    return tuple(sorted(used - bound))


def unparse(tree: ast.Module) -> str:
    """The source of a rewritten module, for a child that runs it beside the candidate."""
    return ast.unparse(tree)
