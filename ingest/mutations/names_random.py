"""Variable names, random: every local variable gets five random letters for a name."""

from typing import ClassVar

from ingest.mutations.base import Changes, Examples, Leaves, code
from ingest.mutations.renaming import RenamingAtOnce


class NamesRandom(RenamingAtOnce):
    """Renames all local variables at once; two of one name get one new name."""

    name = "names_random"
    examples: ClassVar[Examples] = (
        Changes(
            code("""
                def f(xs, n=0):
                    total = n
                    for x in xs:
                        total += x
                    return f'{total:>{n}}'
            """),
            code("""
                def f(xs, n=0):
                    wqnhi = n
                    for bbaev in xs:
                        wqnhi += bbaev
                    return f'{wqnhi:>{n}}'
            """),
        ),
        Changes(
            code("""
                def f(a):
                    try:
                        b = [c for c in a if c]
                    except TypeError as e:
                        b = str(e)
                    return b
            """),
            code("""
                def f(a):
                    try:
                        wqnhi = [bbaev for bbaev in a if bbaev]
                    except TypeError as qxnpz:
                        wqnhi = str(qxnpz)
                    return wqnhi
            """),
        ),
        Leaves(
            code("""
                def f(a):
                    a = a + 1
                    return a
            """),
            "parameter",
        ),
        Leaves(
            code("""
                def f(a):
                    b = a + 1
                    return eval('b')
            """),
            "dynamic",
        ),
        Leaves(
            code("""
                def f(a):
                    b = a + 1
                    return f'{b=}'
            """),
            "shown",
        ),
        Leaves(
            code("""
                def f(a):
                    global b
                    b = a + 1
                    return b
            """),
            "too_few_variables",
        ),
        Leaves(
            code("""
                def f(a):
                    b = a
                    def g():
                        nonlocal b
                        b += 1
                    return g() or b
            """),
            "declared",
        ),
        Leaves(
            code("""
                def f(a):
                    class C:
                        b = a
                    return C.b
            """),
            "class_attribute",
        ),
        Leaves(
            code("""
                def f(a):
                    a()
                    a()
                    b = a()
                    return b
            """),
            "after_cut",
        ),
        Leaves(
            code("""
                def f(a):
                    try:
                        if a:
                            b = 1
                        return b
                    except Exception as b:
                        return str(b)
                    pass
            """),
            "told",
        ),
        Leaves(
            code("""
                def f(a):
                    try:
                        a / 0
                    except ZeroDivisionError as b:
                        pass
                    try:
                        return b
                    except Exception as b:
                        return str(b)
                    pass
            """),
            "told",
        ),
    )


VERSIONS = (NamesRandom,)
