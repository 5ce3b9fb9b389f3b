"""The text that a libCST tree writes, and where each node is in it.

libCST's own provider of spans counts bytes, and keeps an object for each node. This one counts
characters. The class of its state, and the method that writes, are private to libCST. Proved:
tests/ingest/mutations/test_spans.py, against libCST's provider.
"""

from types import TracebackType

import libcst as cst
from libcst._nodes.internal import CodegenState

Span = tuple[int, int]
"""Where a node starts and ends, in characters; what is part of it is for libCST to say."""


def written(module: cst.Module) -> tuple[str, dict[int, Span]]:
    """Return the text of a module, and the span of each node by its ``id``.

    An ``id`` is that node's while the module lives.
    """
    state = _Writing(module.default_indent, module.default_newline)
    module._codegen(state)
    return "".join(state.tokens), state.spans


class _Writing(CodegenState):
    """A state of writing that notes where each node starts and ends."""

    def __init__(self, default_indent: str, default_newline: str) -> None:
        super().__init__(default_indent, default_newline)
        self.place = 0
        self.spans: dict[int, Span] = {}
        self._starts: list[int] = []

    def add_indent_tokens(self) -> None:
        super().add_indent_tokens()
        self.place += sum(map(len, self.indent_tokens))

    def add_token(self, value: str) -> None:
        self.tokens.append(value)
        self.place += len(value)

    def before_codegen(self, node: cst.CSTNode) -> None:
        self._starts.append(self.place)

    def after_codegen(self, node: cst.CSTNode) -> None:
        """Give a node all of its tokens, unless its code named a part of them."""
        start = self._starts.pop()
        self.spans.setdefault(id(node), (start, self.place))

    def record_syntactic_position(  # type: ignore[override]
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> "_Part":
        return _Part(self, node, start_node, end_node)


class _Part:
    """While it is open, what is written is the node's; or what lies between two nodes is."""

    def __init__(
        self,
        state: _Writing,
        node: cst.CSTNode,
        start_node: cst.CSTNode | None,
        end_node: cst.CSTNode | None,
    ) -> None:
        self.state = state
        self.node = node
        self.start_node = start_node
        self.end_node = end_node

    def __enter__(self) -> None:
        self.start = self.state.place

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        spans = self.state.spans
        start = self.start if self.start_node is None else spans[id(self.start_node)][0]
        end = self.state.place if self.end_node is None else spans[id(self.end_node)][1]
        spans[id(self.node)] = start, end
