"""What drawing costs beside a bare ``AsyncOpenAI`` loop that reads the same answers.

The server is a separate process and answers at once with 100 tokens and their log-probabilities.
Both sides have the same concurrency and separate processes, in turns. Drawing is everything up
to the last row on disk: keys, requests, limits, accounting, parsing, what is kept, the spool. What
follows once per command (the gate and the warehouse) is measured apart.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.frame import in_a_process, peak_mib

ROUNDS = 3
CONCURRENCY = 16
N_PROBLEMS = 48  # of the starter set
MOST_MB = 400
MOST_GROWTH_MB = 40  # for four times the samples
WAYS: dict[str, tuple[dict[str, int], float]] = {
    "one sample per request": ({"n_per_call": 1}, 0.85),
    "n = 10": ({"n_per_call": 10}, 3.0),
    "lists of 10 prompts": ({"n_per_call": 1, "prompts_per_call": 10}, 3.0),
}


def main() -> None:
    """Print rates, ratios and memory; exits 1 when a bound is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--side", choices=["bare", "whole"])
    parser.add_argument("--samples", type=int, default=19200)
    parser.add_argument("--options", default="{}")
    parser.add_argument("--base-url", default="")
    given = parser.parse_args()
    if given.side == "bare":
        print(json.dumps(bare(given.base_url, given.samples)))
    elif given.side == "whole":
        print(json.dumps(whole(given.base_url, given.samples, json.loads(given.options))))
    else:
        compare(given.samples)


def compare(n_samples: int) -> None:
    """Run both sides in turns and print the median of the ratios."""
    missed = []
    with serving_apart() as base_url:
        for title, (options, least) in WAYS.items():
            found = []
            for _ in range(ROUNDS):
                before = _side("bare", base_url, n_samples // 8)
                ours = _side("whole", base_url, n_samples, options)
                after = _side("bare", base_url, n_samples // 8)
                # between two, so that a machine that grows busy weighs on both sides
                alone = {name: (before[name] + after[name]) / 2 for name in before}
                found.append((alone, ours))
            rate, cpu = (
                statistics.median(ours[name] / alone[name] for alone, ours in found)
                for name in ("rate", "rate_cpu")
            )
            alone, ours = found[0]
            print(
                f"{title}: {ours['rate']:.0f} samples/s beside {alone['rate']:.0f} bare, "
                f"{rate:.2f} times (bound {least}); per second of processor {cpu:.2f} times; "
                f"then {ours['append_s']:.1f} s for gate and warehouse"
            )
            if rate < least:
                missed.append(title)
        few, many = (
            _side("whole", base_url, n_samples * times, WAYS["n = 10"][0]) for times in (1, 4)
        )
    print(
        f"memory while drawing: {few['peak_mb']:.0f} MB for {n_samples} samples, "
        f"{many['peak_mb']:.0f} MB for {4 * n_samples} (bound {MOST_MB}); "
        f"while appending {few['append_peak_mb']:.0f} and {many['append_peak_mb']:.0f} MB"
    )
    if many["peak_mb"] > MOST_MB or many["peak_mb"] > few["peak_mb"] + MOST_GROWTH_MB:
        missed.append("memory")
    if missed:
        raise SystemExit(f"missed: {', '.join(missed)}")


def bare(base_url: str, n_samples: int) -> dict[str, float]:
    """Draw with the client alone and read text, tokens and log-probabilities of each answer."""
    from openai import AsyncOpenAI

    async def run() -> int:
        client = AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0)
        left = iter(range(n_samples))
        n_tokens = 0

        async def work() -> None:
            nonlocal n_tokens
            for number in left:
                answer = await client.completions.create(
                    model="tiny",
                    prompt=f"def task_{number % N_PROBLEMS}():\n",
                    max_tokens=100,
                    temperature=0.8,
                    logprobs=1,
                )
                choice = answer.choices[0]
                assert choice.text
                assert choice.logprobs is not None
                tokens, logprobs = choice.logprobs.tokens, choice.logprobs.token_logprobs
                n_tokens += len(list(zip(tokens or (), logprobs or (), strict=True)))

        await asyncio.gather(*(work() for _ in range(CONCURRENCY)))
        await client.close()
        return n_tokens

    began, began_cpu = time.perf_counter(), time.process_time()
    assert asyncio.run(run()) == 100 * n_samples
    return _rates(n_samples, time.perf_counter() - began, time.process_time() - began_cpu)


def whole(base_url: str, n_samples: int, options: dict[str, int]) -> dict[str, float]:
    """Draw the way ``assay generate`` does, up to the last row in the warehouse."""
    from runners.drawing.backends.openai import backend as openai
    from tests.support.sql import rows
    from tests.support.steps import generate
    from warehouse.store import spool

    assert openai  # loaded before the clock starts, as on the other side
    spooled: list[tuple[float, float, float]] = []
    drain = spool._drain_folder

    def noted(folder: Path) -> Any:
        spooled.append((time.perf_counter(), time.process_time(), peak_mib()))
        return drain(folder)

    spool._drain_folder = noted
    began, began_cpu = time.perf_counter(), time.process_time()
    report = generate(
        backend="openai",
        lm="tiny",
        dataset="starter",
        n=n_samples // N_PROBLEMS,
        temperature=0.8,
        max_tokens=100,
        options={"base_url": base_url, "concurrency": CONCURRENCY, **options},
    )
    ended = time.perf_counter()
    found = rows("select count(*), min(len(logprobs)) from raw.token_logprob")
    assert found == [(report.n_drawn, 100)], found
    assert report.n_drawn == n_samples // N_PROBLEMS * N_PROBLEMS
    assert not report.lost
    ((at, at_cpu, peak),) = spooled
    return {
        **_rates(report.n_drawn, at - began, at_cpu - began_cpu),
        "append_s": ended - at,
        "peak_mb": peak,
        "append_peak_mb": peak_mib(),
    }


def _rates(n_samples: int, seconds: float, cpu_seconds: float) -> dict[str, float]:
    return {"rate": n_samples / seconds, "rate_cpu": n_samples / cpu_seconds}


def _side(
    side: str, base_url: str, n_samples: int, options: dict[str, int] | None = None
) -> dict[str, float]:
    """Run one side in a separate process, on a fresh warehouse."""
    with tempfile.TemporaryDirectory() as folder:
        if side == "whole":
            ingest = [sys.executable, "-m", "runners.cli.main", "ingest", "starter"]
            environment = {**os.environ, "ASSAY_HOME": folder}
            subprocess.run(ingest, env=environment, check=True, stdout=subprocess.DEVNULL)
        asked = ("--side", side, "--base-url", base_url, "--samples", n_samples)
        given = json.dumps(options or {})
        return in_a_process("client", *asked, "--options", given, ASSAY_HOME=folder)


@contextmanager
def serving_apart() -> Iterator[str]:
    """Serve from another process; yields its address."""
    command = [sys.executable, "-m", "tests.loopback.server", "--n-tokens", "100"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
