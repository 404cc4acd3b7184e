# The few words to remember: make play | test | check | fix | bench | chaos
PYTHON ?= python3
BIN := .venv/bin
# not `npm ci`: it refuses a lock that names Anvil's binary for this platform alone
NPM := npm install --no-save --loglevel=error

SEEDS ?= 200
DEFENCES ?=

.PHONY: play test check fix bench chaos screenshots python node

play: .venv/.play node_modules/.play  ## install what is missing, start everything, print the page's address
	@$(BIN)/chainboard up

test: check .venv-slither/.done  ## everything CI asks for
	@$(BIN)/pytest

check: .venv/.dev node_modules/.dev  ## format, lint, types, import directions
	@$(BIN)/ruff format --check --quiet . && $(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-cache | tail -n 1
	@npx --no-install eslint frontend-static && npx --no-install tsc -p .

fix: .venv/.dev  ## format and mend what can be mended
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

bench: .venv/.dev node_modules/.dev  ## the figures: gas, captains, block to browser
	@$(BIN)/python -m bench

chaos: .venv/.dev node_modules/.dev  ## so many seeded stories of a lying node; DEFENCES=1: each defence switched off
	@CHAOS_DEFENCES=$(DEFENCES) $(BIN)/pytest --timeout 0 --chaos-seeds $(SEEDS) \
	  $(if $(DEFENCES),tests/chaos/test_defences.py,$(wildcard tests/chaos/test_seeds_*.py))

screenshots: .venv/.dev node_modules/.dev  ## make docs/screenshots anew
	@$(BIN)/python docs/screenshots.py

.venv/.play: pyproject.toml constraints.txt | python node
	@echo "Installing Python packages into .venv (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/.dev: pyproject.toml constraints.txt | python node
	@echo "Installing Python packages and test tools into .venv (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@ .venv/.play

# an environment of its own: Slither wants an older web3
.venv-slither/.done: tests/slither/requirements.txt | python
	@echo "Installing Slither into .venv-slither (once)"
	@test -x .venv-slither/bin/python || $(PYTHON) -m venv .venv-slither
	@.venv-slither/bin/pip install --quiet --disable-pip-version-check -r tests/slither/requirements.txt
	@touch $@

node_modules/.play: package-lock.json | python node
	@echo "Installing npm packages into node_modules (once)"
	@$(NPM) --omit=dev
	@touch $@

node_modules/.dev: package-lock.json | python node
	@echo "Installing npm packages and linters into node_modules (once)"
	@$(NPM)
	@touch $@ node_modules/.play

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "Chainboard needs Python 3.11 or newer; \`$(PYTHON)\` is not. Name another: make play PYTHON=python3.12"; exit 1; }

node:
	@node -e 'process.exitCode = Number(process.versions.node.split(".")[0] < 20)' 2>/dev/null && command -v npm >/dev/null \
	  || { echo "Chainboard needs Node 20 or newer with npm: install them, then try again."; exit 1; }
