"""The store, its views and what is made of them."""

import os

# Before DuckDB is loaded: its allocator keeps freed pages for two seconds. By default it gives them
# back at once, and a build takes the same pages again and again (docs/decisions/0027).
os.environ.setdefault("DUCKDB_JE_MALLOC_CONF", "dirty_decay_ms:2000,muzzy_decay_ms:2000")
