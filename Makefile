# `make demo` and `make test` do all their own set-up; both work in a fresh clone with Python 3.11 or later.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2

.PHONY: demo test lint types bench soak lock clean

demo: .stamp-run
	$(BIN)/pbem demo

test: .stamp-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not soak"

lint: .stamp-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .stamp-dev
	$(BIN)/mypy

bench: .stamp-dev
	$(BIN)/python -m tests.bench

soak: .stamp-dev
	$(BIN)/python -m pytest -n $(WORKERS) -m soak --timeout 0

# Writes both lock files anew from pyproject.toml.
lock: .stamp-dev
	$(BIN)/python -m uv pip compile -q --universal --python-version 3.11 --no-header --no-emit-index-url --no-emit-find-links \
		pyproject.toml --extra postoffice -o requirements.lock
	$(BIN)/python -m uv pip compile -q --universal --python-version 3.11 --no-header --no-emit-index-url --no-emit-find-links \
		pyproject.toml --extra postoffice --extra postgres --group dev -c requirements.lock -o requirements-dev.lock

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "pbem needs Python 3.11 or later; name one with: make PYTHON=python3.12 demo"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "the venv module is missing; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }

.stamp-run: $(BIN)/python requirements.lock pyproject.toml
	@echo "Installing pbem into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e '.[postoffice]'
	@touch $@

.stamp-dev: .stamp-run requirements-dev.lock
	@echo "Installing what the tests need ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements-dev.lock
	@touch $@

clean:
	rm -rf $(VENV) .stamp-run .stamp-dev build dist demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
