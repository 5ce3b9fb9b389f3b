# Two targets matter to a newcomer: `make demo` and `make check`; CI runs `make check-all`.
PYTHON ?= python3
BIN := .venv/bin
RUNS := .venv/.runs
READY := .venv/.ready
SQL_LINTED := .venv/.sql_linted
SQL := .sqlfluff warehouse/reports/sql/.sqlfluff $(shell find dbt warehouse/facts warehouse/reports warehouse/store -name '*.sql' -not -path 'dbt/target/*')
PYTEST := $(BIN)/pytest -n logical --dist loadscope --no-loadscope-reorder -q --durations=10
LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --only-binary :all: \
	--no-binary uncertainty-calibration --no-emit-index-url
SYNC := $(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes
INSTALL_ASSAY := $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
INSTALL_UV := install --quiet --require-hashes -r requirements-uv.lock
VLLM := .venv-vllm
VLLM_READY := $(VLLM)/.ready

# Some machines forbid Python to keep bytecode; then every process compiles its modules again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo check check-all fast-checks test test-long test-all test-slow test-vllm serve-tiny lint format types bench same-rows lock lock-vllm dbt docs clean

demo: $(RUNS)
	ASSAY_HOME=$(CURDIR)/.demo $(BIN)/assay nightly --config configs/demo.toml

check: fast-checks test

check-all: fast-checks test-all

# Types take one core and SQL lint the other, where neither has run before.
fast-checks: $(READY)
	$(MAKE) --jobs 2 --output-sync=target lint types

lint: $(READY) $(SQL_LINTED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache

# Again when a SQL file or the rules have changed.
$(SQL_LINTED): $(SQL) | $(READY)
	$(BIN)/sqlfluff lint dbt warehouse/reports --processes 0
	$(BIN)/sqlfluff lint warehouse/facts warehouse/store --templater placeholder --processes 0
	touch $@

types: $(READY)
	$(BIN)/mypy models warehouse ingest runners
	$(BIN)/mypy -p tests.bench

test: $(READY)
	$(PYTEST) -m "not long and not slow and not vllm"

# Two more workers than processors: a tenth of the time these tests wait for other processes.
test-long: $(READY)
	$(PYTEST) -n $$(( $$(nproc) + 2 )) -m "long and not slow and not vllm"

# Both in one run: the fast ones fill the time beside the last long ones.
test-all: $(READY)
	$(PYTEST) -n $$(( $$(nproc) + 2 )) -m "not slow and not vllm"

# Each takes several minutes of both processors: outside both gates.
test-slow: $(READY)
	$(PYTEST) -m slow

# Installs 3 GB and takes minutes: outside the gate.
test-vllm: $(VLLM_READY)
	OMP_NUM_THREADS=1 $(VLLM)/bin/python -m pytest -q -m vllm tests/vllm

# The server that configs/vllm_tiny.toml asks.
serve-tiny: $(VLLM_READY)
	HF_HUB_OFFLINE=1 $(VLLM)/bin/python -m tests.vllm.server $(VLLM)/tiny 18001

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/sqlfluff fix dbt warehouse/reports --processes 0
	$(BIN)/sqlfluff fix warehouse/facts warehouse/store --templater placeholder --processes 0

bench: $(READY)
	$(BIN)/python -m tests.bench

# Do the commit BASE and the working tree make the same rows, tables and help? Half an hour.
same-rows: $(READY)
	$(BIN)/python -m tests.support.same_rows $(BASE)

# The staging views and sources, from models/; what dbt sends for a build of all.
dbt: $(READY)
	$(BIN)/python -m warehouse.views.staging
	$(BIN)/python -m warehouse.views.statements.shipping

docs: $(READY)
	$(BIN)/python -m runners.docs
	$(BIN)/python -m tests.bad_inputs
	$(BIN)/python -m tests.notebook

# What Assay needs to run, and with it what checks it needs: the same versions.
lock: $(READY)
	$(LOCK) pyproject.toml requirements-build.in -o requirements.lock
	$(LOCK) --extra dev --constraint requirements.lock pyproject.toml requirements-build.in -o requirements-dev.lock

# torch for CPUs is not on PyPI: uv looks where pip looks
lock-vllm $(VLLM_READY): export UV_FIND_LINKS ?= $(PIP_FIND_LINKS)

lock-vllm: | $(READY)
	$(BIN)/uv pip compile --quiet --python-version 3.11 --only-binary :all: --no-annotate --no-emit-index-url --no-emit-find-links \
		--override tests/vllm/overrides.txt tests/vllm/requirements.in pyproject.toml -o tests/vllm/requirements.lock

$(VLLM_READY): pyproject.toml tests/vllm/requirements.lock | $(READY)
	test -x $(VLLM)/bin/python || $(BIN)/uv venv --quiet --python $(BIN)/python $(VLLM)
	UV_COMPILE_BYTECODE=1 $(BIN)/uv pip sync --quiet --python $(VLLM)/bin/python tests/vllm/requirements.lock
	$(BIN)/uv pip install --quiet --python $(VLLM)/bin/python --no-deps --no-build-isolation --editable .
	touch $@

# An environment without pip is made 4 s faster. The machine's pip installs uv there; where it cannot, Python's own does.
$(RUNS): pyproject.toml requirements.lock requirements-uv.lock
	test -x $(BIN)/python || $(PYTHON) -m venv --without-pip .venv
	$(PYTHON) -m pip --python $(BIN)/python $(INSTALL_UV) 2> /dev/null || \
		{ $(BIN)/python -m ensurepip > /dev/null && $(BIN)/python -m pip $(INSTALL_UV); }
	$(SYNC) requirements.lock
	$(INSTALL_ASSAY)
	touch $@

$(READY): $(RUNS) requirements-dev.lock requirements-axe.lock
	$(SYNC) requirements-dev.lock requirements-axe.lock
	$(INSTALL_ASSAY)
	touch $@

clean:
	rm -rf .venv .venv-vllm .demo .assay .bench dbt/target dbt/logs
