# Every target sets up what it needs: a virtual environment from the hashed lock files. A second run starts in seconds.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
# Some tests wait for processes that they start, so three run at once, also on two cores; each more loads every test again.
PARALLEL := -n 3 --dist worksteal
# Extra options for pytest: CI fixes the seed of Hypothesis, so that it judges the change and not the draw.
PYTEST_OPTIONS ?=
# Compiled files are kept whatever the environment says: many processes start from the same modules.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.PHONY: help demo up test test-all chaos evaluate-rules check pictures sbom wheel clients release bench lock clean hooks

help: ## Show this help
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.runtime: requirements.lock
	@$(PYTHON) deploy/setup_venv.py $(VENV) requirements.lock
	@touch $@

$(STAMP): requirements-dev.lock
	@$(PYTHON) deploy/setup_venv.py $(VENV) requirements-dev.lock
	@touch $@ $(VENV)/.runtime

demo: $(VENV)/.runtime ## Run a real dream over an example tenant, end to end, without an API key
	@$(BIN)/python -m gateway.cli demo

up: $(VENV)/.runtime ## Start PostgreSQL, Redis, worker, beat and Flower on this machine; Ctrl-C ends all
	@$(BIN)/python -m gateway.cli up

test: $(STAMP) ## Run the quick tests: each promise once (they start their own servers)
	@$(BIN)/python -m compileall -q -j 0 gateway scheduler shared workers # once, not in each of the processes
	@$(BIN)/python -m tests.compile_tests
	@$(BIN)/python -m pytest $(PARALLEL) $(PYTEST_OPTIONS) -m "not thorough"

# What `test` has run is not run again, except the laws, with six times the examples.
test-all: test ## Run every test: also browsers, drills, chaos, every crash, and each law at length
	@$(BIN)/python -m pytest $(PARALLEL) $(PYTEST_OPTIONS) -m "thorough or hypothesis" --hypothesis-profile=thorough --timeout 600

chaos: $(STAMP) ## Hurt a running system 200 times (kill, pause, flush, drop) and check that nothing is lost
	$(BIN)/python -m tests.chaos.run --faults 200

evaluate-rules: $(STAMP) ## Measure what dreams without a model keep findable; what is found less often than recorded is an error
	@$(BIN)/python -m benchmarks.evidence

check: $(STAMP) ## Format, lint, types, import contracts, spelling, migrations, known vulnerabilities
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/codespell
	$(BIN)/python -m deploy.check_migrations
	@$(BIN)/python -m deploy.audit

pictures: $(STAMP) ## Take the console's pictures of the documentation anew, in a real Chromium
	SLOWWAVE_PICTURES=1 $(BIN)/python -m pytest -n 0 tests/e2e/gateway/test_console_day.py tests/e2e/gateway/test_console_owner.py

sbom: $(VENV)/.runtime ## Write the software bill of materials, CycloneDX, to slowwave.cdx.json
	@$(BIN)/python -m deploy.sbom > slowwave.cdx.json

wheel: $(STAMP) ## Build the wheel and the source archive into dist/
	@SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m uv build -q --no-build-isolation -o dist
	@ls dist/*.whl dist/*.tar.gz

clients: $(STAMP) ## Generate the clients' classes from the API's document, and build their packages into dist/
	@$(BIN)/python -m deploy.clients
	@ls dist/slowwave?client*

release: $(STAMP) ## Prepare a release in dist/VERSION: VERSION=1.4.0, and KEY=~/.ssh/release to sign it
	@$(BIN)/python -m deploy.release $(VERSION) $(if $(KEY),--key $(KEY))

bench: $(STAMP) ## Compare what a dream costs with the recorded figures; what got slower or asks more is an error
	@$(BIN)/python -m benchmarks.compare

lock: $(STAMP) ## Resolve the dependencies anew (hashes, no addresses)
	$(BIN)/uv pip compile -q -U --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-annotate --no-header pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q -U --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-annotate --no-header pyproject.toml --extra otel -c requirements.lock -o requirements-otel.lock
	for extra in bedrock langfuse openai vertex; do $(BIN)/uv pip compile -q -U --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-annotate --no-header pyproject.toml --extra $$extra -c requirements.lock \
	  -o requirements-$$extra.lock || exit 1; done
	$(BIN)/uv pip compile -q -U --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-annotate --no-header pyproject.toml --extra embeddings -c requirements.lock -o requirements-embeddings.lock
	$(BIN)/uv pip compile -q -U --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-annotate --no-header pyproject.toml --extra otel --extra bedrock --extra langfuse --extra openai --extra vertex --group dev -c requirements-otel.lock \
	  -c requirements-bedrock.lock -c requirements-langfuse.lock -c requirements-openai.lock -c requirements-vertex.lock -o requirements-dev.lock

hooks: $(STAMP) ## Install the git hooks (format, lint, types on commit)
	$(BIN)/pre-commit install

clean: ## Remove the virtual environment, caches and the local data directory
	rm -rf $(VENV) .slowwave .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache benchmarks/results
	rm -rf clients/typescript/node_modules clients/typescript/dist clients/typescript/openapi.json clients/typescript/src/schema.ts \
	  clients/python/slowwave_client/models.py
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
