//! What is measured, as tables: families of models that grow, their unsafe siblings, and what each is to reach.

/// Models of one kind that grow with `N`, and what proofs of them are to reach.
pub struct Family {
    /// What the table calls it.
    pub name: &'static str,
    /// The curves that belong into one picture.
    pub picture: &'static str,
    /// The example, a file in `examples/slab` without its extension.
    pub model: &'static str,
    /// Constants besides `N`.
    pub constants: &'static [&'static str],
    /// Options of the slicing engine.
    pub options: &'static [&'static str],
    /// Values of `N` at which the engines are compared.
    pub sizes: &'static [u32],
    /// Values of `N` for slicing alone.
    pub stretch: &'static [u32],
    /// From this size on, `horn` is to need at least so many times the processor time of slicing.
    pub ratio: Option<(u32, f64)>,
    /// The nodes of the proof are to be fewer than this, by size.
    pub nodes_below: &'static [(u32, u64)],
    /// Slicing is to be done within so many seconds, by size.
    pub seconds: &'static [(u32, u64)],
}

const BAKERY_SIZES: &[u32] = &[2, 3, 4, 5, 6];
/// SLAB's sizes, Table 1 of the paper.
const BAKERY_NODES: &[(u32, u64)] = &[(2, 25), (3, 35), (4, 45), (5, 55)];
const PHILOSOPHERS_SIZES: &[u32] = &[3, 4, 6, 8, 12];
const PHILOSOPHERS_NODES: &[(u32, u64)] = &[(3, 11), (4, 26), (6, 120)];
const FISCHER_SIZES: &[u32] = &[2, 3, 4, 5, 6, 8];
const FISCHER_NODES: &[(u32, u64)] = &[(2, 24), (3, 170), (4, 1014)];
const FISCHER_SECONDS: &[(u32, u64)] = &[(8, 300)];

/// The rule of most families: never slower than `horn`.
const NEVER_SLOWER: Option<(u32, f64)> = Some((0, 1.0));
/// The rule of the bakeries: ten times faster from three processes on.
const TEN_TIMES: Option<(u32, f64)> = Some((3, 10.0));

const ONE_PAIR: &[&str] = &["ALL_PAIRS=false"];
const ALL_PAIRS: &[&str] = &["ALL_PAIRS=true"];

/// Proofs, slicing against `horn`.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "deque",
        picture: "deque",
        model: "deque",
        sizes: &[5, 10, 20, 50, 100],
        ratio: NEVER_SLOWER,
        ..NOTHING
    },
    Family {
        name: "deque from four nodes",
        model: "deque",
        options: &["--initial-abstraction", "four"],
        stretch: &[20],
        nodes_below: &[(20, 21)],
        ..NOTHING
    },
    Family {
        name: "bakery, one pair",
        picture: "bakery",
        model: "bakery",
        constants: ONE_PAIR,
        ..BAKERY
    },
    Family {
        name: "bakery, all pairs",
        picture: "bakery",
        model: "bakery",
        constants: ALL_PAIRS,
        ..BAKERY
    },
    Family {
        name: "atomic bakery, one pair",
        picture: "bakery_atomic",
        model: "bakery_atomic",
        constants: ONE_PAIR,
        ..BAKERY
    },
    Family {
        name: "atomic bakery, all pairs",
        picture: "bakery_atomic",
        model: "bakery_atomic",
        constants: ALL_PAIRS,
        ..BAKERY
    },
    Family {
        name: "philosophers",
        model: "philosophers",
        ..PHILOSOPHERS
    },
    Family {
        name: "philosophers, deadlock",
        model: "philosophers_deadlock",
        ..PHILOSOPHERS
    },
    Family {
        name: "fischer",
        model: "fischer",
        ..FISCHER
    },
    Family {
        name: "fischer, symbolic delays",
        model: "fischer_symbolic",
        ..FISCHER
    },
];

const NOTHING: Family = Family {
    name: "",
    picture: "",
    model: "",
    constants: &[],
    options: &[],
    sizes: &[],
    stretch: &[],
    ratio: None,
    nodes_below: &[],
    seconds: &[],
};

const BAKERY: Family = Family {
    sizes: BAKERY_SIZES,
    ratio: TEN_TIMES,
    nodes_below: BAKERY_NODES,
    ..NOTHING
};

const PHILOSOPHERS: Family = Family {
    picture: "philosophers",
    sizes: PHILOSOPHERS_SIZES,
    ratio: NEVER_SLOWER,
    nodes_below: PHILOSOPHERS_NODES,
    ..NOTHING
};

const FISCHER: Family = Family {
    picture: "fischer",
    constants: ALL_PAIRS,
    sizes: FISCHER_SIZES,
    stretch: &[10, 12],
    ratio: NEVER_SLOWER,
    nodes_below: FISCHER_NODES,
    seconds: FISCHER_SECONDS,
    ..NOTHING
};

/// Models with an error, and the sizes at which it is looked for.
pub const UNSAFE: &[(&str, &[u32])] = &[
    ("deque_unsafe", &[5, 10, 20, 50, 100]),
    ("bakery_unsafe", BAKERY_SIZES),
    ("bakery_atomic_unsafe", BAKERY_SIZES),
    ("philosophers_unsafe", PHILOSOPHERS_SIZES),
    ("philosophers_deadlock_unsafe", PHILOSOPHERS_SIZES),
    ("fischer_unsafe", FISCHER_SIZES),
    ("fischer_symbolic_unsafe", FISCHER_SIZES),
];

/// `auto` may take so many times the wall-clock time of the faster of `bounded` and `horn` alone.
pub const AUTO_FACTOR: f64 = 2.0;

/// Each model of the corpus may take so many seconds.
pub const CORPUS_SECONDS: u64 = 60;
/// How many models of the corpus each engine is to decide.
pub const CORPUS_TARGETS: &[(&str, usize)] = &[("auto", 20), ("slicing", 14)];

/// How `horn` may write the system as clauses: what the table calls it, and the options. The best of them is the one that counts.
pub const ENCODINGS: &[(&str, &[&str])] = &[
    (
        "mono-binary",
        &["--horn-encoding", "mono-binary", "--no-horn-guidance"],
    ),
    ("mono-binary, guided", &["--horn-encoding", "mono-binary"]),
    ("mono", &["--horn-encoding", "mono", "--no-horn-guidance"]),
    (
        "per-transition",
        &["--horn-encoding", "per-transition", "--no-horn-guidance"],
    ),
    (
        "per-transition-binary",
        &[
            "--horn-encoding",
            "per-transition-binary",
            "--no-horn-guidance",
        ],
    ),
];

/// What `--smoke` runs: the smallest proof, the smallest proof with two engines that both need to think, and a counterexample.
pub const SMOKE: &[(&str, u32)] = &[("deque", 5), ("atomic bakery, one pair", 2)];
/// The counterexample that `--smoke` runs.
pub const SMOKE_UNSAFE: (&str, u32) = ("deque_unsafe", 5);
