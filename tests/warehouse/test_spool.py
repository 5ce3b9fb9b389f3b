"""Shards survive kill -9 whole or not at all, and are drained exactly once."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data import ROOT
from tests.warehouse.rows import language_model, logprobs
from warehouse import spool as spool_module
from warehouse.connection import reading
from warehouse.errors import CheckFailed
from warehouse.runs import recorded
from warehouse.spool import Spool, drain_leftovers, leftovers

WRITER = """
import sys, time
from tests.warehouse.rows import language_model
from warehouse.runs import recorded
from warehouse.spool import Spool
with recorded("test", settings={}) as run, Spool(run) as spool:
    for number in range(10**6):
        spool.add([language_model(str(number), run.run_id)])
        spool.flush()
        print(number, flush=True)
"""


def names() -> list[str]:
    with reading() as con:
        return [n for (n,) in con.execute("select lm from raw.language_model").fetchall()]


def test_kill_9_loses_nothing_that_was_flushed(home: Path) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout
    for line in writer.stdout:
        if int(line) >= 7:
            break
    assert drain_leftovers() == {}, "a living run keeps its shards"
    writer.send_signal(signal.SIGKILL)
    rest = writer.stdout.read().split()
    writer.wait()
    last = int(rest[-1]) if rest else 7
    drain_leftovers()
    assert set(names()) >= {str(number) for number in range(last + 1)}
    assert len(names()) == len(set(names()))
    assert leftovers() == 0
    assert drain_leftovers() == {}


def test_a_shard_half_written_is_not_there(home: Path) -> None:
    with recorded("test", settings={}) as run, Spool(run) as spool:
        spool.add([language_model("a", run.run_id)])
        partial = spool.folder / "000007.partial"
        partial.mkdir()
        (partial / "language_model.parquet").write_bytes(b"half")
    assert names() == ["a"]


def test_a_refused_shard_is_set_aside_not_lost(home: Path) -> None:
    with (
        pytest.raises(CheckFailed, match="refused"),
        recorded("test", settings={}) as run,
        Spool(run) as spool,
    ):
        spool.add([logprobs(0, [0.7], run.run_id)])
    assert len(list((home / "refused").iterdir())) == 1
    assert drain_leftovers() == {}


def test_a_full_disk_leaves_no_half_shard_and_loses_no_row(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with recorded("test", settings={}) as run, Spool(run) as spool:
        spool.add([language_model("a", run.run_id)])
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(OSError, match="No space left"):
                spool.flush()
        assert not list(spool.folder.glob("*.partial"))
    assert names() == ["a"], "the rows were kept until there was room again"


def test_a_long_run_is_drained_in_pieces_and_no_piece_is_lost(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool_module, "DRAIN_BYTES", 1)
    with recorded("test", settings={}) as run, Spool(run) as spool:
        for number in range(5):
            spool.add([language_model(str(number), run.run_id)])
            spool.flush()
    assert sorted(names()) == list("01234")
    assert run.added["language_model"] == 5
    with reading() as con:
        assert con.execute("select count(*) from raw.run").fetchone() == (1,)


JOURNALIST = """
import os, signal, sys
from tests.warehouse.rows import language_model
from warehouse.runs import recorded
from warehouse.spool import Spool
with recorded("test", settings={}) as run, Spool(run, journal=True) as spool:
    for number in range(7):
        spool.add([language_model(str(number), run.run_id)])
        if number == 3:
            spool.flush()
    with (spool.folder / "journal").open("ab") as file:
        file.write(b"\\x80\\x04\\x95\\x10")  # an entry cut off
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_journal_keeps_what_no_shard_has_yet(home: Path) -> None:
    done = subprocess.run([sys.executable, "-c", JOURNALIST], cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    assert drain_leftovers()["language_model"] == 7
    assert sorted(names()) == list("0123456")
    assert not list((home / "spool").iterdir())


def test_a_journal_is_empty_once_its_rows_are_in_a_shard(home: Path) -> None:
    with recorded("test", settings={}) as run, Spool(run, journal=True) as spool:
        spool.add([language_model("a", run.run_id)])
        assert (spool.folder / "journal").stat().st_size
        spool.flush()
        assert not (spool.folder / "journal").stat().st_size
    assert names() == ["a"]
