//! Verdicts that say less than they seem to: hollow proofs, ranges that nobody checked, initial values outside of them.
