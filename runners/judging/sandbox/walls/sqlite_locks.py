"""Databases of SQLite in a file, where no file may be locked.

The filter refuses locks, because a program could lock files of the library, which all share. SQLite
then opens no database in a file. Its "unix-dotfile" way locks a database by a folder beside it. It
keeps connections apart as well, and touches nothing but the private ``/tmp``.
"""

import ctypes
from contextlib import suppress
from importlib.util import find_spec

WAY = b"unix-dotfile"


def lock_by_folders() -> None:
    """Have SQLite lock by folders in this process and its forks, if Python has SQLite here."""
    found = find_spec("_sqlite3")
    with suppress(OSError, AttributeError):  # not here, or a part of the interpreter
        library = ctypes.CDLL(found.origin if found and found.origin else "")
        library.sqlite3_vfs_find.restype = ctypes.c_void_p
        way = library.sqlite3_vfs_find(WAY)
        if way:
            library.sqlite3_vfs_register(ctypes.c_void_p(way), 1)
