# Starts, checks and tests Andamio. `make help` lists what there is.
PYTHON ?= python3
PORT ?= 8000
MINUTES ?= 60
IN_VENV = .venv/bin/python
LOCK = $(IN_VENV) -m piptools compile --quiet --strip-extras --allow-unsafe --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host
# Checks and tests have an embedded database of their own, which would not survive a power cut. Measurements have
# another one, which is as durable as that of `make run`. What `make run` keeps in var/ is not touched.
# Bytecode is kept there too, whatever the environment says: tests start many processes.
APART = ANDAMIO_VAR=var/test PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(CURDIR)/var/test/bytecode
MEASURED = ANDAMIO_VAR=var/bench
.DEFAULT_GOAL := help
.PHONY: help run test test-hard test-faults check bench bench-large bench-grading bench-plans bench-reflections bench-routing bench-analyze soak lock base dev

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/make \1: \2/p' $(firstword $(MAKEFILE_LIST))

run: base  ## install what is needed, start everything and serve on http://127.0.0.1:8000 (PORT=8001 for another port)
	@$(IN_VENV) -m config.launcher --port="$(PORT)"

test: dev  ## run all tests but the long ones, in real browsers too (CHROMIUM=/path names one)
	@$(APART) $(IN_VENV) -m pytest -n 2 --dist loadfile

test-hard: dev  ## run the long tests: storms, crashes, soaks, and what each run need not walk again
	@$(APART) $(IN_VENV) -m pytest -m hard -n 2 --dist loadfile

test-faults: dev  ## break what the system stands on: kills at every step, broker, disk, clock, network, provider, restarts
	@$(APART) $(IN_VENV) -m pytest -m faults tests/faults -n 2 --dist loadfile

check: dev  ## lint, types, layers, one definition of each foundation, dead code, migrations, deployment settings, templates
	$(IN_VENV) -m ruff check .
	$(IN_VENV) -m ruff format --check .
	@$(APART) $(IN_VENV) -m mypy --no-fast-exit
	.venv/bin/python -c 'from importlinter.cli import lint_imports_command as run; run()'
	$(IN_VENV) deploy/one_definition.py
	$(IN_VENV) deploy/dead_code.py
	@$(APART) $(IN_VENV) manage.py makemigrations --check --dry-run
	@$(APART) PUBLIC_URL=https://andamio.example SECRET_KEY=$$($(IN_VENV) -c 'import secrets; print(secrets.token_hex(40))') \
		$(IN_VENV) manage.py check --deploy --fail-level WARNING
	$(IN_VENV) -m djlint templates --lint --quiet
	.venv/bin/djade --check --target-version 5.2 $$(find templates -name '*.html')

bench: dev  ## measure turns, turns that ask a model, planning and evaluating, and the dashboard over a million events
	@$(MEASURED) $(IN_VENV) -m benchmarks
	@$(MEASURED) $(IN_VENV) -m benchmarks.dashboard

bench-large: dev  ## measure a turn with up to 1,000,000 events or beside 500 reflections, and 1,000,000 memories (takes minutes)
	@$(MEASURED) $(IN_VENV) -m benchmarks.large
	@$(MEASURED) $(IN_VENV) -m benchmarks.memories
	@$(MEASURED) $(IN_VENV) -m benchmarks.reflecting

bench-grading: dev  ## measure the grader on lessons left out (DATA=folder with grading/, similarity/ and lessons/)
	@test -n "$(DATA)" || { echo "DATA=folder with grading/, similarity/ and lessons/, see docs/grading.md"; exit 2; }
	@$(MEASURED) $(IN_VENV) -m benchmarks.grading --data="$(DATA)" $(if $(ONLY),--only=$(ONLY))

bench-plans: dev  ## measure criteria, relevance, the plan cache, grammar and task types (DATA=folder adds public pairs)
	@$(MEASURED) $(IN_VENV) -m benchmarks.plans $(if $(DATA),--data="$(DATA)") $(FIT)

bench-reflections: dev  ## measure reflections on planted failures, and their relevance and novelty (FIT=--fit fits anew)
	@$(MEASURED) $(IN_VENV) -m benchmarks.reflections --misses
	@$(MEASURED) $(IN_VENV) -m benchmarks.reflection_likeness $(FIT)

bench-routing: dev  ## measure the router on our own questions (DATA=folder adds CLINC150; FIT=--fit fits confidence anew)
	@$(MEASURED) $(IN_VENV) -m benchmarks.routing $(if $(DATA),--data="$(DATA)") $(FIT)

bench-analyze: dev  ## measure questions over files, and how quick they are (DATA=folder adds charts and tools; FIT=--fit fits anew)
	@$(MEASURED) $(IN_VENV) -m benchmarks.analyze $(if $(DATA),--data="$(DATA)") $(FIT)

soak: dev  ## learners, programs, staff and a faulty provider for an hour, with kills (MINUTES=10 for another time)
	@$(MEASURED) $(IN_VENV) -m benchmarks.soak --minutes="$(MINUTES)"

lock: dev  ## pin the newest allowed versions of everything, with hashes (takes minutes)
	$(LOCK) --upgrade --output-file=requirements/dev.txt requirements/dev.in
	$(LOCK) --upgrade --constraint=requirements/dev.txt --output-file=requirements/base.txt requirements/base.in

base dev:
	@$(PYTHON) deploy/bootstrap.py $@
