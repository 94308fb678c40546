(** A system that is defined by hand, is the exported one, and is therefore safe.

    `cells.slab` beside this file was verified and exported to Coq with the name `Exported`. Here the same system is written down as one
    would write it in a development of one's own, with a record and an inductive relation, and nothing of the checker is mentioned in the
    theorem at the end. *)

From Coq Require Import ZArith QArith List Bool Lia.
From Slabcert Require Import Terms Systems Integers.
From Exported Require Import System Safe.
Open Scope Z_scope.

(** * By hand *)

Record cells := Cells { left : Z; right : Z }.

Definition initial (c : cells) : Prop := left c = 0 /\ right c = 0.

Inductive moves (c : cells) : cells -> Prop :=
| fill_left : right c = 0 -> moves c (Cells (left c + 1) (right c))
| fill_right : left c = 0 -> moves c (Cells (left c) (right c + 2))
| empty : moves c (Cells 0 0).

Inductive reached : cells -> Prop :=
| at_first c : initial c -> reached c
| then_moves c d : reached c -> moves c d -> reached d.

Definition both_full (c : cells) : Prop := left c > 0 /\ right c > 0.

(** * It is the exported system *)

(** The state of the exported system that the cells are. *)
Definition state_of (c : cells) : valuation := {|
  ints := fun p => if Pos.eqb p v_left then left c else if Pos.eqb p v_right then right c else 0;
  reals := fun _ => 0%Q;
  bools := fun _ => false
|}.

Ltac compare :=
  evaluate; cbn [state_of ints Pos.eqb v_left v_right left right];
  rewrite ?multiply_integers, ?add_integers, ?le_integers, ?equal_integers; as_propositions.

Lemma same_initial c : initial c <-> truth (eval (state_of c) (init system)) = true.
Proof. unfold initial. cbn [init system]. compare. intuition lia. Qed.

Lemma same_steps c d i : moves c d <-> truth (eval (step_valuation (state_of c) (state_of d) i) (trans system)) = true.
Proof.
  cbn [trans system]. compare. destruct c as [x y], d as [x' y']. cbn [left right]. split.
  - intros M. inversion M; subst; cbn in *; intuition lia.
  - intros H.
    assert (H' : (y = 0 /\ x' = x + 1 /\ y' = y) \/ (x = 0 /\ y' = y + 2 /\ x' = x) \/ (x' = 0 /\ y' = 0)) by intuition lia.
    destruct H' as [(A & -> & ->)|[(A & -> & ->)|(-> & ->)]].
    + apply (fill_left (Cells x y)). exact A.
    + apply (fill_right (Cells x y)). exact A.
    + apply empty.
Qed.

Lemma same_errors c : both_full c <-> error system (state_of c).
Proof.
  unfold both_full, error. cbn [properties system]. split.
  - intros B. eexists. exists (state_of c). split; [left; reflexivity|]. compare. lia.
  - intros (p & i & [<-|[]] & H). revert H. compare. lia.
Qed.

(** * So it is safe *)

Theorem never_both_full c : reached c -> ~ both_full c.
Proof.
  intros R B. apply same_errors in B. revert B. apply safe.
  induction R as [c I|c d _ IH M].
  - apply initially. apply same_initial. exact I.
  - apply (stepping system (state_of c) (state_of d) (state_of c) IH). apply same_steps. exact M.
Qed.

Print Assumptions never_both_full.
