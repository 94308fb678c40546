//! Properties that are decided together keep what was reached.
