"""The tokens of a Python program, by the rules of each measure that counts them."""

import re

SEPARATORS = re.compile(r"""[;.\[\]()~!\-+&*/%<>^|?{}=#,\\:$"']""")
BLOCK_COMMENT = re.compile(r'""".*?"""', re.DOTALL)
LINE_COMMENT = re.compile(r"#[^\n]*")


def scc_tokens(source: str) -> list[str]:
    """Return the tokens of SourcererCC's file tokenizer, set for Python.

    Block comments are triple double quotes, line comments begin with #; every separator becomes a
    space, so operators do not count. Chon et al. (arXiv 2408.14504) use this measure; they leave
    the settings open. See also Sajnani et al., ICSE 2016.
    """
    text = LINE_COMMENT.sub(" ", BLOCK_COMMENT.sub(" ", source))
    return SEPARATORS.sub(" ", text).split()


PYTHON_TOKEN = re.compile(
    r"""
    (?P<comment>\#[^\n]*)
    | (?P<string>(?i:[rbuft]|rb|br|rf|fr|rt|tr)?
        (?:\"{3}(?:[^\\]|\\.)*?(?:\"{3}|\Z) | '{3}(?:[^\\]|\\.)*?(?:'{3}|\Z)
         | \"(?:[^"\\\n]|\\.)*\"? | '(?:[^'\\\n]|\\.)*'?))
    | (?P<number>(?:0[xXoObB][\da-fA-F_]+
        | (?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)[jJ]?)
    | (?P<name>\w+)
    | (?P<operator>\*\*=|//=|>>=|<<=|\.\.\.|!=|->|:=|\*\*|//|>>|<<|<=|>=|==|[-+*/%@&|^]=|[^\s\w])
    | (?P<newline>\n)
    | (?P<space>(?:[^\S\n]|\\\n)+)
    """,
    re.VERBOSE | re.DOTALL,
)


def python_tokens(source: str) -> list[str]:
    """Return Python tokens: names, numbers, strings and operators; no comments, no layout.

    A string that is a whole statement, such as a docstring, counts as a comment in either quote
    style. Our own lexer, so that a text which does not parse has tokens as well. Every Python
    version gives the same tokens (3.12 splits f-strings, 3.11 does not).
    """
    tokens: list[str] = []
    depth = 0
    begins = True  # at the beginning of a logical line
    alone: int | None = None  # where a string begins that may be all of its line
    for found in PYTHON_TOKEN.finditer(source):
        kind, text = found.lastgroup, found.group()
        if kind in ("space", "comment"):
            continue
        if kind == "newline" or text == ";":
            if kind == "newline" and depth:
                continue
            if alone is not None:
                del tokens[alone:]
            if text == ";":
                tokens.append(text)
            begins, alone = True, None
            continue
        if kind == "string" and (begins or alone is not None):
            alone = len(tokens) if alone is None else alone
        else:
            alone = None
        begins = False
        tokens.append(text)
        if kind == "operator":
            if text in "([{":
                depth += 1
            elif text in ")]}":
                depth = max(0, depth - 1)
    if alone is not None:
        del tokens[alone:]
    return tokens
