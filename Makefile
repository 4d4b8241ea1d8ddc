# Every target sets up what it needs in .venv; nothing has to be prepared by hand.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
READY := .venv/.ready
TORCH ?= torch
REPORTED := lambdamart xendcg random-forest ridge best-feature

.PHONY: help demo test quick lint types docs notebooks papers experiments fuzz fuzz-guided oldest audit chaos mutants bench bench-quick sentence-transformers system clean

help:  ## show this list
	@sed -n 's/^\([a-z][a-z-]*\):.*##  *\(.*\)/  make \1\t\2/p' Makefile | expand -t 30

demo: $(INSTALLED)  ## evaluate ten real systems and write a report on five of them
	$(BIN)/rankgauge example --output demo
	$(BIN)/rankgauge evaluate demo/judgments.qrels demo/runs/*.trec -m "nDCG@10 AP RR(rel=3)"
	$(BIN)/rankgauge report demo/judgments.qrels $(REPORTED:%=demo/runs/%.trec) --baseline lambdamart --queries demo/queries.csv -o demo/report.html
	@echo "Open $(CURDIR)/demo/report.html in a browser."

test: lint types  ## run every check: linters, types, tests, coverage
	$(BIN)/pytest -n auto --dist loadfile --cov --cov-report=
	$(BIN)/coverage report --include='*/rankgauge/kernels/*,*/rankgauge/measures/*' --fail-under=100 --show-missing --skip-covered

quick: $(READY)  ## run the tests that take about a minute
	$(BIN)/pytest -n auto --dist loadfile -m "not slow"

lint: $(READY)  ## check formatting, lint rules, import contracts and spelling
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/codespell

types: $(READY)  ## check types with strict mypy
	$(BIN)/mypy

docs: $(READY)  ## build the documentation site in site/ and check its links and requests
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	$(BIN)/python tools/check_site.py

notebooks: $(READY)  ## make examples/*.ipynb from the tutorials and execute them
	$(BIN)/python tools/make_notebooks.py

PAGES := papers/optimal-ndcg papers/ndcg-phi papers/ndcg-practice papers/rankdcg

papers: $(READY)  ## recompute the pages on the source papers and the guide; takes some minutes
	printf '%s/recompute.py\n' $(PAGES) | xargs -n 1 -P 2 $(BIN)/python

experiments: $(READY)  ## rerun the simulations behind our claims; takes hours, and each script can be run alone
	for script in $(filter-out $(PAGES:%=%/recompute.py),$(wildcard papers/*/recompute.py)) papers/*/coverage.py papers/*/null.py; do $(BIN)/python $$script || exit 1; done

fuzz: $(READY)  ## feed 100,000 mutated files (25,000 contents, packed and plain) and 20,000 collections to every reader; SECONDS=600 stops early
	$(BIN)/python tests/fuzz/run.py --contents 25000 --collections 20000 --seed $(or $(SEED),29) --seconds $(or $(SECONDS),inf)

fuzz-guided: $(READY)  ## search for inputs that reach new branches, SECONDS for each of 15 targets
	$(BIN)/pip install --quiet --disable-pip-version-check 'atheris>=3'
	$(BIN)/python tests/fuzz/guided.py --seconds $(or $(SECONDS),60)

oldest: $(INSTALLED)  ## run the quick tests with the oldest versions that pyproject.toml allows, in .venv-oldest
	$(BIN)/pip install --quiet --disable-pip-version-check 'uv>=0.5'
	$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python .venv-oldest
	$(BIN)/uv pip install --quiet --python .venv-oldest/bin/python --resolution lowest-direct -e '.[dev]'
	.venv-oldest/bin/python -m pytest -n auto --dist loadfile -m "not slow"

audit: $(READY)  ## look for known vulnerabilities in what is installed; fails if a package cannot be looked up
	$(BIN)/pip install --quiet --disable-pip-version-check 'pip-audit>=2.7'
	$(BIN)/pip freeze --exclude-editable > .venv/installed.txt
	$(BIN)/pip-audit --strict --no-deps --disable-pip --requirement .venv/installed.txt

chaos: $(READY)  ## try signals, a full disk and little memory on every command; writes docs/robustness.md
	$(BIN)/python tests/chaos/run.py --write

mutants: $(READY)  ## change the source a little at a time, and see that a test fails; MODULE=kernels/ SAMPLE=3 SEED=29 for a part, KEEP=1 to try only what survived; writes docs/robustness.md
	$(BIN)/python tests/mutants/run.py --write --module "$(MODULE)" --sample $(or $(SAMPLE),1) --seed $(or $(SEED),29) $(if $(KEEP),--keep)

bench: $(READY)  ## measure speed beside other tools, at full size; writes docs/performance.md (BEFORE=revision adds an older rankgauge)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[bench]' || echo "ranx could not be installed and is left out"
	$(MAKE) --keep-going build/peers/rectools/.complete build/peers/recommenders/.complete || echo "what could not be installed is left out"
	$(BIN)/python bench/run.py $(if $(BEFORE),--before $(BEFORE))

build/peers/%/.complete:
	$(PYTHON) -m venv build/peers/$*
	timeout 240 build/peers/$*/bin/pip install --quiet --disable-pip-version-check $* polars 'pyarrow<21'
	touch $@

bench-quick: $(READY)  ## measure speed on small data, in two minutes
	$(BIN)/python bench/run.py --quick

sentence-transformers: $(READY)  ## test its evaluator with the real library; optional, because torch is large (TORCH=torch==… chooses)
	$(BIN)/python -c "import torch" 2>/dev/null || $(BIN)/pip install --quiet --disable-pip-version-check '$(TORCH)'
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[sentence-transformers]'
	$(BIN)/pytest tests/integrations/test_sentence_transformers.py
	$(BIN)/pytest tests/integrations/test_coming_from.py -k "sentence-transformers or torchmetrics"

system:  ## install what the tests use besides Python: Debian packages (asks for root), axe-core from npm
	command -v chromium >/dev/null || (apt-get update && apt-get install --yes --no-install-recommends chromium fonts-dejavu-core)
	command -v pdflatex >/dev/null || (apt-get update && apt-get install --yes --no-install-recommends texlive-latex-recommended)
	ldconfig -p | grep -q libgomp.so.1 || (apt-get update && apt-get install --yes --no-install-recommends libgomp1)
	command -v java >/dev/null || (apt-get update && apt-get install --yes --no-install-recommends openjdk-17-jre-headless)
	command -v node >/dev/null && command -v npm >/dev/null || (apt-get update && apt-get install --yes --no-install-recommends nodejs npm)
	test -e .axe/node_modules/axe-core/axe.min.js || npm install --silent --no-save --prefix .axe axe-core@4

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[report]'
	touch $@

$(READY): $(INSTALLED)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

clean:  ## remove what the other targets made
	rm -rf demo site .venv .venv-oldest .mypy_cache .ruff_cache .pytest_cache .hypothesis .mutants .coverage build dist
