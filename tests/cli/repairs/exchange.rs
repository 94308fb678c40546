//! What the readers of all languages take and refuse alike, audits by position, and round trips through every format.
