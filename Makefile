# Two commands do all their own set-up on a machine with a Rust toolchain and a C compiler:
#   make demo   builds the program and runs it on an embedded example
#   make test   runs everything that must hold
CARGO ?= cargo

.PHONY: demo test fmt clippy unit doc lab

demo:
	$(CARGO) run --release --quiet --bin clearance -- demo

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
