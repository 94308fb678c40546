//! What C programs mean, statement by statement, on small programs that are run; what is refused, and how; and what hostile texts do.

#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "all of it is test code"
)]

mod faults;
mod meaning;
mod overflow;
mod runs;
mod tasks;
mod threads;
mod verdicts;
