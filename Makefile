# Two words to know: `make demo` builds the example fleet, `make test` proves everything. Both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := build/demo
# Bytecode of the program is kept, even if the environment says otherwise: tests start it many times.
unexport PYTHONDONTWRITEBYTECODE
AXE := build/site-test/node_modules/axe-core/axe.min.js
SHOW := prod-swc/nodes/nodepool-t4-share.yaml

.PHONY: demo test check generated contracts charts site site-test e2e bench fuzz mutants roundtrips kills verdicts states refusals dist lock workflows clean

demo: $(VENV)/.installed
	rm -rf $(DEMO)
	$(BIN)/gitgpu build --out $(DEMO)
	@echo; echo "What it made for one of the clusters:"; echo; cd $(DEMO) && find prod-swc -type f | sort
	@echo; echo "One of these files, $(SHOW):"; echo; cat $(DEMO)/$(SHOW)
	@echo; echo "The committed overlays/ are the same:"; $(BIN)/gitgpu build --check

test: check
	$(BIN)/pytest --numprocesses auto --dist worksteal

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/gitgpu build --check

# Everything that is derived from the program and its catalog: docs/reference and the preset for Renovate.
generated: $(VENV)/.dev
	$(BIN)/python -m tools.reference_pages --update
	$(BIN)/python -m tools.renovate --update

# schemas/contracts, from upstream's definitions of custom resources.
contracts: $(VENV)/.dev
	$(BIN)/python -m tools.crds ../shared/crds
	$(BIN)/python -m tools.contracts --update

# The rows of the catalog that are derived from charts: `make charts CLONES=FOLDER`. The last line checks, and writes nothing.
charts: $(VENV)/.dev
	$(BIN)/python -m tools.chart_values $(CLONES) --update
	$(BIN)/python -m tools.chart_definitions $(CLONES) --update
	$(BIN)/python -m tools.chart_crds $(CLONES)

# The site, from docs/ and the catalog, in build/site/html. `make site SITE="--ref v0.1.0"` for a release.
site: $(VENV)/.site
	$(BIN)/python -m tools.site $(SITE)

# The site in headless Chromium. Skipped without a Chromium (`apt-get install chromium`) or without npm.
site-test: site $(VENV)/.site-test $(AXE)
	$(BIN)/pytest tests/browser $(SITE_TEST)

# What is emitted, applied to a real control plane: of KUBECONFIG, or one that Go builds. Exit status 2: it cannot run here.
e2e: $(VENV)/.dev
	@$(BIN)/python -m tests.e2e $(E2E)

bench: $(VENV)/.dev
	$(BIN)/python -m bench

# Ten thousand odd inputs for every command; what fails is kept in build/fuzz.
fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fuzz $(FUZZ)

# Which small faults of the code the tests do not notice. Works on a copy.
mutants: $(VENV)/.dev
	$(BIN)/python -m tests.mutants $(MUTANTS)

# Builds and imports three hundred generated fleets of each kind; `make test` does a few.
roundtrips: $(VENV)/.dev
	GITGPU_ROUND_TRIPS=300 $(BIN)/pytest tests/adopt/test_round_trip.py tests/adopt/test_software_round_trip.py \
		tests/emit/test_reproduction.py $(ROUNDTRIPS)

# Kills every command that writes at each operation on the disk; `make test` does a few.
kills: $(VENV)/.dev
	GITGPU_KILLS=all $(BIN)/pytest tests/cli/test_killed_commands.py $(KILLS)

# States of clusters, made by Karpenter's own controllers, for `gitgpu diagnose`. Needs Go.
states: $(VENV)/.dev
	$(BIN)/python -m tests.diagnose.recording

verdicts: $(VENV)/.dev
	$(BIN)/python -m tests.simulate.recording
	GITGPU_VERDICTS=all $(BIN)/pytest tests/simulate/test_karpenter_verdicts.py

# What a real API server refuses of tests/simulate/refusals; needs what e2e needs.
refusals: $(VENV)/.dev
	$(BIN)/python -m tests.e2e.refusals

# The files of a release, built twice and tried in clean environments. Needs a network.
dist: $(VENV)/.release
	$(BIN)/python -m tools.dist

# The exact versions that the image, the action and `make dist` install, with hashes.
lock: $(VENV)/.release
	$(BIN)/uv pip compile pyproject.toml --quiet --universal --generate-hashes --no-annotate --upgrade \
	  --custom-compile-command "make lock" --no-emit-index-url --output-file requirements.txt
	$(BIN)/uv pip compile pyproject.toml --group site --quiet --universal --generate-hashes --no-annotate --upgrade \
	  --custom-compile-command "make lock" --no-emit-index-url --output-file site/requirements.txt

# Workflows and the action; actionlint: `go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12`.
workflows: $(VENV)/.release
	$(BIN)/zizmor --offline --quiet --min-severity medium .github/workflows action.yml
	actionlint

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

$(VENV)/.site: site/requirements.txt $(VENV)/.dev
	$(BIN)/pip install --quiet --require-hashes --requirement site/requirements.txt
	touch $@

$(VENV)/.site-test: $(VENV)/.site
	$(BIN)/pip install --quiet --group site-test
	touch $@

$(AXE): tests/browser/package-lock.json
	mkdir -p build/site-test && cp tests/browser/package*.json build/site-test
	npm ci --prefix build/site-test --ignore-scripts --no-audit --no-fund --silent
	touch $@

$(VENV)/.release: $(VENV)/.installed
	$(BIN)/pip install --quiet --group release
	touch $@
