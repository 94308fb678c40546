//! `slabcert-check`: checks a certificate bundle without trusting the tool that wrote it.
fn main() {}
