//! Names that printers and exports invent never collide with names of the model.
