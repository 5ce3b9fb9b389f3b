"""The openai backend over real HTTP: faults, lies, wrong keys, deadlines, crashes."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from runners.cli.main import run
from runners.drawing.backends.base import Failure
from tests.data import ROOT
from tests.loopback.answers import LIES, Behaviour, lie_about
from tests.loopback.server import Loopback, serving
from tests.support.servers.openai import KEY, N_PROBLEMS, ask, draw, known, requests
from tests.support.sql import rows
from warehouse.store.spool import drain_leftovers

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("starter")]


def test_a_server_that_leaves_samples_out_is_asked_for_the_rest() -> None:
    with serving(personality="llama_cpp") as server:
        answers = ask(server, requests(2, n=3), n_per_call=3)
    assert len(answers) == 6
    assert [body.get("n", 1) for body in server.bodies].count(1) == 2


CODES = {
    "count": {"logprob_count"},
    "nan": {"logprob_nan"},
    "positive": {"logprob_positive"},
    "missing": {"logprob_missing"},
    "empty": {"empty_completion"},
}


@pytest.mark.parametrize("api", ["completions", "chat"])
def test_a_lie_is_an_issue_and_not_a_log_probability(server: Loopback, api: str) -> None:
    known(server, api)
    server.behaviour = Behaviour(lies=True)
    report = draw(server, api=api)
    assert (report.n_drawn, report.lost) == (N_PROBLEMS, {})
    found = rows(
        """
        select problem.prompt, generation_text.raw_text, token_logprob.logprobs,
            list(distinct generation_issue.code), bool_or(generation_issue.lost)
        from raw.generation
        join raw.problem using (problem_id)
        join raw.generation_text using (generation_id)
        left join raw.token_logprob using (generation_id)
        left join raw.generation_issue on generation.generation_id = generation_issue.generation_id
        group by all
        """
    )
    told = set()
    for prompt, text, logprobs, codes, lost in found:
        lie = lie_about(prompt)
        told.add(lie)
        issues = {code for code in codes if code} - {"no_code"}
        assert issues == CODES.get(lie, set()), lie
        assert (logprobs is None) == (lie in CODES), lie
        assert (text == "") == (lie == "empty")
        assert not lost
        if lie == "rounding":
            assert logprobs[-1] == 0.0
    assert told == set(LIES)


FAULTS = {"http_429": "429", "http_500": "500", "malformed": "malformed", "connection": "cut"}


def test_through_faults_every_sample_comes_once_and_the_faults_are_counted() -> None:
    with serving(faults=0.3) as server:
        report = draw(server, n=5, n_per_call=1, timeout_s=1.0, concurrency=32)
    assert (report.n_drawn, report.lost) == (5 * N_PROBLEMS, {})
    assert rows(
        "select count(*), count(distinct (problem_id, sample_index)) from raw.generation"
    ) == [(5 * N_PROBLEMS, 5 * N_PROBLEMS)]
    ((summary,),) = rows(
        "select summary from raw.run_finish join raw.run using (run_id) where kind = 'generate'"
    )
    faults = json.loads(summary)["faults"]
    assert faults == report.faults
    seen = server.faults
    assert sum(seen.values()) > 50
    assert faults["timeout"] >= seen["timeout"] > 0
    late = faults["timeout"] - seen["timeout"]  # a busy machine: the client stopped waiting first
    for code, fault in FAULTS.items():
        assert seen[fault] - late <= faults[code] <= seen[fault], code
    ((attempts,),) = rows("select max(n_attempts) from raw.generation_request")
    assert attempts >= 2


def lost_by_code() -> dict[str, int]:
    found = rows("select code, count(*) from raw.generation_issue where lost group by 1")
    return dict(found)


def test_no_key_and_a_wrong_key_send_nothing_on_and_account_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serving(key=KEY) as server:
        for value, why in ((None, "SOME_KEY is not set"), ("sk-wrong", "refuses the key")):
            if value:
                monkeypatch.setenv("SOME_KEY", value)
            report = draw(server, n=2, api_key_env="SOME_KEY")
            assert report.lost == {"unauthorized": 2 * N_PROBLEMS}
            assert report.n_drawn == 0
            assert why in (report.why_lost or "")
        assert server.bodies == []
        assert lost_by_code() == {"unauthorized": 4 * N_PROBLEMS}
        monkeypatch.setenv("SOME_KEY", KEY)
        assert draw(server, n=2, api_key_env="SOME_KEY").n_drawn == 2 * N_PROBLEMS


def test_an_unknown_language_model_is_named(server: Loopback) -> None:
    report = draw(server, served_lm="giant")
    assert report.lost == {"unknown_lm": N_PROBLEMS}
    assert "giant" in (report.why_lost or "")
    assert len(server.bodies) == 1, "one request is enough to know"


def test_a_server_that_is_away_ends_the_run_soon() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        answers = ask(address, requests(500), max_attempts=1)
    assert {failure.code for failure in answers.values()} == {"gave_up"}
    unsent = [failure for failure in answers.values() if "not sent" in failure.detail]
    assert len(unsent) > 400


def test_the_deadline_of_the_run_ends_it() -> None:
    with serving(delay_s=0.3) as server:
        answers = ask(server, requests(60), concurrency=4, total_deadline_s=2.0)
    lost = [answer for answer in answers.values() if isinstance(answer, Failure)]
    assert {failure.code for failure in lost} == {"gave_up"}
    assert 0 < len(answers) - len(lost) <= 4 * 7
    assert len(server.bodies) <= 4 * 8


def test_the_command_says_what_was_lost_and_fails(
    server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["generate", "--backend", "openai", "--lm", "giant", "--dataset", "starter"]
    arguments += ["-n", "1", "--max-tokens", "9", "-o", f"base_url={server.base_url}"]
    assert run(arguments) == 1
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert "48 samples were not drawn: unknown_lm" in captured.err
    assert "lost (unknown_lm 48)" in captured.out


KILLED = """
import sys
from tests.support.steps import generate
generate(
    backend="openai", lm="tiny", dataset="starter", n=20, temperature=0.8, max_tokens=40,
    options={"base_url": sys.argv[1], "concurrency": 8, "n_per_call": 1},
)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_crash_loses_what_is_under_way_and_nothing_is_asked_twice(
    server: Loopback, how: signal.Signals
) -> None:
    wanted = 20 * N_PROBLEMS
    known(server)
    server.behaviour = Behaviour(delay_s=0.01)
    client = subprocess.Popen(
        [sys.executable, "-c", KILLED, server.base_url], cwd=ROOT, stderr=subprocess.DEVNULL
    )
    while len(server.bodies) < 400:
        assert client.poll() is None
        time.sleep(0.005)
    os.kill(client.pid, how)
    client.wait()
    asked = len(server.bodies)
    assert asked < wanted
    drain_leftovers()
    kept = rows("select count(*) from raw.generation")[0][0]
    assert kept >= asked - 2 * 8, "what had come is there, all but what was under way"
    server.behaviour = Behaviour()
    report = draw(server, n=20, n_per_call=1)
    assert report.n_drawn == wanted - kept == len(server.bodies) - asked
    assert rows(
        "select count(*), count(distinct (problem_id, sample_index)) from raw.generation"
    ) == [(wanted, wanted)]
