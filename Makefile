# Two words to know: `make demo` builds the example fleet, `make test` proves everything. Both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHOW ?= prod-swc/nodes/nodepool-t4-share.yaml

.PHONY: demo test check bench clean

demo: $(VENV)/.installed
	$(BIN)/gitgpu build
	$(BIN)/gitgpu build --check
	@echo; echo "One of the files that it made, overlays/$(SHOW):"; echo; cat overlays/$(SHOW)

test: check
	$(BIN)/pytest

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/gitgpu build --check

bench: $(VENV)/.dev
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/pip install --quiet --group dev
	touch $@
