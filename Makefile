# The two commands of a fresh machine: `make demo` and `make test`.
CARGO ?= cargo
MODEL ?= examples/slab/deque.slab
BUNDLE ?= target/demo/$(basename $(notdir $(MODEL))).cert

# The pinned z3 program comes before any other that is installed.
export PATH := $(CURDIR)/target/z3/bin:$(PATH)

.PHONY: demo test examples z3

# Proves the deque of the front page and has its certificate checked by the separate program.
demo: z3
	$(CARGO) build --release --workspace --bins
	@mkdir -p $(dir $(BUNDLE))
	target/release/slabcert verify $(MODEL) --out $(BUNDLE)
	target/release/slabcert-check check $(BUNDLE)
	@echo "The picture of the proof: $(BUNDLE)/diagram.svg"

# Everything that must hold before a change lands; the output ends with the test results.
test: z3
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) test --workspace --no-fail-fast

# Every example through every step, as a table.
examples: z3
	$(CARGO) build --release --workspace --bins
	scripts/examples

z3:
	@scripts/fetch-z3
