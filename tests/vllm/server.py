"""A real vLLM server on loopback, on the CPU: `python -m tests.vllm.server FOLDER PORT`."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

CPU = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "VLLM_HOST_IP": "127.0.0.1",
    "GLOO_SOCKET_IFNAME": "lo",
    "OMP_NUM_THREADS": "1",
}
READY_S = 600


@contextmanager
def serving(lm: Path, log: Path, port: int | None = None) -> Iterator[str]:
    """Serve a folder under the name ``tiny``; yield the base URL. The messages go to ``log``."""
    port = port or _free_port()
    # not `vllm serve`: that asks for a distribution named vllm, and the build for CPUs is not
    command = [
        *(sys.executable, "-m", "vllm.entrypoints.openai.api_server"),
        *("--model", str(lm), "--served-model-name", "tiny"),
        *("--host", "127.0.0.1", "--port", str(port)),
        *("--enforce-eager", "--dtype", "float32"),
        *("--max-model-len", "4096", "--max-num-seqs", "64"),
    ]
    with log.open("w") as messages:
        server = subprocess.Popen(
            command, stdout=messages, stderr=messages, env={**os.environ, **CPU}
        )
        try:
            _wait(server, f"http://127.0.0.1:{port}/health", log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            try:
                server.wait(60)
            except subprocess.TimeoutExpired:
                server.kill()


def _wait(server: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise RuntimeError(f"the server is not there: {log.read_text()[-3000:]}")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


if __name__ == "__main__":
    from tests.vllm.tiny import make_tiny

    for ending in (signal.SIGINT, signal.SIGTERM):  # a job in the background ignores the first
        signal.signal(ending, signal.default_int_handler)
    folder = make_tiny(Path(sys.argv[1]))
    with serving(folder, folder / "server.log", int(sys.argv[2])) as base_url:
        print(f"serving tiny at {base_url}; Ctrl-C ends it", flush=True)
        with suppress(KeyboardInterrupt):
            signal.pause()
