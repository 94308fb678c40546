# The two commands of a fresh machine: `make demo` and `make test`.
CARGO ?= cargo
MODEL ?= examples/slab/deque.slab
BUNDLE ?= target/demo/$(basename $(notdir $(MODEL))).cert

# The pinned z3 program comes before any other that is installed.
export PATH := $(CURDIR)/target/z3/bin:$(PATH)

.PHONY: demo install test examples examples-bip examples-threads limits bench bench-bip bench-threads bench-smoke soak soak-bip soak-c soak-synchronous soak-threads reference evidence pictures forge fuzz coq why3 theory verified-checker z3

# Proves the deque of the front page and has its certificate checked by the separate program.
demo: z3
	$(CARGO) build --release --workspace --bins
	@mkdir -p $(dir $(BUNDLE))
	target/release/slabcert verify $(MODEL) --out $(BUNDLE)
	target/release/slabcert-check check $(BUNDLE)
	@echo "The picture of the proof: $(BUNDLE)/diagram.svg"

# Both programs and their Z3 below PREFIX, from where they run in any folder.
PREFIX ?= /usr/local
install: z3
	$(CARGO) build --release --workspace --bins
	scripts/install target/release $(DESTDIR)$(PREFIX)

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

# 130 BIP models of growing size, half of them unsafe, each verified and checked by two solvers; hours.
examples-bip: z3
	$(CARGO) build --release --workspace --bins
	scripts/bip-models --verify

# 70 benchmarks in threaded C, as above; hours.
examples-threads: z3
	$(CARGO) build --release --workspace --bins
	scripts/threads-models --verify

# What a time limit and SIGTERM do in every phase of both programs, as a table. PHASES="reading diff" chooses by words.
limits: z3
	$(CARGO) build --release --workspace --bins
	scripts/limits $(PHASES)

# Slicing against the other engines on families that grow, into docs/performance.md; an hour. ROWS="fischer bakery" chooses rows (words
# of their names), and then nothing is written; BENCH="--repetitions 1 --limit 20" passes options on.
bench: z3
	$(CARGO) build --release --workspace --bins
	$(CARGO) bench --bench performance -- $(foreach row,$(ROWS),--rows $(row)) $(BENCH)

# Lazy predicate abstraction with and without simultaneous sets against the other engines on the models of `examples-bip`, into a section of
# docs/performance.md; an hour. ROWS and BENCH as above.
bench-bip: z3
	$(CARGO) build --release --workspace --bins
	$(CARGO) bench --bench performance -- --bip $(foreach row,$(ROWS),--rows $(row)) $(BENCH)

# Lazy predicate abstraction with each reduction against the other engines on the benchmarks of `examples-threads`, into a section of
# docs/performance.md; hours. ROWS and BENCH as above.
bench-threads: z3
	$(CARGO) build --release --workspace --bins
	$(CARGO) bench --bench performance -- --threads $(foreach row,$(ROWS),--rows $(row)) $(BENCH)

# Whether the bench runs at all: the smallest rows, once.
bench-smoke: z3
	$(CARGO) build --workspace --bins
	$(CARGO) bench --profile dev --bench performance -- --smoke

# Many random systems, on which all engines and explicit-state search must agree; an hour.
SEEDS ?= 0..5000
soak: z3
	SLABCERT_TRIALS=$(SEEDS) $(CARGO) test --release --test random_systems -- --nocapture --test-threads=1

# Many random BIP models, on which engines, with and without reduction, and an explicit search on the syntax tree must agree; half an hour.
# Models that show a fault are left in target/random-bip.
soak-bip: z3
	SLABCERT_TRIALS=$(SEEDS) $(CARGO) test --release --test random_bip engines_agree -- --nocapture

# Many random programs in threaded C, as above. Programs that show a fault are left in target/random-threads.
soak-threads: z3
	SLABCERT_TRIALS=$(SEEDS) $(CARGO) test --release --test random_threads engines_agree -- --nocapture

# Many random models in lock step under each race policy, as above. Models that show a fault are left in target/random-synchronous.
soak-synchronous: z3
	SLABCERT_TRIALS=$(SEEDS) $(CARGO) test --release --test random_synchronous engines_agree -- --nocapture

# 2,000 random C programs: what `cc -fsanitize=undefined` makes of them and what their commands do agree. Programs that show a fault are left
# in target/random-c.
soak-c: z3
	SLABCERT_TRIALS=0..2000 $(CARGO) test --release --test random_c -- --nocapture

# What threaded C means here against the SystemC library: programs of the kernel and 200 random ones; a few seconds. Needs g++ and SystemC
# (Debian: libsystemc-dev). REFERENCE="--random 2000 --seed 1" passes options on.
reference:
	scripts/reference $(REFERENCE)

# Sizes of proofs, and the time of replaying them against z3's: the table of docs/evidence.md.
evidence: z3
	$(CARGO) build --release --workspace --bins
	scripts/evidence

# The pictures of the documents, drawn anew.
pictures: z3
	$(CARGO) build --release --workspace --bins
	scripts/pictures

# Forged bundles, which must be rejected unless enumeration says that they are valid; counts by kind. A further checker can take part:
# SLABCERT_FURTHER_CHECKER names a program that is given the bundle and says `accepted` last.
FORGERIES ?= 0..25000
forge: z3
	SLABCERT_FORGERIES=$(FORGERIES) $(CARGO) test --release --test forgeries -- --nocapture

# The theory in Coq, and exports for Coq of a dozen models, as a table with what the theorems assume. MODELS="deque bakery" chooses some.
coq: z3 theory
	$(CARGO) build --release --workspace --bins
	scripts/coq $(MODELS)

# Has Why3 prove exports with z3 (SOLVER=cvc5: with cvc5). MODELS="deque" chooses; needs why3.
why3: z3
	$(CARGO) build --release --workspace --bins
	scripts/why3 $(MODELS)

theory:
	$(MAKE) -C certificates/coq

# The checker that Coq proves sound, as a program: target/verified-checker. scripts/compare-verified has it and `builtin` check bundles.
verified-checker: theory
	@mkdir -p target/extraction
	cp certificates/coq/extraction/main.ml target/extraction/
	cd target/extraction && coqc -R ../../certificates/coq/theory Slabcert -o ./Extract.vo ../../certificates/coq/extraction/Extract.v
	cd target/extraction && ocamlopt -w -a -c judge.mli judge.ml && \
		ocamlopt -w +a-4-40-41-42-44-45-70 -warn-error +a judge.cmx main.ml -o ../verified-checker

# Hostile input for every reader and for the proof checker, so many seconds for each target; needs cargo-fuzz (`cargo install cargo-fuzz`).
SECONDS_EACH ?= 600
fuzz: z3
	scripts/fuzz $(SECONDS_EACH) $(TARGETS)

z3:
	@scripts/fetch-z3
