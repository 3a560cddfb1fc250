# Targets install what they need; stamp files in .stamps avoid repeated work.
.DEFAULT_GOAL := help
.PHONY: help setup serve test rules-tests service-tests web-tests test-deep mutation check bench fuzz deals month sim load soak protocol lock screenshots smoothness wheel
.DELETE_ON_ERROR:
SHELL := /bin/bash
# Compiled modules are kept: the tests start the service several hundred times.
export PYTHONDONTWRITEBYTECODE :=
.SHELLFLAGS := -euo pipefail -c

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
APT := $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get
PYTHON ?= python3
CHROMIUM := /usr/bin/chromium-headless-shell
STAMPS := .stamps
WORKERS ?= 7
# A guard against hanging: `make test` takes a third of it.
LIMITED := timeout --foreground --kill-after=60 45m
# Tests of the rules that play random or all small games. They find regressions, but cover no branch of their own.
UNMEASURED_TESTS := $(addprefix tests/poker/,test_conservation.py test_pokerkit.py test_small_games.py tournament/test_conservation.py tournament/test_simulation.py)
# The tests that cover every branch of casino/cards, casino/uth and casino/poker.
RULES_TESTS := tests/cards tests/uth $(filter-out $(UNMEASURED_TESTS),$(wildcard tests/poker/test_*.py tests/poker/*/test_*.py)) tests/cli/test_fair.py tests/client/test_strategy.py tests/history tests/http/test_lobby.py tests/live_table/test_fairness.py
WEB_SOURCES := $(shell find web -type f -not -path 'web/node_modules/*' -not -path 'web/dist/*' -not -path 'web/coverage/*')
COMPILE_COMMAND := uv pip compile pyproject.toml --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11 -q
LOCK_COMMAND := $(COMPILE_COMMAND) --all-extras
# Dependencies of a running service only, in the versions of the full lock, which also holds the test tools.
PRODUCTION_LOCK_COMMAND := $(COMPILE_COMMAND) --extra build --constraint requirements.lock

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMPS)/package $(STAMPS)/web ## Install the service and build its pages

serve: setup ## Run the service at http://127.0.0.1:8080, with bots at some poker tables (BOTS=15)
	@exec .venv/bin/casino serve --bots $(or $(BOTS),15)

test: setup $(STAMPS)/tools $(CHROMIUM) ## Run all tests; the game rules need full branch coverage
	@# Compile and compute once, before parallel tests would each wait for it.
	@.venv/bin/casino rtp --json > /dev/null
	@$(MAKE) --no-print-directory --keep-going -j3 service-tests rules-tests web-tests
	@[ ! -f $(STAMPS)/flaky ] || cat $(STAMPS)/flaky

# At most two tests are retried, and named as FLAKY at the end: each is a defect whose cause is to be found.
service-tests:
	@rm -f $(STAMPS)/flaky
	$(LIMITED) .venv/bin/python -m tests.retry $(STAMPS)/flaky -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(addprefix --ignore=,$(RULES_TESTS))

# Coverage slows every line down: only the tests of the rules are measured, which must cover the rules by themselves.
# They compute only. With low priority they use the processor time that the other tests leave while they wait.
rules-tests:
	@rm -f .coverage
	@nice -n 10 $(LIMITED) .venv/bin/pytest -q -n 2 --dist loadgroup $(RULES_TESTS) --cov=casino.cards --cov=casino.uth --cov=casino.poker --cov-branch --cov-report= > $(STAMPS)/rules-tests 2>&1 || { cat $(STAMPS)/rules-tests; exit 1; }
	@echo && tail -n 1 $(STAMPS)/rules-tests
	@.venv/bin/coverage report --show-missing --skip-covered --fail-under=100

web-tests:
	@cd web && nice -n 10 $(LIMITED) npm test --silent

test-deep: setup $(STAMPS)/tools $(CHROMIUM) ## Run all tests with every case of every matrix, before a release
	@.venv/bin/casino rtp --json > /dev/null
	CASINO_TEST_DEEP=1 .venv/bin/pytest -q -n $(WORKERS) --dist worksteal tests/poker
	CASINO_TEST_DEEP=1 .venv/bin/pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder --ignore=tests/poker tests

mutation: setup $(STAMPS)/tools ## Mutation testing of betting, pots, rake, positions and prizes; survivors are reviewed
	.venv/bin/python -m tests.mutation

check: setup $(STAMPS)/tools ## Check style, types, import layers, page weight, lock files and generated documents
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/python -m casino.wire.protocol --check
	@.venv/bin/casino openapi | cmp -s - docs/openapi.json || { echo 'docs/openapi.json is stale: run make protocol' >&2; exit 1; }
	cd web && npm run check --silent && node budget.js
	@cp requirements.lock $(STAMPS)/requirements.lock
	@.venv/bin/$(LOCK_COMMAND) -o $(STAMPS)/requirements.lock
	@cmp -s requirements.lock $(STAMPS)/requirements.lock || { echo 'requirements.lock is stale: run make lock' >&2; exit 1; }
	@cp requirements-production.lock $(STAMPS)/requirements-production.lock
	@.venv/bin/$(PRODUCTION_LOCK_COMMAND) -o $(STAMPS)/requirements-production.lock
	@cmp -s requirements-production.lock $(STAMPS)/requirements-production.lock || { echo 'requirements-production.lock is stale: run make lock' >&2; exit 1; }

bench: setup $(STAMPS)/tools ## Run the benchmarks: speed as ratios against named peers
	.venv/bin/python -m benchmarks

fuzz: setup $(STAMPS)/tools ## Fuzz every route and message of a real server for some minutes (EXAMPLES=60)
	CASINO_FUZZ_EXAMPLES=$(or $(EXAMPLES),60) .venv/bin/pytest -q tests/security

deals: setup $(STAMPS)/tools ## Settle a million random deals and compare each with an independent oracle
	CASINO_TEST_DEALS=1000000 .venv/bin/pytest -q tests/uth/test_settlement.py -k independent_oracle

month: setup $(STAMPS)/tools ## Generate a month of 100,000 rounds and prove that exports, ledger and replay agree
	.venv/bin/python -m tests.finance.full_month

sim: setup $(STAMPS)/tools ## Simulate evenings with faults on virtual time (MINUTES=3), or repeat one (SEED=42); of poker: POKER=1
	.venv/bin/python -m tests.simulation $(if $(SEED),--seed $(SEED),--minutes $(or $(MINUTES),3)) $(if $(POKER),--poker)

load: setup $(STAMPS)/tools ## Load test: thousands of players at a real server (LOAD="--players 5000 --storm 0")
	.venv/bin/python -m benchmarks.load $(LOAD)

soak: setup $(STAMPS)/tools ## Soak test: play at a real server and check for memory growth (MINUTES=30)
	.venv/bin/python -m benchmarks.load --players --storm 0 --soak $(or $(MINUTES),30)

protocol: setup ## Generate the pages' types, docs/protocol.md and docs/openapi.json
	.venv/bin/python -m casino.wire.protocol
	.venv/bin/casino openapi > docs/openapi.json

screenshots: setup $(STAMPS)/tools $(CHROMIUM) ## Take the README's pictures (docs/images) and all states of the pages (screenshots)
	.venv/bin/python -m tests.browser.readme_images docs/images
	.venv/bin/python -m tests.browser.screenshots screenshots
	.venv/bin/python -m tests.browser.host_screenshots screenshots
	.venv/bin/python -m tests.browser.finance_screenshots screenshots
	.venv/bin/python -m tests.browser.poker_screenshots screenshots

smoothness: setup $(STAMPS)/tools $(CHROMIUM) ## Measure long tasks and frames of four live tables and four poker tables (SECONDS=30)
	.venv/bin/python -m tests.browser.smoothness $(or $(SECONDS),30)
	.venv/bin/python -m tests.browser.poker_smoothness $(or $(SECONDS),30)

wheel: $(STAMPS)/venv $(STAMPS)/web ## Build dist/casino-*.whl, which brings the pages and needs neither Node nor a checkout
	.venv/bin/python -m hatchling build --target wheel --directory dist

lock: $(STAMPS)/tools ## Renew all lock files with the newest allowed versions
	.venv/bin/$(LOCK_COMMAND) --upgrade -o requirements.lock
	.venv/bin/$(PRODUCTION_LOCK_COMMAND) -o requirements-production.lock
	cd web && npm run lock --silent

$(STAMPS)/venv: requirements-production.lock
	@mkdir -p $(STAMPS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Python 3.11 or newer is needed' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { $(APT) update && $(APT) install -y python3-venv; }
	$(PYTHON) -m venv --clear .venv
	@# The lock is complete: resolving it again would fetch newer releases of packages with extras.
	.venv/bin/pip install --quiet --no-deps --require-hashes -r requirements-production.lock
	@touch $@

$(STAMPS)/tools: $(STAMPS)/venv requirements.lock
	.venv/bin/pip install --quiet --no-deps --require-hashes -r requirements.lock
	@touch $@

$(STAMPS)/package: $(STAMPS)/venv pyproject.toml
	.venv/bin/pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

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
	$(APT) install -y --no-install-recommends chromium-headless-shell
