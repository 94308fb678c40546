//! What BIP models mean, clause by clause, on small models: which interactions are offered, what they transfer, which states are visible.

#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "all of it is test code"
)]

mod explorer;
mod faults;
mod meaning;
mod packages;
mod warnings;
