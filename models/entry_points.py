"""Entry points that are no function. Standard library only: the sandbox loads this file alone."""

SCRIPT = "__main__"
"""Entry point of a problem whose solution is a whole program that reads standard input."""
