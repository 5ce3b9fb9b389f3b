"""Each kind of statement, and the lines that Python shows a tracer while it runs them."""

import sys

BRANCHES = """\
def every(x, log):
    if x:
        log(1)
    elif log:
        log(2)
    else:
        log(3)
    try:
        log(4)
    except KeyError:
        log(5)
    while x:
        log(6)
    match x:
        case 1:
            log(7)
        case _:
            log(8)
    if x: log(9)
    return log
    log(10)
"""


EVERY_KIND = '''\
def every(x, log):
    """Run each kind of statement."""
    global unused
    a: int
    b: int = (
        1
    )
    """A string."""
    ...
    import os.path
    from os import (
        path,
    )
    c = [
        1,
        x,
    ]
    c[
        0
    ] += 2
    log(
        c,
        2
    )
    assert log(
        1
    ), "message"
    del c
    c = 1
    while True:
        if c:
            c = 0
        else:
            break
    while x:
        x -= 1
        if x == 2:
            continue
        elif (
            x
        ):
            log(0)
        else:
            pass
    for each in (
        1,
        2,
    ):
        pass
    else:
        log(2)
    for each in (): log(9)
    with log(
        1
    ) as d, log(
        2
    ) as (
        e
    ):
        log(d)
    try:
        raise ValueError(
            "a"
        )
    except (
        KeyError,
        ValueError,
    ) as error:
        log(error)
    finally:
        log(3)
    try:
        raise KeyError
    except:
        log(4)
    for each in (0, 1):
        try:
            if each: raise KeyError
        except KeyError: log(5)
        else:
            log(6)
    try:
        raise ExceptionGroup("g", [KeyError()])
    except* KeyError:
        log(7)
    for value in (1, (2, 3), 4):
        match value:
            case 1:
                log(1)
            case (
                2, y
            ) if (
                y
            ):
                log(y)
            case _:
                log(2)
    @log
    @(
        log
    )
    def inner(
        a=1,
    ):
        """A docstring."""
        nonlocal x
        x = 2
        yield x
        return
    list(inner())
    class Inner:
        """A docstring."""
        y = 1
        def method(self): return self
    Inner().method()
    async def later():
        async with log(1):
            pass
        async for each in log(1):
            log(each)
        await log(2)
    try:
        later().send(None)
    except StopIteration: pass
    return (
        x
    )
'''


class Log:
    """Answers everything: called, entered, awaited, walked through."""

    def __call__(self, value=None, *_):
        return value if callable(value) else self

    def __enter__(self):
        return (1,)

    def __exit__(self, *_):
        return False

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return False

    def __aiter__(self):
        self.left = 2
        return self

    async def __anext__(self):
        self.left -= 1
        if self.left < 0:
            raise StopAsyncIteration
        return self.left

    def __await__(self):
        return iter(())


def seen_by_python(source, *arguments):
    """Return the lines that Python shows a tracer while it calls ``every``."""
    names, seen = {}, set()
    exec(compile(source, "every", "exec"), names)

    def trace(frame, event, _):
        if frame.f_code.co_filename != "every":
            return None
        if event == "line":
            seen.add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        names["every"](*arguments)
    finally:
        sys.settrace(before)
    return seen
