"""Names as SQL: whatever a name holds, it stays a name."""


def quoted(*parts: str) -> str:
    """Return a dotted identifier with every part quoted, such as ``"raw"."problem"``."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in parts)


def literal(text: str) -> str:
    """Return a text as an SQL string, for the few places that take no parameter."""
    return "'" + text.replace("'", "''") + "'"
