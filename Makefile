# From a fresh clone, with Python >= 3.11, make and git; uv is used when it is there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
UV := $(shell command -v uv 2>/dev/null)
QUESTION ?= What can rich render in a terminal?

.PHONY: setup demo test lint check bench lock clean

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is %d.%d: make setup PYTHON=python3.12" % sys.version_info[:2])'
ifdef UV
	uv venv --quiet --allow-existing --python $(PYTHON) $(VENV)
	uv pip install --quiet --python $(VENV) -r requirements.lock
	uv pip install --quiet --python $(VENV) --no-deps -e .
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --no-deps -e .
endif
	@touch $@

# A report over the documents that the packages just installed brought along. Status 3 (a todo found nothing) is no failure here.
demo: $(READY)
	@$(BIN)/leadline research "$(QUESTION)" --in $(VENV)/lib/python3*/site-packages || [ $$? -eq 3 ]
	@printf '\nNext, in this shell:\n\n  $(BIN)/leadline research "What are the events of a run?" --in docs\n'

test: $(READY)
	$(BIN)/pytest -n 2 --dist loadgroup

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test

# Each prints a table and, as its last line, one JSON object with its figures and bounds.
bench: $(READY)
	@set -e; for module in $$(grep -l print_figures bench/*.py | grep -v figures.py); do \
		name=$$(basename "$$module" .py); echo "== bench.$$name"; $(BIN)/python -m "bench.$$name"; \
	done

# After a change of dependencies. Needs uv.
lock:
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --no-header --no-annotate --quiet -o requirements.lock

clean:
	rm -rf $(VENV) build dist
