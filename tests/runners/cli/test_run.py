"""``assay run``: from nothing to the printed leaderboard in one command, and again for free."""

import json
from pathlib import Path

import pytest

from runners.cli.main import run
from tests.loopback.server import Behaviour, serving
from warehouse.connection import reading

PLANTED = ["run", "--backend", "planted", "--lm", "coin", "--dataset", "starter", "-n", "2"]


def count(table: str) -> int:
    with reading() as con:
        found = con.execute(f"select count(*) from raw.{table}").fetchone()
    assert found
    return int(found[0])


@pytest.mark.long
def test_from_an_empty_home_to_the_leaderboard_and_again_for_nothing(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*PLANTED, "-o", "pass_rate=0.5"]) == 0
    shown = capsys.readouterr().out
    begun = [line.split()[1] for line in shown.splitlines() if line.startswith("   begins")]
    assert begun == ["ingest", "generate", "execute", "similarity", "build", "publish"]
    assert "coin" in shown.partition("in all")[2], "the leaderboard"
    n_rows = count("generation"), count("outcome")
    assert n_rows[0] == 96
    assert run([*PLANTED, "-o", "pass_rate=0.5", "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert [step["name"].split()[0] for step in steps] == begun[1:], "ingested already"
    assert (steps[0]["result"]["n_drawn"], steps[0]["result"]["n_present"]) == (0, 96)
    assert (count("generation"), count("outcome")) == n_rows

    # a server that dies is the end of it, says how to go on, and the same command does go on
    with serving(down=True) as server:
        command = [*PLANTED, "-o", f"base_url={server.base_url}", "-o", "give_up_after_s=1"]
        command[2:5] = ["openai", "--lm", "tiny"]
        command += ["--max-tokens", "40", "--temperature", "0.8", "--no-progress"]
        assert run(command) == 1
        told = capsys.readouterr()
        assert "FAILED: nothing was drawn: gave_up: " in told.out
        assert "begins  execute" not in told.out
        assert told.err.endswith("; the same command goes on from here\n")
        server.behaviour = Behaviour()
        assert run(command) == 0
    assert "tiny" in capsys.readouterr().out.partition("in all")[2]


def test_what_does_not_fit_is_told_before_anything_is_done(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*PLANTED, "-o", "pass_rte=0.5", "--path", str(home / "none.jsonl")]) == 3
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "none.jsonl: no such file or folder" in lines[0]
    assert "no option 'pass_rte'" in lines[1]
    assert not home.exists()
