//! Entries that are words of solvers: that a solver answered `unsat`, with a code that only who has the secret can make.

use super::ObligationKey;
use super::key::entry_file;
use super::secret::Secret;
use slabcert_certificates::bundle::sha256;

/// The first line of an entry.
const HEADER: &str = "slabcert-check word 1";
/// Ends the names of these entries.
const EXTENSION: &str = "word";

/// A word: all that its code vouches for.
pub(super) struct Word {
    /// The lines of the entry before its code.
    statement: String,
}

impl Word {
    /// That the solver calls the obligation's formulas unsatisfiable. A word counts for the version of this program that kept it, and for
    /// the solver whose program has that hash: programs say of themselves what they like.
    pub fn new(key: &ObligationKey, solver: &str, program: &str) -> Word {
        let line = |text: &str| text.escape_debug().to_string();
        Word {
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
            .ok_or("it does not say what its place says")?;
        let code = code
            .strip_prefix("code ")
            .and_then(|code| code.strip_suffix('\n'))
            .ok_or("it is cut, or has no code")?;
        if secret.vouches_for(self.statement.as_bytes(), code) {
            Ok(())
        } else {
            Err("its code is not one that the key makes")
        }
    }
}
