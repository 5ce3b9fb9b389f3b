"""Work on several processors ends in good order."""

import signal
import subprocess
import sys
import time

from tests.data import ROOT

SLEEPERS = """
import signal
import time
from runners.workers import in_processes
signal.signal(signal.SIGTERM, signal.default_int_handler)
print("begun", flush=True)
list(in_processes(time.sleep, [0, *[60] * 4], 2))
"""


def test_a_termination_leaves_no_process_and_no_complaint() -> None:
    running = subprocess.Popen(
        [sys.executable, "-c", SLEEPERS],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stdout
    running.stdout.readline()
    deadline = time.monotonic() + 60
    while len(session(running.pid)) < 4:  # itself, the tracker of semaphores, two workers
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(2)
    running.send_signal(signal.SIGTERM)
    _, shown = running.communicate(timeout=30)
    assert "KeyboardInterrupt" in shown, "as Ctrl-C, so that the run is recorded as interrupted"
    assert "semaphore" not in shown
    assert "resource_tracker" not in shown
    deadline = time.monotonic() + 20
    while session(running.pid):  # the tracker ends when it finds itself alone
        assert time.monotonic() < deadline
        time.sleep(0.1)


def session(leader: int) -> list[str]:
    """Return the processes of a session that are there."""
    found = subprocess.run(["ps", "-o", "pid=", "-s", str(leader)], capture_output=True, text=True)
    return found.stdout.split()
