//! The modelling language of slabcert.

mod lexer;
mod parser;
mod syntax;
mod token;
