//! The tactics at the top of a file: as few as the sorts of the system need.

/// What the formulas of a file are about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// Real numbers.
    pub reals: bool,
    /// Truth values as numbers beside others.
    pub booleans: bool,
    /// Quotients or remainders of integers.
    pub division: bool,
}

/// `Require` lines and tactics; the one that the lemmas use is `arithmetic`.
pub(super) fn prelude(needs: Needs) -> String {
    let mut text = String::from("From Coq Require Import ZArith Lia");
    if needs.booleans {
        text.push_str(" ZifyBool");
    }
    if needs.reals {
        text.push_str(" Reals Lra Decidable");
    }
    text.push_str(".\nLocal Open Scope Z_scope.\nUnset Elimination Schemes.\n");
    if needs.division {
        text.push_str("Ltac Zify.zify_post_hook ::= Z.div_mod_to_equations.\n");
    }
    text.push('\n');
    text.push_str(if needs.reals { MIXED } else { INTEGERS });
    text.push_str(EVERY);
    text
}

const INTEGERS: &str = r"(* Linear arithmetic over integers, after the inputs of a step were named. *)
Ltac inputs := repeat match goal with H : exists _, _ |- _ => destruct H end.
Ltac direct := lia.
Ltac refute := lia.
";

/// `lia` decides integers and `lra` reals, neither both: cases are split until one of them is enough.
const MIXED: &str = r"(* Comparisons of reals are decidable, by the axioms of Coq's reals. *)
Lemma real_equal_decidable : forall a b : R, decidable (a = b).
Proof. intros a b. destruct (Req_EM_T a b); unfold decidable; auto. Qed.
Lemma real_le_decidable : forall a b : R, decidable (a <= b)%R.
Proof. intros a b. destruct (Rle_dec a b); unfold decidable; auto. Qed.
Lemma real_lt_decidable : forall a b : R, decidable (a < b)%R.
Proof. intros a b. destruct (Rlt_dec a b); unfold decidable; auto. Qed.
Lemma real_ge_decidable : forall a b : R, decidable (a >= b)%R.
Proof. intros a b. destruct (Rge_dec a b); unfold decidable; auto. Qed.
Lemma real_gt_decidable : forall a b : R, decidable (a > b)%R.
Proof. intros a b. destruct (Rgt_dec a b); unfold decidable; auto. Qed.
Lemma bool_equal_decidable : forall a b : bool, decidable (a = b).
Proof. intros [] []; unfold decidable; auto; right; discriminate. Qed.
Ltac decide_proposition :=
  repeat first
    [ apply dec_and | apply dec_or | apply dec_not | apply dec_True | apply dec_False
    | apply Z.eq_decidable | apply Z.le_decidable | apply Z.lt_decidable | apply dec_Zge | apply dec_Zgt
    | apply real_equal_decidable | apply real_le_decidable | apply real_lt_decidable
    | apply real_ge_decidable | apply real_gt_decidable | apply bool_equal_decidable ].

(* `lia` decides integers and `lra` reals, neither both: cases are split until one of them is enough. *)
Ltac inputs :=
  repeat match goal with
  | H : exists _, _ |- _ => destruct H
  | H : _ /\ _ |- _ => destruct H
  | H : False |- _ => destruct H
  end.
Ltac leaf := solve [ lra | lia | exfalso; congruence ].
Ltac positive :=
  repeat match goal with
  | H : False |- _ => destruct H
  | H : _ /\ _ |- _ => destruct H
  | H : ~ (_ /\ _) |- _ => apply not_and in H; [ | solve [decide_proposition] ]
  | H : ~ (_ \/ _) |- _ => apply not_or in H
  | H : ~ (@eq R _ _) |- _ => apply Rdichotomy in H
  end.
Ltac search :=
  positive; first [ leaf | match goal with H : _ \/ _ |- _ => destruct H; search end ].
Ltac direct :=
  match goal with
  | |- _ /\ _ => split; direct
  | |- True => exact I
  | |- _ => leaf
  end.
Ltac refute :=
  match goal with
  | |- False => search
  | |- _ /\ _ => split; refute
  | |- ?G =>
    let D := fresh in
    assert (D : decidable G) by solve [decide_proposition];
    destruct D as [D | D]; [ exact D | exfalso; search ]
  end.
";

/// A goal that has several cases is often proved by one of them.
const EVERY: &str = r"Ltac one_of :=
  match goal with
  | |- _ \/ _ => first [ left; solve [direct] | right; one_of ]
  | |- _ => solve [direct]
  end.
Ltac arithmetic := intros; inputs; first [ one_of | refute ].
";
