# The commands of daily work; `make help` lists them. Every target first installs the packages it needs.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 1)

sources = git ls-files --cached --others --exclude-standard -- '*.cpp' '*.hpp'
packages = tools/install_packages.sh
# WERROR=ON makes warnings errors in release builds too; elsewhere a newer compiler with new warnings must not stop a build.
WERROR ?= OFF
# Where CI is set, what some tests need and a bare machine lacks is installed for them: a browser, and the solver SCIP.
with_ci = $(if $(CI),$(1))
python = tools/python_environment.sh build/python tests/python/requirements.txt $(call with_ci,tests/oracle/requirements.txt)

.DEFAULT_GOAL := help
.PHONY: help build demo test asan tsan fuzz wheel bench paper docs install format lint

help: ## list these commands
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

build: ## release library and program, in build/release
	@$(packages) build
	cmake --preset release -DELLZERO_TESTS=OFF -DELLZERO_PYTHON=OFF -DELLZERO_WERROR=$(WERROR)
	cmake --build --preset release -j $(JOBS)

demo: build ## prove a model of the bundled diabetes data, check the proof, write demo/report.html
	@examples/demo.sh

test: ## release build and all tests: C++, command line, Python
	@$(packages) build test $(call with_ci,browser)
	flags=$$($(python)) && cmake --preset release -DELLZERO_TESTS=ON -DELLZERO_WERROR=$(WERROR) $$flags
	cmake --build --preset release -j $(JOBS)
	ctest --preset release

asan: ## the tests, with fewer random cases, under the address and undefined-behaviour sanitizers
tsan: ## the tests, with fewer random cases, under the thread sanitizer
asan tsan:
	@$(packages) build test
	flags=$$($(python)) && cmake --preset $@ $$flags
	cmake --build --preset $@ -j $(JOBS)
	ctest --preset $@

fuzz: ## fuzz everything that reads files, FUZZ_SECONDS (600) each, and FUZZ_MUTANTS (100000) changed proofs
	@$(packages) build fuzz test
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS)
	fuzz/run.sh
	cmake --preset release -DELLZERO_TESTS=ON
	cmake --build --preset release -j $(JOBS) --target test_verify
	ELLZERO_MUTANTS=$${FUZZ_MUTANTS:-100000} build/release/bin/test_verify --gtest_filter='Attack.*'

wheel: ## the Python package as a wheel, in build/wheel
	@$(packages) build wheel
	tools/python_environment.sh build/wheel_tools python/requirements.txt
	build/wheel_tools/bin/pip wheel --quiet --no-deps --wheel-dir build/wheel/local .
	PATH="$(CURDIR)/build/wheel_tools/bin:$$PATH" auditwheel repair --wheel-dir build/wheel build/wheel/local/*.whl

bench: ## benchmarks, as ratios to a baseline on the same machine
	@$(packages) build bench
	cmake --preset bench
	cmake --build --preset bench -j $(JOBS)
	bench/run.sh

paper: ## the paper's experiments and figures, a few replications; FULL=1 for all of them (hours, can be resumed)
	@$(packages) build paper
	cmake --preset release -DELLZERO_TESTS=OFF
	cmake --build --preset release -j $(JOBS) --target ellzero_cli
	experiments/paper/run.sh $(if $(FULL),--full)

docs: ## what pages for users show of the program, and the site of the Python package in build/docs
	@$(packages) build test
	cmake --preset release -DELLZERO_TESTS=OFF $$(tools/python_environment.sh build/docs_tools docs/site/requirements.txt)
	cmake --build --preset release -j $(JOBS) --target ellzero_cli ellzero_python
	tools/make_cli_docs.py
	PYTHONPATH=build/release/python MPLBACKEND=agg build/docs_tools/bin/sphinx-build -q docs/site build/docs

install: build ## library, headers and CMake package into PREFIX (default /usr/local)
	cmake --install build/release --prefix $(PREFIX)

format: ## rewrite our C++ in the house style
	@$(packages) lint
	$(sources) | xargs clang-format -i

lint: ## check style, names and likely bugs without changing anything
	@$(packages) build test lint
	flags=$$($(python)) && cmake --preset lint $$flags
	JOBS=$(JOBS) tools/lint.sh
