"""Work on several processors: each process has one thread and dies with its parent."""

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, TypeVar

Given = TypeVar("Given")
Found = TypeVar("Found")


def in_processes(
    work: Callable[[Given], Found], items: Iterable[Given], workers: int
) -> Generator[Found, None, None]:
    """Yield what ``work`` makes of each item, as they end.

    Few items wait at a time, so that memory does not grow with their number. With one worker
    nothing is started, and this process has one thread for sums of matrices meanwhile.
    """
    from threadpoolctl import threadpool_limits

    if workers == 1:
        with threadpool_limits(1):
            yield from map(work, items)
        return
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        workers, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(work,)
    )
    try:
        yield from _as_they_end(pool, items, at_once=4 * workers)
    except BaseException:
        for worker in set(multiprocessing.active_children()) - before:
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _as_they_end(pool: ProcessPoolExecutor, items: Iterable[Any], at_once: int) -> Iterator[Any]:
    waiting: set[Any] = set()
    for item in items:
        waiting.add(pool.submit(_worked, item))
        if len(waiting) >= at_once:
            done = next(as_completed(waiting))
            waiting.remove(done)
            yield done.result()
    for done in as_completed(waiting):
        yield done.result()


_work: list[Callable[[Any], Any]] = []
"""What this process does with each item: sent once, because it may be large."""


def _worked(item: Any) -> Any:
    return _work[0](item)


def _begin(work: Callable[[Any], Any]) -> None:
    """Ctrl-C is the parent's to hear, and no worker outlives it.

    The garbage collector skips what is there by then: imported modules and the work.
    """
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)
    _work.append(work)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()
