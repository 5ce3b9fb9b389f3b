"""SQLite keeps a database in a file, where no file may be locked."""

from models.words import PASSED
from runners.judging.sandbox.pool import Pool
from runners.judging.sandbox.types import Job, Limits, Suite

PROGRAM = """
import fcntl
import sqlite3


def f(x):
    one = sqlite3.connect("kept.db")
    one.execute("create table if not exists kept (x)")
    one.commit()
    two = sqlite3.connect("kept.db", timeout=0)
    one.execute("begin exclusive")
    one.execute("insert into kept values (?)", (x,))
    try:
        two.execute("insert into kept values (0)")
    except sqlite3.OperationalError as error:
        assert str(error) == "database is locked", error
    else:
        raise AssertionError("the first connection does not keep the second one out")
    one.commit()
    return two.execute("select x from kept").fetchall()


def g():
    with open("other", "w") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
"""
TESTS = """
assert f(1) == [(1,)]
try:
    g()
except PermissionError:
    refused = True
assert refused
"""


def test_connections_of_one_program_keep_apart(pool: Pool) -> None:
    suite = Suite("sqlite", "f", "", TESTS, (), None, "exact", 0.0)
    job = Job("1", PROGRAM, suite, Limits(cpu_s=5, wall_s=30), "same_interpreter")
    (found,) = pool.run([job])
    assert (found.verdict, found.message) == (PASSED, None)
