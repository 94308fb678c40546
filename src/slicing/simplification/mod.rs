//! Simplification rules: they make the search's copy of the system smaller. One file for each rule.
