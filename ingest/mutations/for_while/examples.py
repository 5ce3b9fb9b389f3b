"""What a for-while exchange changes and what it leaves alone."""

from ingest.mutations.base import Changes, Examples, Leaves, code

EXAMPLES: Examples = (
    Changes(
        code("""
            def f(xs):
                total = 0
                for i in range(len(xs)):  # each
                    total += xs[i]
                    # counted
                return total
        """),
        code("""
            def f(xs):
                total = 0
                i = 0
                while i < len(xs):  # each
                    total += xs[i]
                    i += 1
                    # counted
                return total
        """),
    ),
    Changes(
        code("""
            def f(n):
                total = 0
                for k in range(n, -1, -2):
                    if total > k:
                        break
                    total += k
                return total
        """),
        code("""
            def f(n):
                total = 0
                k = n
                while k > -1:
                    if total > k:
                        break
                    total += k
                    k -= 2
                return total
        """),
    ),
    Changes(
        code("""
            def f(xs):
                for i in range(1, len(xs)):
                    xs.append(i)
                return xs
        """),
        code("""
            def f(xs):
                i = 1
                wqnhi = len(xs)
                while i < wqnhi:
                    xs.append(i)
                    i += 1
                return xs
        """),
    ),
    Leaves(
        code("""
            def f(xs):
                for x in xs:
                    print(x)
                return xs
        """)
    ),
    Leaves(
        code("""
            def f(n):
                for i in range(n):
                    n -= 1
                return i
        """),
        "used_after",
    ),
    Leaves(
        code("""
            def f(n):
                for i in range(n):
                    if i % 2:
                        continue
                    n += i
                return n
        """),
        "continue",
    ),
    Leaves(
        code("""
            def f(n):
                for i in range(n):
                    i *= 2
                    n += i
                return n
        """),
        "assigned",
    ),
    Leaves(
        code("""
            def f(n):
                for i in range(n):
                    n += i
                else:
                    n = 0
                return n
        """),
        "else",
    ),
    Leaves(
        code("""
            def f(n, k):
                for i in range(0, n, k):
                    n += i
                return n
        """),
        "step",
    ),
    Leaves(
        code("""
            def f(n):
                fs = []
                for i in range(n):
                    fs.append(lambda: i)
                return fs
        """),
        "captured",
    ),
    Leaves(
        code("""
            def f(i):
                n = 0
                for i in range(2, i):
                    n += i
                return n
        """),
        "own_bound",
    ),
    Leaves(
        code("""
            def f(n):
                for i in range(n): n += i
                return n
        """),
        "one_line_body",
    ),
    Leaves(
        code("""
            def f(n):
                k = n
                return [k for _ in range(n)]
        """)
    ),
    Leaves(
        code("""
            def f(a):
                n, k = a / 2, 0
                try:
                    for i in range(n):
                        k += 1
                except TypeError:
                    k = -1
                return k
                pass
        """),
        "not_whole",
    ),
    Leaves(
        code("""
            def f(a, k):
                n = [k > 2]
                for i in range(n[0], 3):
                    k += i
                return k
                pass
        """),
        "not_whole",
    ),
    Leaves(
        code("""
            def f(a):
                i = 7
                for i in range(a):
                    return 5
                return i
                pass
        """),
        "used_after",
    ),
)
