"""The functions and methods of a project's source files, each with the lines of its parts.

Lines are numbered from 1 and end as Python's do, with a form feed inside one. All places come from
Python's own syntax tree, which says neither where a header ends nor where a decorator's ``@`` is.
So the text between two nodes is searched; only brackets and comments can be there.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ingest.files import MAX_TEXT_FILE_BYTES, opened
from ingest.parsing import FunctionNode, parse
from ingest.projects.project import Project
from models.keys import content_key
from models.tables import ProjectFunction
from warehouse.errors import BadInput

LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
TEXT_LINE: re.Pattern[str] = re.compile(LINE.pattern.decode())


@dataclass(frozen=True)
class LineRange:
    """Whole lines of a file, the last one included."""

    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True)
class FunctionParts:
    """One definition of a function or method; overloads are several of one qualified name.

    ``lines`` begin with the first decorator, ``signature`` with ``def`` and ends with its colon.
    ``body`` is from the first to the last statement that is not the docstring, without comments
    before it. ``body_apart`` says that the lines of the body hold nothing else of the function, so
    that the body can be cut by its lines.
    """

    path: str
    qualname: str
    lines: LineRange
    signature: LineRange
    docstring: LineRange | None
    body: LineRange | None
    body_apart: bool
    nested: bool
    is_async: bool


@dataclass(frozen=True)
class SourceList:
    """The source files of a project by path, and by path why a file was not read."""

    texts: dict[str, bytes]
    unread: dict[str, str]


def sources_of(project: Project) -> SourceList:
    """Return the source files of a project that are Python of the version that runs this."""
    texts: dict[str, bytes] = {}
    unread: dict[str, str] = {}
    for path in project.source_files():
        try:
            with opened(
                project.folder / path, below=project.folder, limit=MAX_TEXT_FILE_BYTES, unpack=False
            ) as file:
                source = file.read()
            parsed_source(path, source)
            texts[path] = source
        except BadInput as error:
            unread[path] = error.reason
    return SourceList(texts, unread)


def functions_in(path: str, source: bytes) -> list[FunctionParts]:
    """Return the functions of one file; raises BadInput where it is no Python that we can place."""
    with _refused(path):
        return placed_functions(path, *parsed_source(path, source))


def placed_functions(path: str, tree: ast.Module, lines: list[str]) -> list[FunctionParts]:
    """Return the functions of a syntax tree and the lines that it counts, by their first lines."""
    return sorted(_found(path, tree, lines), key=lambda each: each.lines.first)


def function_rows(project: Project, run_id: str) -> Iterator[ProjectFunction]:
    """Yield a row for each function of a project, in the files that can be read."""
    for path, source in sources_of(project).texts.items():
        try:
            found = functions_in(path, source)
        except BadInput:
            continue  # one that is too deep: no test can import it
        for function in found:
            docstring, body = function.docstring, function.body
            yield ProjectFunction(
                project_function_id=content_key(project.release_id, path, function.signature.first),
                project_release_id=project.release_id,
                path=path,
                qualname=function.qualname,
                first_line=function.lines.first,
                def_line=function.signature.first,
                colon_line=function.signature.last,
                docstring_first_line=docstring.first if docstring else None,
                docstring_last_line=docstring.last if docstring else None,
                body_first_line=body.first if body else None,
                last_line=function.lines.last,
                body_is_apart=function.body_apart,
                is_nested=function.nested,
                is_async=function.is_async,
                run_id=run_id,
            )


def parsed_source(path: str, source: bytes) -> tuple[ast.Module, list[str]]:
    """Return the syntax tree of a file and its lines with their ends; raises BadInput.

    The tree's lines are those of the list; its columns count bytes of UTF-8, after a byte order
    mark.
    """
    lines = decoded_lines(path, source)
    with _refused(path):
        return parse(re.sub("\r\n?", "\n", "".join(lines))), lines


def decoded_lines(path: str, source: bytes) -> list[str]:
    """Return the lines of a file with their ends, decoded as Python does; raises BadInput."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        text = source.decode(encoding)
    except (SyntaxError, ValueError, LookupError) as error:
        raise BadInput(f"no text in its encoding: {error}", path=path) from error
    lines = TEXT_LINE.findall(text)
    if len(lines) != len(LINE.findall(source)):
        raise BadInput(f"the encoding {encoding} hides the ends of lines", path=path)
    return lines


@contextmanager
def _refused(path: str) -> Iterator[None]:
    """Say of a text that is no Python, or too deep, which file it is."""
    try:
        yield
    except SyntaxError as error:
        raise BadInput(f"no Python: {error.msg}", path=path, row=error.lineno) from error
    except (ValueError, RecursionError, MemoryError) as error:
        reason = f"no Python that can be read: {type(error).__name__}"
        raise BadInput(reason, path=path) from error


def _found(path: str, tree: ast.Module, lines: list[str]) -> Iterator[FunctionParts]:
    """Yield the functions of a tree, however deep in classes, functions and blocks."""
    ahead: list[tuple[ast.AST, str, bool]] = [(tree, "", False)]
    while ahead:
        node, prefix, nested = ahead.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, FunctionNode):
                yield _function(path, child, prefix + child.name, nested, lines)
                ahead.append((child, f"{prefix}{child.name}.<locals>.", True))
            elif isinstance(child, ast.ClassDef):
                ahead.append((child, f"{prefix}{child.name}.", nested))
            elif not isinstance(child, ast.expr):
                ahead.append((child, prefix, nested))


def _function(
    path: str, node: FunctionNode, qualname: str, nested: bool, lines: list[str]
) -> FunctionParts:
    has_docstring = ast.get_docstring(node, clean=False) is not None
    docstring = _range(node.body[0]) if has_docstring else None
    rest = node.body[has_docstring:]
    signature = LineRange(node.lineno, _colon_line(node, lines))
    end = node.end_lineno or node.lineno
    body = LineRange(_first_line(rest[0], lines), end) if rest else None
    before = max(signature.last, docstring.last if docstring else 0)
    return FunctionParts(
        path=path,
        qualname=qualname,
        lines=LineRange(_first_line(node, lines), end),
        signature=signature,
        docstring=docstring,
        body=body,
        body_apart=body is not None and body.first > before,
        nested=nested,
        is_async=isinstance(node, ast.AsyncFunctionDef),
    )


def _range(node: ast.stmt) -> LineRange:
    return LineRange(node.lineno, node.end_lineno or node.lineno)


def _first_line(node: ast.stmt, lines: list[str]) -> int:
    """Return the line that a statement starts on: that of its first ``@`` where it has one.

    Between ``@`` and its expression only brackets, comments and ends of lines can be.
    """
    decorators = getattr(node, "decorator_list", [])
    if not decorators:
        return node.lineno
    line: int = decorators[0].lineno
    while not lines[line - 1].lstrip().startswith("@"):
        line -= 1
    return line


def _colon_line(node: FunctionNode, lines: list[str]) -> int:
    """Return the line of the colon that ends a header.

    It is the first one after the last expression of the header, comments left out.
    """
    parts: list[Any] = [*ast.iter_child_nodes(node.args), *getattr(node, "type_params", ())]
    parts += [node.returns] if node.returns else []
    ends = [(part.end_lineno, part.end_col_offset) for part in parts]
    place: tuple[int, int] = max([(node.lineno, node.col_offset), *ends])
    line, column = place
    text = lines[line - 1].encode()[column:].decode()
    while ":" not in text.partition("#")[0]:
        text = lines[line]
        line += 1
    return line
