"""A folder of pages served on this machine alone."""

import threading
import urllib.request
from pathlib import Path

import pytest

from runners.cli.serve import HERE, serve, serving
from warehouse.errors import BadInput


def test_a_folder_is_served_and_a_port_in_use_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "index.html").write_text("<h1>here</h1>")
    server = serving(tmp_path, 0)
    port = server.server_address[1]
    answering = threading.Thread(target=serve, args=[server])
    answering.start()
    try:
        with urllib.request.urlopen(f"http://{HERE}:{port}/") as answer:
            assert answer.read() == b"<h1>here</h1>"
        with pytest.raises(BadInput, match=f"port {port} is in use: name another with --port"):
            serving(tmp_path, port)
    finally:
        server.shutdown()
        answering.join()
    out, err = capfd.readouterr()
    assert out == f"serving http://{HERE}:{port}/ until Ctrl-C\n"
    assert err == ""
