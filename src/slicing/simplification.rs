//! Simplification rules: they make the search's copy of the system smaller. One file for each rule.
//!
//! What a certificate claims is never simplified: labels and edges refer to the original transitions. Of the paper's rules, bypassing
//! a node by composing its edges is left out, since every proof of this tool comes with a diagram, and a bypassed node would have to
//! be put back.

pub mod cone_of_influence;
pub mod implied_constraint;
