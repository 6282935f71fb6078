# Two commands matter: `make run` and `make test`. Both set up everything they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TEST_STAMP := $(VENV)/.installed-dev
DEBIAN_STAMP := $(VENV)/.installed-debian
# Programs of others that tests check us against; a test without its program is skipped and names the package.
DEBIAN := sigrok-cli ffmpeg chromium fonts-dejavu-core

.PHONY: run install test test-opencv5 bench lint format soak screenshots clean

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

# Best effort: without root or network the tests that need these say so and are skipped.
$(DEBIAN_STAMP): $(TEST_STAMP)
	@sh tools/install-test-programs.sh $(DEBIAN)
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[ws281x]' 2>/dev/null \
	  || echo "make: rpi_ws281x could not be built (it needs gcc and python3-dev); its test will be skipped"
	@touch $@

test: lint $(DEBIAN_STAMP)
	$(BIN)/pytest -n 2 -m "not slow and not pi"

# The eye and the cameras once more with the next OpenCV, in a .venv of its own; everything else stays pinned.
OPENCV5 := 5.0.0.93
VENV5 := .venv-opencv5
$(VENV5)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV5)
	grep -v '^opencv-python-headless==' constraints.txt > $(VENV5)/constraints.txt
	$(VENV5)/bin/python -m pip install --quiet --constraint $(VENV5)/constraints.txt \
	  'opencv-python-headless==$(OPENCV5)' --editable '.[dev]'
	@touch $@

test-opencv5: $(VENV5)/.installed
	$(VENV5)/bin/python -c 'import cv2; assert cv2.__version__.startswith("5."), cv2.__version__; print("OpenCV", cv2.__version__)'
	$(VENV5)/bin/python -m pytest -n 2 -m "not slow and not pi" tests/vision tests/contract/test_cameras.py tests/companion/test_bad_pictures.py

soak: $(TEST_STAMP)
	$(BIN)/pytest -n 2 -m "slow"

# Every page at 390 and 1440 px, in build/screenshots, to be looked at.
screenshots: $(DEBIAN_STAMP)
	$(BIN)/python -m tests.browser.screenshots build/screenshots

bench: $(TEST_STAMP)
	$(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) $(VENV5) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
