"""What every raw table shares: it lives in schema ``raw`` and is written once."""

from sqlmodel import SQLModel


class Row(SQLModel):
    """Base of all raw tables. Keys are content hashes (see ``models.keys``); rows never change."""

    __table_args__ = {"schema": "raw"}
