# Two commands do all their own set-up on a machine with a Rust toolchain and a C compiler:
#   make demo   builds the program and runs a scene that it brings along: 500 polytopes in a closed room
#   make test   runs everything that must hold
CARGO ?= cargo

.PHONY: demo test fmt clippy unit doc lab counts counts-record counts-closed valgrind

demo:
	$(CARGO) run --release --quiet --bin clearance -- simulate thesis-500

test: fmt clippy unit doc

fmt:
	$(CARGO) fmt --all --check

clippy:
	$(CARGO) clippy --release --workspace --all-targets --locked -- -D warnings

# Release profile: the oracles work in exact arithmetic and would crawl without optimisation. Doc tests are included.
unit:
	$(CARGO) test --release --workspace --locked

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

# The papers' experiments and the races, with CSV, JSON and SVG files in out/.
lab:
	$(CARGO) run --release --quiet --bin clearance -- lab run all --out out

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
