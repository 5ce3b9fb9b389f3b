# Two targets matter to a newcomer: `make demo` and `make check`.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo check test lint format types bench lock docs clean

demo: $(READY)
	ASSAY_HOME=$(CURDIR)/.demo $(BIN)/assay nightly --config configs/demo.toml

check: lint types test

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/sqlfluff lint dbt --processes 2

types: $(READY)
	$(BIN)/mypy models warehouse ingest runners

test: $(READY)
	$(BIN)/pytest -n 2 --dist loadgroup -q -m "not slow"

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/sqlfluff fix dbt --processes 2

bench: $(READY)
	$(BIN)/python -m tests.bench

docs: $(READY)
	$(BIN)/python -m runners.docs

lock: $(READY)
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --only-binary :all: --no-binary uncertainty-calibration \
		--no-emit-index-url --extra dev pyproject.toml requirements-build.in -o requirements.lock

$(READY): pyproject.toml requirements.lock requirements-uv.lock
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-uv.lock
	UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy $(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	touch $@

clean:
	rm -rf .venv .demo .assay .bench dbt/target dbt/logs
