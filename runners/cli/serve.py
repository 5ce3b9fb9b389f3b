"""A folder of pages at an address of this machine, for a look at once."""

import errno
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from warehouse.errors import BadInput

HERE = "127.0.0.1"


class QuietHandler(SimpleHTTPRequestHandler):
    """Answers without a line for each request."""

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def serving(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of a folder that only this machine can reach; port 0 is any free one."""
    try:
        return ThreadingHTTPServer((HERE, port), partial(QuietHandler, directory=str(folder)))
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        why = "is in use" if error.errno == errno.EADDRINUSE else "needs more rights"
        raise BadInput(f"port {port} {why}: name another with --port") from error


def serve(server: ThreadingHTTPServer) -> None:
    """Answer until the user ends it."""
    host, port = server.server_address[:2]
    click.echo(f"serving http://{host!s}:{port}/ until Ctrl-C")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        click.echo("ended")
    finally:
        server.server_close()
