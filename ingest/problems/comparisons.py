"""Names of the comparisons that a dataset of whole programs can be ingested with."""

STDOUT_COMPARISONS = ("stdout", "stdout_nocase", "stdout_floats", "stdout_loose")
"""Comparisons of printed text: see runners.judging.sandbox.compare."""
