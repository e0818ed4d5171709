# Two commands for learners: make lab, make test. The first one that needs .venv makes it.
.DEFAULT_GOAL := help
.PHONY: help lab test build prove bench

PYTHON ?= python3
INSTALL = command -v "$(PYTHON)" >/dev/null 2>&1 || { \
	echo "There is no '$(PYTHON)' here: install Python 3.11 or newer, then name it: make $@ PYTHON=python3.12"; \
	exit 1; }; "$(PYTHON)" install.py $(if $(TORCH_INDEX),--torch-index "$(TORCH_INDEX)")

help:
	@echo "make lab                  install what is missing, then open the course in JupyterLab"
	@echo "make lab TORCH_INDEX=...  the same with the small PyTorch from this CPU-only index"
	@echo "make test                 install what tests need, then run every test"
	@echo "make test STAGE=3         run one stage of the tests"
	@echo "make build                write the notebooks anew from authoring/"
	@echo "make prove                prove the checks of the exercises that changed; write the table"
	@echo "make bench                measure speed against transformers, as ratios in one run"
	@echo "PYTHON=python3.12 after any of these names the Python to use, the first time."

lab:
	@$(INSTALL)
	@.venv/bin/companion lab $(ARGS)

test:
	@$(INSTALL) --test
	@.venv/bin/python tests/run.py $(STAGE)

build:
	@$(INSTALL) --test
	@.venv/bin/python authoring/build.py

prove:
	@$(INSTALL) --test
	@.venv/bin/python tests/check/prove.py $(ARGS)

bench:
	@$(INSTALL) --test
	@.venv/bin/python -m benchmarks
