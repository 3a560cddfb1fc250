# The few commands of this project. Each one sets up what it needs; what is already done is not done again.
.DEFAULT_GOAL := help
.PHONY: help setup serve test check bench fuzz deals month sim load soak protocol lock screenshots smoothness
.DELETE_ON_ERROR:
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
APT := $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get
PYTHON ?= python3
CHROMIUM := /usr/bin/chromium
STAMPS := .stamps
WORKERS ?= 4
WEB_SOURCES := $(shell find web -type f -not -path 'web/node_modules/*' -not -path 'web/dist/*' -not -path 'web/coverage/*')
LOCK_COMMAND := uv pip compile pyproject.toml --all-extras --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11 -q

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-11s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMPS)/package $(STAMPS)/web ## Install everything the service needs and build its pages

serve: setup ## Run the service at http://127.0.0.1:8080
	@exec .venv/bin/casino serve

test: setup $(CHROMIUM) ## Run every test; the rules of the game must be covered to the last branch
	@rm -f .coverage
	@# Compiled and counted once, before many tests at once would each wait for it.
	@.venv/bin/casino rtp --json > /dev/null
	@# What fails is tried once more, alone: many tests drive real processes by the clock, and a machine can be busy. A real fault fails again.
	.venv/bin/pytest -n $(WORKERS) --dist loadfile --cov=casino.cards --cov=casino.uth --cov-branch --cov-report= || .venv/bin/pytest --last-failed --last-failed-no-failures=none
	.venv/bin/coverage report --show-missing --skip-covered --fail-under=100
	cd web && npm test --silent

check: setup ## Check style, types, layers, the pages' weight and that the lock and the protocol are fresh
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/python -m casino.sockets.protocol --check
	@.venv/bin/casino openapi | cmp -s - docs/openapi.json || { echo 'docs/openapi.json is stale: run make protocol' >&2; exit 1; }
	cd web && npm run check --silent && node budget.js
	@cp requirements.lock $(STAMPS)/requirements.lock
	@.venv/bin/$(LOCK_COMMAND) -o $(STAMPS)/requirements.lock
	@cmp -s requirements.lock $(STAMPS)/requirements.lock || { echo 'requirements.lock is stale: run make lock' >&2; exit 1; }

bench: setup ## Measure the parts that must be fast
	.venv/bin/python -m benchmarks

fuzz: setup ## Ask every route and say every message of a real server for some minutes (EXAMPLES=60)
	CASINO_FUZZ_EXAMPLES=$(or $(EXAMPLES),60) .venv/bin/pytest -q tests/security

deals: setup ## Settle a million random deals and compare each with an independent oracle
	CASINO_TEST_DEALS=1000000 .venv/bin/pytest -q tests/uth/test_settlement.py -k independent_oracle

month: setup ## Build a month of 2,000 players and 100,000 rounds and prove that exports, ledger and recount agree
	.venv/bin/python -m tests.finance.full_month

sim: setup ## Simulate evenings full of faults for some minutes (MINUTES=3), or tell one again (SEED=42)
	.venv/bin/python -m tests.simulation $(if $(SEED),--seed $(SEED),--minutes $(or $(MINUTES),3))

load: setup ## Fill a table of a real server with thousands of players (LOAD="--players 5000 --storm 0")
	.venv/bin/python -m benchmarks.load $(LOAD)

soak: setup ## Play at a real server for half an hour and see whether it stays as it was (MINUTES=30)
	.venv/bin/python -m benchmarks.load --players --storm 0 --soak $(or $(MINUTES),30)

protocol: setup ## Write the pages' types, docs/protocol.md and docs/openapi.json from the messages and the routes
	.venv/bin/python -m casino.sockets.protocol
	.venv/bin/casino openapi > docs/openapi.json

screenshots: setup $(CHROMIUM) ## Take pictures of the pages in all their states, to look at
	.venv/bin/python -m tests.browser.screenshots screenshots
	.venv/bin/python -m tests.browser.host_screenshots screenshots
	.venv/bin/python -m tests.browser.finance_screenshots screenshots

smoothness: setup $(CHROMIUM) ## Measure long tasks and frames of the player's page with four tables (SECONDS=30)
	.venv/bin/python -m tests.browser.smoothness $(or $(SECONDS),30)

lock: .venv/bin/uv ## Renew both locks: Python's with the newest versions pyproject.toml allows
	.venv/bin/$(LOCK_COMMAND) --upgrade -o requirements.lock
	cd web && npm run lock --silent

$(STAMPS)/venv: requirements.lock
	@mkdir -p $(STAMPS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Python 3.11 or newer is needed' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { $(APT) update && $(APT) install -y python3-venv; }
	$(PYTHON) -m venv --clear .venv
	@# The lock names everything: resolving it again would reach for newer releases of what is wanted with an extra.
	.venv/bin/pip install --quiet --no-deps --require-hashes -r requirements.lock
	@touch $@

$(STAMPS)/package: $(STAMPS)/venv pyproject.toml
	.venv/bin/pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

.venv/bin/uv:
	$(MAKE) $(STAMPS)/venv

$(STAMPS)/node: web/package-lock.json web/package.json
	@mkdir -p $(STAMPS)
	@command -v npm >/dev/null || { echo 'Node 20 or newer with npm is needed to build the pages' >&2; exit 1; }
	@node -e 'process.exit(+(process.versions.node.split(".")[0] < 20))' || { echo "Node 20 or newer is needed, this is $$(node --version)" >&2; exit 1; }
	cd web && npm ci --silent --no-audit --no-fund
	@touch $@

$(STAMPS)/web: $(STAMPS)/node $(WEB_SOURCES)
	cd web && npm run build --silent
	@touch $@

$(CHROMIUM):
	$(APT) update
	$(APT) install -y --no-install-recommends chromium
