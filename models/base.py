"""The base of every raw table: schema ``raw``, rows written once."""

from sqlmodel import SQLModel


class Row(SQLModel):
    """Base of all raw tables. Keys are content hashes (see ``models.keys``); rows never change."""

    __table_args__ = {"schema": "raw"}
