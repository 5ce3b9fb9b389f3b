"""The zygote's account of a child: what the longest test used, however the child ended."""

import os
import socket
import threading
import time

import pytest

from runners.judging.sandbox import wire
from runners.judging.sandbox.walls.forkers import Forker
from runners.judging.sandbox.zygote import Zygote

SEQUENCE = 7


def watched(burning_s: float, stop_after_s: float | None) -> tuple[bytes, float]:
    """Watch a child that burns CPU time in one test and ends before the word that it is over."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if pid == 0:
        while time.process_time() < burning_s:
            pass
        os._exit(0)
    ours.send(wire.WATCH.pack(b"T", SEQUENCE, 60.0))
    stop = wire.STOP.pack(b"K", SEQUENCE)
    timer = threading.Timer(stop_after_s or 0.0, ours.send, [stop])
    if stop_after_s is not None:
        timer.start()
    try:
        return Zygote(theirs, Forker())._watch(pid, SEQUENCE, 60.0)
    finally:
        timer.cancel()
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        ours.close()
        theirs.close()


@pytest.mark.parametrize(
    ("burning_s", "stop_after_s", "reason"), [(0.4, None, wire.EXITED), (60.0, 1.0, wire.STOPPED)]
)
def test_a_test_counts_although_the_child_ends_before_the_word_that_it_is_over(
    burning_s: float, stop_after_s: float | None, reason: bytes
) -> None:
    ended, longest = watched(burning_s, stop_after_s)
    assert ended == reason
    assert 0.05 < longest < 5.0
