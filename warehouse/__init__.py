"""The store, its views and what is made of them."""

import os

# Set before DuckDB is imported: its allocator keeps freed pages for ten seconds, not for one.
# A build soon takes the same pages again (docs/decisions/0027).
os.environ.setdefault("DUCKDB_JE_MALLOC_CONF", "dirty_decay_ms:10000,muzzy_decay_ms:10000")
