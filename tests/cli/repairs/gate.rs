//! Claims of the checker: ambiguous properties, failing solvers, differences, expected verdicts, members of bundles.
