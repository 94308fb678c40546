(** The program [judge] in OCaml. Truth values, lists, pairs and options become OCaml's own; numbers stay what they are in Coq. *)

From Coq Require Import Extraction ExtrOcamlBasic Init.Byte.
From Slabcert Require Import Judge.

Extraction Language OCaml.
Extraction "judge.ml" judge of_bits.
