# The commands of the project. `make help` lists them.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
MINUTES ?= 5
PROCESSES ?= 2
PAGES ?= 1
WORKERS ?= 1

with = @exec $(PYTHON) tools/bootstrap.py
bundle = @$(PYTHON) tools/bootstrap.py -m tools.bundle

.PHONY: help run serve test test-long lint types format words hashes bench soak clean
.DEFAULT_GOAL := help

help: ## what there is to make
	@sed -n 's/^\([a-z-]*\):.*## /make \1|/p' Makefile | column -t -s '|' 2>/dev/null \
		|| sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile

run: ## the site, on http://127.0.0.1:8000/ (another port: make run PORT=9000)
	$(bundle)
	$(with) manage.py run --host "$(HOST)" --port "$(PORT)"

serve: ## the site for the public, by several processes (make serve PROCESSES=4 PAGES=2 WORKERS=2); behind a proxy
	$(bundle)
	$(with) manage.py serve --host "$(HOST)" --port "$(PORT)" --processes "$(PROCESSES)" --pages "$(PAGES)" --workers "$(WORKERS)"

test: ## everything that CI runs
	$(with) --dev -m tools.check

test-long: ## before a release: the long forms of the tests, all of the database on PostgreSQL, a newer Python
	$(with) --dev -m tools.check long

lint: ## format, style and migrations
	$(with) --dev -m tools.check format lint migrations

types: ## strict types
	$(with) --dev -m tools.check types

format: ## format the code, the style sheets and the templates
	$(with) --dev -m tools.check reformat

words: ## the catalogues of the languages: take up new texts, write what is translated
	$(with) --dev -m tools.catalogues

hashes: ## write the hashes of the requirements anew, after a change of requirements*.txt
	$(with) --dev -m tools.hashes

bench: ## how fast engine, records, Redis and the whole server are here
	$(with) --dev -m bench

soak: ## random faults for MINUTES (5) from a SEED, then attacks; prints what was lost or done twice
	$(with) --dev -m tests.soak $(MINUTES) $(SEED)

clean: ## remove .venv and caches; var/ with its data stays
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
