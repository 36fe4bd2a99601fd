# Two commands do all their own set-up on a machine with a Rust toolchain and a C compiler:
#   make demo   builds the program, runs a scene of 500 moving polytopes, checks a crank mechanism and writes report.html
#   make test   runs everything that must hold
CARGO ?= cargo

# The lab is a feature of the program: a user who wants `clearance query` compiles no rivals and no plots.
LAB := --features clearance-cli/lab

.PHONY: demo test page python wheel test-cluster fuzz miri fmt clippy unit doc lean package rust-version names checker lab arena counts counts-record counts-closed valgrind

demo:
	$(CARGO) run --release --quiet --bin clearance -- simulate thesis-500
	$(CARGO) run --release --quiet --bin clearance -- check examples/scenes/crank.json --report report.html || [ $$? -eq 1 ]

test: fmt clippy unit
	@$(MAKE) --no-print-directory -j2 --output-sync=target $(AFTER)
# Each on its own, two at a time: one waits for a browser or a download while another compiles.
AFTER := python page doc lean package rust-version checker
# Tables of lines make compiling and linking slower, and panics name their place without them.
test test-cluster: export CARGO_PROFILE_RELEASE_DEBUG := false
test test-cluster: export CARGO_PROFILE_DEV_DEBUG := false

fmt:
	$(CARGO) fmt --all --check

# Also fails on a function of the standard library that is younger than the crate's `rust-version`.
clippy:
	$(CARGO) clippy --release --workspace --all-targets --locked $(LAB) -- -D warnings

# Release profile: the oracles work in exact arithmetic and would crawl without optimisation. Examples are checked by `clippy`, not built.
TESTS := --release --workspace --locked --lib --bins --tests $(LAB)
# The documentation of the libraries in single precision is that of double precision, whose examples it has.
unit:
	$(CARGO) test $(TESTS)
	$(CARGO) test --release --workspace --locked $(LAB) --doc --exclude clearance-f32 --exclude clearance-sim-f32

# The checker of certificates that shares nothing with the library.
checker:
	@if command -v python3 > /dev/null; then python3 -m unittest discover -s tools; \
	else echo "python3 is not there: tools/check_certificate.py is not tested"; fi

# The Python package in a fresh environment, with its tests and the types of its examples. The compiled part is the one that the tests are
# built with: another set of features would compile all again. Wheels for users are built by `make wheel`.
PYTHON ?= python3
PY := crates/clearance-py
PYTHON_FITS = command -v $(PYTHON) > /dev/null && $(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2> /dev/null
PYTHON_MISSING = needs Python 3.11 or later with venv and pip (Debian: python3 python3-venv; another one: make PYTHON=python3.12)
VENV := target/venv
# `make python PYTHON_BUILD="--release -p clearance-py"` compiles the package alone.
PYTHON_BUILD ?= $(TESTS)
python:
	@if ! { $(PYTHON_FITS); }; then echo "not tested: the Python package $(PYTHON_MISSING)"; exit 0; fi; \
	$(CARGO) test --quiet --no-run $(PYTHON_BUILD) || exit 1; \
	$(PYTHON) -m venv --clear $(VENV) || exit 1; \
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r $(PY)/tests/requirements.txt \
		|| { echo "not tested: the Python package needs NumPy, pytest, mypy and nanoarrow from PyPI"; exit 0; }; \
	wheel=$$($(VENV)/bin/python $(PY)/tools/pack.py $${CARGO_TARGET_DIR:-target}/release/deps/lib_clearance.so target/wheels/test) || exit 1; \
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-index $$wheel || exit 1; \
	cd $(PY) && $(CURDIR)/$(VENV)/bin/python -X faulthandler -m pytest && $(CURDIR)/$(VENV)/bin/mypy --no-error-summary examples

# Ray and Dask, from PyPI: a local cluster of several nodes, a worker and a node that die in the middle, the same bytes. Not part of `test`.
CLUSTER := target/venv-cluster
test-cluster:
	@$(PYTHON_FITS) || { echo "the tests with Ray and Dask need Python: the package $(PYTHON_MISSING)"; exit 1; }
	$(CARGO) test --quiet --no-run $(PYTHON_BUILD)
	$(PYTHON) -m venv --clear $(CLUSTER)
	$(CLUSTER)/bin/pip install --quiet --disable-pip-version-check -r $(PY)/cluster/requirements.txt
	$(CLUSTER)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-index \
		$$($(CLUSTER)/bin/python $(PY)/tools/pack.py $${CARGO_TARGET_DIR:-target}/release/deps/lib_clearance.so target/wheels/test)
	cd $(PY) && $(CURDIR)/$(CLUSTER)/bin/python -m pytest -W ignore cluster

# The wheel for users of this platform (CPython 3.11 and later), in target/wheels.
MATURIN := 1.16.0
wheel:
	@$(PYTHON_FITS) || { echo "the wheel $(PYTHON_MISSING)"; exit 1; }
	@$(PYTHON) -m venv target/venv-wheel
	@target/venv-wheel/bin/pip install --quiet --disable-pip-version-check maturin==$(MATURIN)
	CARGO_PROFILE_RELEASE_DEBUG=false target/venv-wheel/bin/maturin build --release --manifest-path $(PY)/Cargo.toml --out target/wheels
	@ls -l target/wheels/*.whl

# The page inside the HTML report: its bundle is that of its sources, and it works in a browser, with the reports of the example scenes. Their
# GLB files are opened by three.js. The program is the one that the tests are built with: another set of features would compile all again.
REPORTS := $(CURDIR)/target/reports
page:
	@if ! command -v npm > /dev/null; then echo "not tested: the report's page needs Node.js with npm"; exit 0; fi; \
	command -v chromium > /dev/null || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq --no-install-recommends chromium > /dev/null; } \
		|| { echo "not tested: the report's page needs Debian's package chromium"; exit 0; }; \
	mkdir -p $(REPORTS); \
	$(CARGO) test --quiet --no-run $(TESTS) || exit 1; \
	for scene in examples/scenes/*.json; do \
		to=$(REPORTS)/$$(basename $$scene .json); \
		$${CARGO_TARGET_DIR:-target}/release/clearance check $$scene --report $$to.html --glb $$to.glb > $$to.txt; \
		[ $$? -le 1 ] || exit 2; \
	done; \
	cd viewer && npm ci --silent --no-audit --no-fund && REPORTS=$(REPORTS) npm test --silent

# With the lab, which sees private modules, and the libraries alone, as their users see them. What they depend on was checked by `clippy`.
doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --workspace --no-deps --locked $(LAB)
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --no-deps --locked -p clearance -p clearance-f32

# The program without the lab: it works, and depends on neither parry nor plotters.
lean:
	@tree=$$($(CARGO) tree --locked -p clearance-cli --edges normal,build --prefix none) || exit 1; \
	if echo "$$tree" | grep -E "^(parry|plotters|rapier)"; then echo "the program depends on what only the lab needs"; exit 1; fi
	$(CARGO) test --locked -p clearance-cli --test program without_the_lab

# The two libraries as they would be published: packaged, and compiled from their packages by a crate of their own.
# Wants a clean checkout, as a release does; `make package DIRTY=--allow-dirty` does without.
package:
	$(CARGO) fetch --quiet --locked
	$(CARGO) package --quiet --offline --no-verify $(DIRTY) -p clearance -p clearance-f32
	CARGO="$(CARGO)" .ci/use-packages

# The lowest Rust that compiles the libraries and the program, as their manifests say.
rust-version:
	CARGO="$(CARGO)" .ci/lowest-rust

# Everything that reads input, each for a minute, with inputs that are nearly right (docs/fuzzing.md). `make fuzz SECONDS=600` for longer.
# Memory is limited, so that an input that takes too much of it ends its process and is found.
SECONDS ?= 60
SEED ?= 1
fuzz:
	$(CARGO) build --release --quiet --locked -p clearance-cli --example fuzz
	ulimit -v 8388608; target/release/examples/fuzz --seconds $(SECONDS) --seed $(SEED) $(TARGETS)

# What lanes read and write, on the path that every processor has, watched by Miri of a nightly toolchain. Not part of `test`.
miri:
	rustup toolchain install nightly --profile minimal --component miri,rust-src
	$(CARGO) +nightly miri test -p clearance --test small_batches

# What a user of the library can name: types, functions, constants. Fails if two types have one name or there are more than the limit.
names:
	@$(CARGO) run --quiet --locked -p clearance-testkit --example names

# The papers' experiments and the races, with CSV, JSON and SVG files in out/.
lab:
	$(CARGO) run --release --quiet --bin clearance $(LAB) -- lab run all --out out

# The table of docs/performance.md: clearance and its peers on the same work, where the arena is there. It builds the peers on its first run.
ARENA ?= --quick
MACHINE = $(shell sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(shell nproc) cores
arena:
	@if [ ! -x ../shared/arena/run ]; then echo "skipped: ../shared/arena is not there"; exit 0; fi; \
	../shared/arena/run $(ARENA) && python3 tools/performance.py target/arena/table.txt "$(MACHINE)" > docs/performance.md

# Instruction counts of the main queries against those recorded in benches/counts.txt; above +3 % fails. Not part of `test`: it
# needs valgrind, and the counts depend on the compiler. The runner's version must be that of the crate.
GUNGRAUN := $(shell sed -n 's/^gungraun = "=\([0-9.]*\)".*/\1/p' Cargo.toml)
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
TOOLS := $(CURDIR)/target/tools
RUNNER := $(TOOLS)/gungraun-$(GUNGRAUN)/bin/gungraun-runner
COUNTS := crates/clearance/benches/counts.txt
COMPARE := crates/clearance/benches/compare.awk

# One bench, its output in a file.
counted = GUNGRAUN_RUNNER=$(RUNNER) GUNGRAUN_HOME=$(TOOLS)/gungraun GUNGRAUN_COLOR=never \
	$(CARGO) bench --locked -p clearance --bench $(1) > $(TOOLS)/$(1).out || { cat $(TOOLS)/$(1).out; exit 1; }

counts: valgrind $(RUNNER)
	@$(call counted,counts)
	@awk -f $(COMPARE) $(COUNTS) $(TOOLS)/counts.out

counts-record: valgrind $(RUNNER)
	@$(call counted,counts)
	@awk -v record=1 -f $(COMPARE) $(COUNTS) $(TOOLS)/counts.out > $(TOOLS)/counts.new
	@mv $(TOOLS)/counts.new $(COUNTS)
	@cat $(COUNTS)

# The closed forms next to the general algorithms on the same pairs.
counts-closed: valgrind $(RUNNER)
	@$(call counted,closed_forms)
	@awk '/^closed_forms/ { sub(/.*::/, ""); sub(/:.*/, ""); way = $$1; pair = $$2 } \
		/Instructions:/ { split($$2, n, "|"); count[way, pair] = n[1]; if (way == "general") printf "%-22s %8d  general %8d  %5.1f times\n", \
		pair, count["formula", pair], n[1], n[1] / count["formula", pair] }' $(TOOLS)/closed_forms.out

valgrind:
	@command -v valgrind > /dev/null || { $(SUDO) apt-get update && $(SUDO) apt-get install -y valgrind; }

$(RUNNER):
	$(CARGO) install --locked --root $(TOOLS)/gungraun-$(GUNGRAUN) gungraun-runner --version $(GUNGRAUN)
