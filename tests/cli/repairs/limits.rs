//! Time, memory and signals rule every phase of both programs.
