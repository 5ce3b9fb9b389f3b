"""The worker's end of its zygote."""

import contextlib
import select
import socket
import subprocess
from dataclasses import dataclass

from runners.judging.sandbox import launch, wire
from runners.judging.sandbox.types import OVERRUN, Limits

PATIENCE_S = 30.0  # for the word on a child that is to die, before its zygote counts as lost


class ZygoteLost(Exception):
    """The zygote does not answer: this worker ends, and the scheduler starts another."""


@dataclass(frozen=True)
class ChildEnd:
    """How a child ended, in the words of its zygote; the test is the longest that was watched."""

    reason: bytes
    status: int
    cpu_s: float
    test_cpu_s: float
    wall_s: float
    max_rss_kb: int


class ZygoteLink:
    """The zygote's control socket and process."""

    def __init__(self, level: str, packages: str):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        theirs.set_inheritable(True)
        self.process: subprocess.Popen[bytes] = launch.start(
            "zygote", [level, packages], theirs.fileno()
        )
        theirs.close()
        self.control = ours
        self.sequence = 0
        self.control.settimeout(60)
        try:
            ready = self.control.recv(1024)
        except OSError:
            ready = b""
        if ready != b"ready":
            self.close()
            raise ZygoteLost(ready.decode(errors="replace"))

    def run(self, limits: Limits) -> socket.socket:
        """Ask for a child; returns our end of its socket."""
        ours, theirs = socket.socketpair()
        self.sequence += 1
        packet = wire.RUN.pack(
            b"R",
            self.sequence,
            limits.cpu_s * OVERRUN,
            limits.memory_mb << 20,
            limits.nproc,
            limits.fsize_mb << 20,
            limits.tmpfs_mb << 20,
            limits.output_kb << 10,
        )
        try:
            socket.send_fds(self.control, [packet], [theirs.fileno()])
        except OSError as error:
            raise ZygoteLost(str(error)) from None
        theirs.close()
        return ours

    def stop(self, sequence: int) -> None:
        """Judging is over: the child may die."""
        self._tell(wire.STOP.pack(b"K", sequence))

    def watch(self, sequence: int, allowed_s: float) -> None:
        """The test that runs now may use so much more CPU time; 0: it is over."""
        self._tell(wire.WATCH.pack(b"T", sequence, allowed_s))

    def _tell(self, packet: bytes) -> None:
        try:
            self.control.send(packet)
        except OSError as error:
            raise ZygoteLost(str(error)) from None

    def speaks_within(self, wait_s: float) -> bool:
        """Whether the zygote already reports an end: the child's own, not one we cause."""
        return bool(select.select([self.control], [], [], wait_s)[0])

    def ended(self, sequence: int) -> ChildEnd:
        """Wait for the word on how that child ended."""
        self.control.settimeout(PATIENCE_S)
        try:
            packet = self.control.recv(256)
        except OSError as error:
            raise ZygoteLost(str(error)) from None
        if len(packet) != wire.END.size:
            raise ZygoteLost("the zygote ended")
        reason, number, status, cpu_s, test_cpu_s, wall_s, max_rss_kb = wire.END.unpack(packet)
        if number != sequence:
            raise ZygoteLost("the zygote lost count")
        return ChildEnd(reason, status, cpu_s, test_cpu_s, wall_s, max_rss_kb)

    def close(self) -> None:
        """Hang up, give it the time to kill its child, and make sure of it."""
        self.control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        self.process.kill()
        self.process.wait()
