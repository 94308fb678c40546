# The two commands of a fresh machine: `make demo` and `make test`.
CARGO ?= cargo
MODEL ?= examples/slab/deque.slab
BUNDLE ?= target/demo/$(basename $(notdir $(MODEL))).cert

# The pinned z3 program comes before any other that is installed.
export PATH := $(CURDIR)/target/z3/bin:$(PATH)

.PHONY: demo test examples bench bench-smoke soak z3

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
	$(MAKE) bench-smoke

# Every example through every step, as a table.
examples: z3
	$(CARGO) build --release --workspace --bins
	scripts/examples

# Slicing against the other engines on families that grow, into docs/performance.md; an hour. ROWS="fischer bakery" chooses rows (words
# of their names), and then nothing is written; BENCH="--repetitions 1 --limit 20" passes options on.
bench: z3
	$(CARGO) build --release --workspace --bins
	$(CARGO) bench --bench performance -- $(foreach row,$(ROWS),--rows $(row)) $(BENCH)

# Whether the bench runs at all: the smallest rows, once.
bench-smoke: z3
	$(CARGO) build --workspace --bins
	$(CARGO) bench --profile dev --bench performance -- --smoke

# Many random systems, on which all engines and explicit-state search must agree; an hour.
SEEDS ?= 0..5000
soak: z3
	SLABCERT_TRIALS=$(SEEDS) $(CARGO) test --release --test random_systems -- --nocapture --test-threads=1

z3:
	@scripts/fetch-z3
