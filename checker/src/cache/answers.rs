//! Cached solver answers: that a solver returned `unsat`, with a code that requires the secret.

use super::ObligationKey;
use super::key::entry_file;
use super::secret::Secret;
use slabcert_certificates::bundle::sha256;

/// The first line of an entry.
const HEADER: &str = "slabcert-check word 1";
/// Ends the names of these entries.
const EXTENSION: &str = "word";

/// A cached answer: what its code authenticates.
pub(super) struct CachedAnswer {
    /// The lines of the entry before its code.
    statement: String,
}

impl CachedAnswer {
    /// The solver returned `unsat` for the obligation. An answer counts only for the version of this program that cached it, and for
    /// the solver whose program has that hash: what a program reports about itself is not trusted.
    pub fn new(key: &ObligationKey, solver: &str, program: &str) -> CachedAnswer {
        let line = |text: &str| text.escape_debug().to_string();
        CachedAnswer {
            statement: format!(
                "{HEADER}\nchecker {}\nobligation {}\nsolver {}\nprogram {}\nanswer unsat\n",
                env!("CARGO_PKG_VERSION"),
                key.as_str(),
                line(solver),
                line(program)
            ),
        }
    }

    /// Its file.
    pub fn file(&self) -> String {
        entry_file(&sha256(self.statement.as_bytes()), EXTENSION)
    }

    /// The entry.
    pub fn text(&self, secret: &Secret) -> String {
        format!(
            "{}code {}\n",
            self.statement,
            secret.code(self.statement.as_bytes())
        )
    }

    /// Whether a text is the entry.
    pub fn check(&self, text: &str, secret: &Secret) -> Result<(), &'static str> {
        let code = text
            .strip_prefix(&self.statement)
            .ok_or("its content does not match its name")?;
        let code = code
            .strip_prefix("code ")
            .and_then(|code| code.strip_suffix('\n'))
            .ok_or("it is truncated, or has no code")?;
        if secret.vouches_for(self.statement.as_bytes(), code) {
            Ok(())
        } else {
            Err("its code was not made with the key")
        }
    }
}
