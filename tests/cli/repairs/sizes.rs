//! Sizes are counted as products, and over budget is a clear refusal.
