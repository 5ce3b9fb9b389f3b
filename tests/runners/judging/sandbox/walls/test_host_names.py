"""Programs see a computer of a fixed name, which they can look up without a network."""

import socket

import pytest

from models.words import PASSED, WITH_NAMESPACES
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Job, Limits, Suite
from runners.judging.sandbox.walls.confine import COMPUTER
from runners.judging.sandbox.walls.probe import try_level

PROGRAM = """
import os
import socket


def name():
    return socket.gethostname(), os.uname().nodename


def address(host):
    return socket.gethostbyname(host)


def named(address):
    try:
        return socket.gethostbyaddr(address)[0]
    except socket.herror:
        return None


def unknown(host):
    try:
        return socket.gethostbyname(host)
    except socket.gaierror:
        return None


def changed():
    try:
        socket.sethostname("other")
    except PermissionError:
        return False
    return True


def written():
    try:
        open("/etc/hosts", "a")
    except OSError:
        return False
    return True
"""
TESTS = f"""
assert name() == ("{COMPUTER}", "{COMPUTER}")
assert address("{COMPUTER}") == "127.0.1.1"
assert address("localhost") == "127.0.0.1"
assert named("127.0.1.1") == named("0.0.0.0") == "{COMPUTER}"
assert named("110.242.68.3") is None
assert unknown("example.org") is None
assert changed() is False
assert written() is False
"""


@pytest.mark.parametrize("level", WITH_NAMESPACES)
def test_names_are_the_same_on_every_machine(level: str) -> None:
    if not try_level(level)["contains"]:
        pytest.skip(f"{level} does not hold here")
    suite = Suite("names", "name", "", TESTS, (), None, "exact", 0.0)
    job = Job("1", PROGRAM, suite, Limits(cpu_s=5, wall_s=30), "split")
    before = socket.gethostname()
    with Pool(workers=1, isolation=level) as pool:
        (found,) = pool.run([job])
    assert (found.verdict, found.message) == (PASSED, None)
    assert socket.gethostname() == before
