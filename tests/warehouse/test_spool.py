"""Shards survive kill -9 whole or not at all, and are drained exactly once."""

import json
import os
import pickle
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from models.tables import LanguageModel, Run, TokenLogprob
from tests.data import ROOT
from tests.support.commands import refused, shell
from tests.support.sql import n_rows, rows
from tests.warehouse.rows import language_model, logprobs
from warehouse.errors import AssayError, CheckFailed, Interrupted
from warehouse.frames import values_of
from warehouse.store import journal
from warehouse.store import spool as spool_module
from warehouse.store.runs import recorded
from warehouse.store.spool import Spool, drain_leftovers, leftovers

WRITER = """
import sys, time
from tests.warehouse.rows import language_model
from warehouse.store.runs import recorded
from warehouse.store.spool import Spool
with recorded("test", settings={}) as run, Spool(run) as spool:
    for number in range(10**6):
        spool.add([language_model(str(number), run.run_id)])
        spool.flush()
        print(number, flush=True)
"""


def names() -> list[str]:
    return [name for (name,) in rows("select lm from raw.language_model")]


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


def test_an_interruption_of_the_last_step_says_that_rows_are_kept(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: Path) -> None:
        raise KeyboardInterrupt

    def add_one() -> None:
        with recorded("test", settings={}) as run, Spool(run) as spool:
            spool.add([language_model("a", run.run_id)])

    kept = "^test interrupted: what was made is kept; run the same command again to continue$"
    with monkeypatch.context() as patch:
        patch.setattr(spool_module, "_drain_folder", interrupted)
        with pytest.raises(Interrupted, match=kept):
            add_one()
    drain_leftovers()
    assert names() == ["a"]
    nothing = pytest.raises(Interrupted, match="nothing new was saved")
    with nothing, recorded("test", settings={}):
        raise KeyboardInterrupt

    def append_one() -> None:
        with recorded("test", settings={}) as run:
            run.append([language_model("b", run.run_id)])
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match=kept):
        append_one()


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
    assert n_rows("run") == 1


JOURNALIST = """
import os, signal, sys
from tests.warehouse.rows import language_model
from warehouse.store.runs import recorded
from warehouse.store.spool import Spool
with recorded("test", settings={}) as run, Spool(run, journal=True) as spool:
    for number in range(7):
        spool.add([language_model(str(number), run.run_id)])
        if number == 3:
            spool.flush()
    with (spool.folder / "journal.jsonl").open("ab") as file:
        file.write(b'[["language_model", {"lm": "cut o')
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
        assert (spool.folder / "journal.jsonl").stat().st_size
        spool.flush()
        assert not (spool.folder / "journal.jsonl").stat().st_size
    assert names() == ["a"]


def test_a_journal_gives_back_every_value(home: Path, tmp_path: Path) -> None:
    run = Run(
        run_id="r",
        kind="test",
        started_at=datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC),
        **dict.fromkeys(set(Run.model_fields) - {"run_id", "kind", "started_at"}),
    )
    logprobs = [-0.1, -1e-300, -0.0, float("nan"), 1 / 3]
    strange = "\ud800 \n \u2028 \0 é"
    rows = [
        (Run, values_of(run)),
        (TokenLogprob, {"tokens": [strange, ""], "logprobs": logprobs, "kept": [True, False]}),
        (TokenLogprob, {"tokens": [], "logprobs": [], "kept": None, "cumulative_logprob": -2.5}),
        (TokenLogprob, {"top_tokens": [[strange], None], "top_logprobs": [[-1 / 3, -2.0], None]}),
    ]
    kept = journal.Journal(tmp_path)
    kept.write(rows[:1])
    kept.write(rows[1:])
    kept.close()
    found = journal.journaled_rows(tmp_path)
    assert found[Run] == [rows[0][1]]
    assert repr(found[TokenLogprob]) == repr([values for _, values in rows[1:]])


@pytest.mark.parametrize("in_journal", [False, True])
def test_rows_of_another_version_are_refused_and_kept(home: Path, in_journal: bool) -> None:
    """Text where lists belong, as the alternatives of tokens were before migration 25."""
    row = {"generation_id": "g", "top_logprobs": "[[]]"}
    folder = home / "spool" / "run"
    file = shard = folder / "000000" / "token_logprob.parquet"
    shard.parent.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist([row]), shard)
    if in_journal:
        file = folder / "journal.jsonl"
        file.write_text(json.dumps([["token_logprob", row]]) + "\n")
    line = refused("execute", code=1, run=shell)
    assert line.startswith(f"error: {file}: its rows have other columns or types (")
    assert file.exists()


def test_a_journal_on_a_full_disk_keeps_whole_lines(home: Path, tmp_path: Path) -> None:
    code = """
import resource, signal, sys
from pathlib import Path
from models.tables import LanguageModel
from warehouse.store import journal
kept = journal.Journal(Path(sys.argv[1]))
kept.write([(LanguageModel, {"lm": "a"})])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
try:
    kept.write([(LanguageModel, {"lm": "b" * 2000})])
except OSError:
    kept.write([(LanguageModel, {"lm": "c"})])
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=True)
    assert journal.journaled_rows(tmp_path) == {LanguageModel: [{"lm": "a"}, {"lm": "c"}]}


def test_a_pickled_journal_is_refused_and_kept(home: Path) -> None:
    old = home / "spool" / "run" / "journal"
    old.parent.mkdir(parents=True)
    old.write_bytes(pickle.dumps([(LanguageModel, {"lm": "a"})]))
    line = refused("execute", code=1, run=shell)
    assert line.startswith(f"error: {old}: rows that an earlier version of Assay left")
    assert old.exists()
    old.unlink()
    assert drain_leftovers() == {}


def test_a_line_that_is_no_row_is_named(home: Path) -> None:
    folder = home / "spool" / "run"
    folder.mkdir(parents=True)
    (folder / "journal.jsonl").write_bytes(b'[["language_model",{"lm":"a"}]]\n[["nope",{}]]\n')
    with pytest.raises(AssayError, match=r"journal.jsonl:2: not a line of rows"):
        drain_leftovers()
    assert (folder / "journal.jsonl").exists()
