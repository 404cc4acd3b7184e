# The main targets: make play | check | test | test-all | soak | coverage | slither | fix | bench | chaos
PYTHON ?= python3
BIN := .venv/bin
# Not `npm ci`: it would reject the lock file, which names Anvil's binary for only one platform.
NPM := npm install --no-save --loglevel=error

# pip can't check hashes and install a folder in the same command. The second command needs no
# network, because requirements.txt contains the build backend.
LOCKED := pip install --quiet --disable-pip-version-check --require-hashes
OURS := pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation -e .

# With UPGRADE=--upgrade, `make lock` takes the newest versions that pyproject.toml allows.
UPGRADE ?=
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
  --no-annotate --no-emit-index-url $(UPGRADE)

SEEDS ?= 200
DEFENCES ?=

PRETTIER := npx --no-install prettier --log-level warn
PRETTY := eslint.config.js frontend-static 'docs/**/*.js' 'docs/games/**/*.json' '**/*.mjs'

# Not `npx forge`: that script exits with 0 even if Forge fails.
FORGE := cd contracts && ../node_modules/@foundry-rs/forge-*/bin/forge

# The variable hides the advertisement of Material for MkDocs.
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The Debian packages that the tests need. Each has a path that exists once the package is installed.
NEEDED := chromium=/usr/bin/chromium nginx=/usr/sbin/nginx openssl=/usr/bin/openssl postgresql=/usr/lib/postgresql \
  pgbouncer=/usr/sbin/pgbouncer redis-server=/usr/bin/redis-server curl=/usr/bin/curl sqlite3=/usr/bin/sqlite3 \
  prometheus=/usr/bin/promtool systemd=/usr/bin/systemd-analyze
PACKAGES := $(foreach one,$(NEEDED),$(firstword $(subst =, ,$(one)))) fonts-dejavu-core
POLICY := /usr/sbin/policy-rc.d
# These options wait for another apt process (at most 600 seconds) and retry a failing mirror.
APT := DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 -o APT::Update::Error-Mode=any
APT_TRIES := 1 2 3 4 5 6 7 8
APT_PAUSE := 5

.PHONY: play test test-contracts test-page coverage gas test-all test-system soak slither check check-python check-page check-contracts docs fix bench chaos screenshots fonts icons lock wheel debian python node

play: .venv/.play node_modules/.play  ## install what is missing, start everything and print the page's URL
	@$(BIN)/chainboard up

test: check test-contracts test-page  ## run the checks and the tests that need only one process, Anvil, Forge or Node
	@$(BIN)/pytest

test-contracts: node_modules/.dev  ## test the contracts with Forge
	@# If a test fails, print only that test. If the gas differs, print the difference.
	@$(FORGE) test --silent || { cd .. && $(FORGE) test --rerun && cd .. && $(FORGE) test --match-path 'test/gas/*'; exit 1; }

test-page: node_modules/.dev  ## test the page's modules in Node, without a browser
	@node --no-warnings --test-reporter ./tests/frontend/node/failures.mjs tests/frontend/node/all.mjs

test-all: test test-system  ## run everything that CI runs

test-system: .venv/.dev node_modules/.dev debian  ## run the tests with browsers, several processes, PostgreSQL, nginx and chaos
	@$(BIN)/pytest --database postgresql tests/system tests/indexer

soak: check .venv-slither/.done debian  ## run the long randomised tests
	@# 5000 runs make 10 million calls to the games.
	@export FOUNDRY_INVARIANT_RUNS=5000 FOUNDRY_FUZZ_RUNS=10000 POSITIONS=10000 FOUNDRY_FUZZ_SEED=$$(date +%s); \
	  echo "FOUNDRY_FUZZ_SEED=$$FOUNDRY_FUZZ_SEED"; $(FORGE) test -vv
	@$(BIN)/pytest --timeout 1200 --dist loadscope --database both -m soak tests

coverage: node_modules/.dev  ## print how much of the contracts the tests with Forge cover
	@export ARTIFACTS=forge FOUNDRY_PROFILE=coverage; $(FORGE) coverage --ir-minimum --skip GameTree.t.sol \
	  --no-match-path 'test/{gas,invariants}/*' --no-match-coverage '(test|vendor)/'

gas: node_modules/.dev  ## record the gas of the contracts' calls in contracts/snapshots
	@$(FORGE) test --match-path 'test/gas/*' --gas-snapshot-check false --gas-snapshot-emit true

slither: .venv/.dev .venv-slither/.done  ## run Slither on the contracts; do this after each change to a contract
	@$(BIN)/pytest -n 0 tests/contracts/slither/test_slither.py

check: .venv/.dev node_modules/.dev  ## check formatting, lint, types, import directions and documentation
	@$(MAKE) --no-print-directory -j 2 check-python check-page check-contracts

check-python:
	@$(BIN)/ruff format --check --quiet . && $(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@found=$$($(BIN)/lint-imports --no-cache) || { echo "$$found"; exit 1; }
	@$(BIN)/python -m docs.reference --check
	@$(MKDOCS) --site-dir build/site

check-page:
	@npx --no-install eslint frontend-static && npx --no-install tsc -p .
	@$(PRETTIER) --check $(PRETTY)

check-contracts:
	@$(FORGE) fmt --check
	@$(FORGE) lint --deny warnings --quiet

docs: .venv/.dev node_modules/.dev  ## build the documentation's site: site/index.html
	@$(MKDOCS)

fix: .venv/.dev node_modules/.dev  ## format the code, and fix what can be fixed automatically
	@$(BIN)/ruff format .
	@$(PRETTIER) --write $(PRETTY)
	@$(FORGE) fmt
	@$(BIN)/python -m docs.reference
	@$(BIN)/ruff check --fix .

bench: .venv/.dev node_modules/.dev  ## run the benchmarks: gas, captains, block to browser and others
	@$(BIN)/python -m bench

chaos: .venv/.dev node_modules/.dev  ## play SEEDS random scenarios with a dishonest node; with DEFENCES=1, switch off each defence in turn
	@$(BIN)/pytest --timeout 0 --chaos-seeds $(SEEDS) \
	  $(if $(DEFENCES),tests/system/chaos/test_defences.py,--dist loadscope -m soak tests/system/chaos/test_seeds.py)

screenshots: .venv/.dev node_modules/.dev debian  ## regenerate docs/screenshots
	@$(BIN)/python -m docs.assets.screenshots

fonts: .venv/.dev  ## regenerate the fonts for pictures after texts change (downloads the originals with apt-get)
	@$(BIN)/python docs/assets/fonts.py

lock: .venv/.dev  ## lock the versions and hashes of the Python packages that pyproject.toml names
	@$(LOCK) pyproject.toml --extra postgresql --extra redis --group build -o requirements.txt
	@$(LOCK) pyproject.toml --extra dev -c requirements.txt -o requirements-dev.txt \
	  $$(sed -n 's/^\([a-z0-9-]*\)==[^;]*$$/--no-emit-package \1/p' requirements.txt)
	@$(LOCK) --group slither -o tests/contracts/slither/requirements.txt

wheel: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
wheel: .venv/.dev node_modules/.play  ## build the wheel and its bill of materials in dist/
	@$(BIN)/python -m hatchling build --target wheel
	@$(BIN)/python -m docs.assets.bill_of_materials dist

icons: .venv/.dev  ## regenerate the installed page's icons from icon.svg
	@$(BIN)/python -m docs.assets.icons

.venv/.play: pyproject.toml requirements.txt | python node
	@echo "Installing Python packages into .venv (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/$(LOCKED) -r requirements.txt
	@$(BIN)/$(OURS)
	@touch $@

.venv/.dev: pyproject.toml requirements.txt requirements-dev.txt | python node
	@echo "Installing Python packages and test tools into .venv (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/$(LOCKED) -r requirements.txt -r requirements-dev.txt
	@$(BIN)/$(OURS)
	@touch $@ .venv/.play

# This environment is separate because Slither needs an older web3.
.venv-slither/.done: tests/contracts/slither/requirements.txt | python
	@echo "Installing Slither into .venv-slither (once)"
	@test -x .venv-slither/bin/python || $(PYTHON) -m venv .venv-slither
	@.venv-slither/bin/$(LOCKED) -r tests/contracts/slither/requirements.txt
	@touch $@

node_modules/.play: package-lock.json | python node
	@echo "Installing npm packages into node_modules (once)"
	@$(NPM) --omit=dev
	@touch $@

node_modules/.dev: package-lock.json | python node
	@echo "Installing npm packages and linters into node_modules (once)"
	@$(NPM)
	@touch $@ node_modules/.play

# Installs the Debian packages for the tests once, before the tests run, because several processes
# would compete for apt's lock. This target fetches package lists only if needed, upgrades nothing and
# starts no service (invoke-rc.d(8)).
debian:
	@missing() { for one in $(NEEDED); do test -e "$${one#*=}" || printf ' %s' "$${one%=*}"; done; }; \
	test -z "$$(missing)" && exit; \
	why="make installs them only as root, with apt-get"; \
	if command -v apt-get >/dev/null && test "$$(id -u)" = 0; then \
	  echo "Installing$$(missing) with apt-get (once)"; \
	  if ! test -e $(POLICY); then \
	    trap 'rm -f $(POLICY)' EXIT; trap 'exit 1' HUP INT TERM; \
	    printf '#!/bin/sh\nexit 101\n' > $(POLICY); chmod +x $(POLICY); \
	  fi; \
	  for try in $(APT_TRIES); do \
	    said=$$($(APT) install -y --no-install-recommends --no-upgrade $(PACKAGES) 2>&1) && test -z "$$(missing)" && exit; \
	    more=$$($(APT) update 2>&1) || { said=$$more; sleep $(APT_PAUSE); }; \
	    why="apt-get failed to install them ($$(echo "$$said" | grep '^E:' | head -n 1))"; \
	  done; \
	fi; \
	echo "Missing on this machine:$$(missing); $$why."; \
	if test "$$CI" = true; then echo "With CI=true this is an error."; exit 1; fi; \
	echo "Tests that need them will be skipped. PostgreSQL, if missing, comes from a Python package instead."

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "Chainboard needs Python 3.11 or newer; \`$(PYTHON)\` is older or missing. Use a different one: make play PYTHON=python3.12"; exit 1; }

node:
	@node -e 'process.exitCode = Number(process.versions.node.split(".")[0] < 20)' 2>/dev/null && command -v npm >/dev/null \
	  || { echo "Chainboard needs Node 20 or newer with npm. Install both, then try again."; exit 1; }
