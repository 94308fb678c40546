//! The formats for people with a prover: what they say about a small system, that it is always the same, and that provers accept it
//! exactly when the certificate is right. What needs a prover is skipped, with a message, where it is not installed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod coq;
mod sample;
mod text;
mod why3;
