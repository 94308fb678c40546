//! The independent checker: it re-establishes the claims of a certificate bundle and believes none of them.
