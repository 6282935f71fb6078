# Two commands matter: `make run` and `make test`. Both set up everything they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TEST_STAMP := $(VENV)/.installed-dev

.PHONY: run install test bench lint format soak clean

run: install
	$(BIN)/companion run

install: $(STAMP)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV) || { echo "make: $(PYTHON) -m venv failed. On Debian: sudo apt install python3-venv"; exit 1; }

$(STAMP): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	@touch $@

$(TEST_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

lint: $(TEST_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(TEST_STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test: lint
	$(BIN)/pytest -n 2 -m "not slow and not pi"

soak: $(TEST_STAMP)
	$(BIN)/pytest -n 2 -m "slow"

bench: $(TEST_STAMP)
	$(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
