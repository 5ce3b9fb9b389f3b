"""What a figure's file begins with and says."""

from pathlib import Path
from xml.etree import ElementTree

MAGIC = {"pdf": b"%PDF-", "svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n"}


def words(svg: Path) -> list[str]:
    """The text of a figure, which stays text."""
    root = ElementTree.parse(svg).getroot()
    return [
        "".join(node.itertext()).strip() for node in root.iter("{http://www.w3.org/2000/svg}text")
    ]
