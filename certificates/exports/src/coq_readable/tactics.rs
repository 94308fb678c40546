//! The tactics at the top of a file: as few as the sorts of the system need.

/// What the formulas of a file are about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// Real numbers.
    pub reals: bool,
    /// Quotients or remainders of integers.
    pub division: bool,
    /// A relation of which the named transitions must be shown to lose nothing.
    pub cover: bool,
}

/// `Require` lines and tactics; the one that the lemmas use is `arithmetic`.
pub(super) fn prelude(needs: Needs) -> String {
    let mut text = String::from("From Coq Require Import ZArith Lia Decidable");
    if needs.reals {
        text.push_str(" Reals Lra");
    }
    text.push_str(".\nLocal Open Scope Z_scope.\nUnset Elimination Schemes.\n");
    if needs.division {
        text.push_str("Ltac Zify.zify_post_hook ::= Z.div_mod_to_equations.\n");
    }
    text.push('\n');
    text.push_str(if needs.reals {
        DECIDABLE_REALS
    } else {
        INTEGERS
    });
    text.push_str(SEARCH);
    if needs.cover {
        text.push_str(COVER);
    }
    text
}

const DECIDABLE_REALS: &str = r"(* Comparisons of reals are decidable, by the axioms of Coq's reals. *)
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
Ltac decide_real :=
  first
    [ apply real_equal_decidable | apply real_le_decidable | apply real_lt_decidable
    | apply real_ge_decidable | apply real_gt_decidable ].

(* `lia` decides integers and `lra` reals, neither both: cases are split until one of them is enough. *)
Ltac positive_real := match goal with H : ~ (@eq R _ _) |- _ => apply Rdichotomy in H end.
Ltac linear := solve [ lra | lia ].
";

const INTEGERS: &str = r"Ltac decide_real := fail.
Ltac positive_real := fail.
Ltac linear := lia.
";

const SEARCH: &str = r"Lemma bool_equal_decidable : forall a b : bool, decidable (a = b).
Proof. intros [] []; unfold decidable; auto; right; discriminate. Qed.
Ltac decide_proposition :=
  repeat first
    [ apply dec_and | apply dec_or | apply dec_not | apply dec_True | apply dec_False
    | apply Z.eq_decidable | apply Z.le_decidable | apply Z.lt_decidable | apply dec_Zge | apply dec_Zgt
    | apply bool_equal_decidable | decide_real ].

(* Takes hypotheses apart as far as there is one way to do it. *)
Ltac apart :=
  repeat first
    [ match goal with
      | H : False |- _ => destruct H
      | H : True |- _ => clear H
      | H : exists _, _ |- _ => destruct H
      | H : _ /\ _ |- _ => destruct H
      | H : ~ (_ /\ _) |- _ => apply not_and in H; [ | solve [decide_proposition] ]
      | H : ~ (_ \/ _) |- _ => apply not_or in H
      | H : ~ ~ _ |- _ => apply not_not in H; [ | solve [decide_proposition] ]
      | H : ~ (_ = true) |- _ => apply Bool.not_true_is_false in H
      | H : ~ (_ = false) |- _ => apply Bool.not_false_is_true in H
      end
    | positive_real ].

(* Nothing but comparisons stays, and of those what `lia` and `lra` are for; `quick` leaves out disequalities, which make cases. *)
Ltac simple := repeat match goal with H : _ \/ _ |- _ => clear H end.
Ltac numbers := simple; repeat match goal with H : @eq bool _ _ |- _ => clear H end.
Ltac quick := numbers; repeat match goal with H : ~ (_ = _) |- _ => clear H end; linear.

(* An integer between two numbers that are close: the least of its values, or above. *)
Ltac least a b x :=
  let width := eval compute in (b - a <=? 8) in
  lazymatch width with true => idtac end;
  let above := eval compute in (a + 1) in
  destruct (Z.eq_dec x a); [ | assert (above <= x) by lia ].
Ltac values :=
  match goal with
  | L : ?a <= ?x, U : ?x < ?b |- _ => least a b x; clear L
  | L : ?a <= ?x, U : ?x <= ?b |- _ => least a b x; clear L
  end.

Ltac inequality P :=
  lazymatch P with
  | _ \/ _ => fail
  | _ /\ _ => fail
  | ~ _ => fail
  | _ = _ => fail
  | _ => idtac
  end.

(* A contradiction, by cases; those first of which only one is possible. *)
Ltac search :=
  apart;
  first
    [ solve [simple; congruence]
    | match goal with H : _ \/ _ |- _ => destruct H; [ solve [apart; simple; congruence] | ]; search end
    | match goal with H : _ \/ _ |- _ => destruct H; [ | solve [apart; simple; congruence] ]; search end
    | solve [quick]
    | match goal with H : ?A \/ _ |- _ => inequality A; destruct H; [ solve [quick] | ]; search end
    | match goal with H : _ \/ ?B |- _ => inequality B; destruct H; [ | solve [quick] ]; search end
    | values; search
    | match reverse goal with H : _ \/ _ |- _ => destruct H; search end
    | solve [numbers; linear] ].
Ltac prove :=
  match goal with
  | |- True => exact I
  | |- False => search
  | |- _ /\ _ => split; prove
  | |- ?G =>
    first
      [ solve [simple; congruence]
      | let D := fresh in
        assert (D : decidable G) by solve [decide_proposition];
        destruct D as [D | D]; [ exact D | exfalso; search ] ]
  end.
Ltac arithmetic := intros; apart; first [ solve [exfalso; simple; congruence] | prove ].
";

const COVER: &str = r"
(* Every step is a step of a transition: truth values are decided one by one, and what follows from them is drawn first. *)
Ltac holds P :=
  lazymatch P with
  | true = true => idtac
  | false = false => idtac
  | ?A \/ ?B => first [ holds A | holds B ]
  end.
Ltac fails P :=
  lazymatch P with
  | true = false => idtac
  | false = true => idtac
  | ?A \/ ?B => fails A; fails B
  | ?A /\ ?B => first [ fails A | fails B ]
  end.
(* At most one of the disjuncts may hold. *)
Ltac decided P :=
  lazymatch P with
  | ?A \/ ?B => first [ fails A; decided B | fails B; decided A ]
  | _ => idtac
  end.
Ltac impossible H :=
  lazymatch type of H with
  | _ /\ _ => let H1 := fresh in let H2 := fresh in destruct H as [H1 H2]; first [ impossible H1 | impossible H2 ]
  | _ \/ _ => destruct H as [H|H]; impossible H
  | _ => discriminate H
  end.
Ltac unit H :=
  lazymatch type of H with
  | ?A \/ ?B =>
    first
      [ fails A; destruct H as [H|H]; [ exfalso; impossible H | unit H ]
      | fails B; destruct H as [H|H]; [ unit H | exfalso; impossible H ] ]
  | _ => idtac
  end.
Ltac propagate :=
  repeat first
    [ match goal with
      | H : _ /\ _ |- _ => destruct H
      | H : true = true |- _ => clear H
      | H : false = false |- _ => clear H
      | H : ?P |- _ => fails P; exfalso; impossible H
      | H : @eq bool ?x _ |- _ => is_var x; subst x
      | H : @eq bool _ ?x |- _ => is_var x; subst x
      end
    | match goal with H : _ \/ _ |- _ => let P := type of H in holds P; clear H end
    | match goal with H : _ \/ _ |- _ => let P := type of H in decided P; unit H end ].
(* What follows only from all cases of a comparison together, such as an implication between numbers. *)
Ltac by_decision :=
  match goal with
  | |- ?G =>
    let D := fresh in
    assert (D : decidable G) by solve [decide_proposition];
    destruct D as [D | D]; [ exact D | exfalso; search ]
  end.
Ltac plain :=
  lazymatch goal with
  | |- _ /\ _ => split; plain
  | |- _ \/ _ => first [ left; plain | right; plain | solve [by_decision] ]
  | |- True => exact I
  | |- @eq bool _ _ => first [ reflexivity | assumption ]
  | |- _ => first [ reflexivity | assumption | solve [simple; linear] ]
  end.
(* The transition holds, or its negation is known. *)
Ltac decide_transition transition by_transition unfolding unfolded :=
  match goal with
  | |- ?step ?s ?s' =>
    let D := fresh in
    assert (D : decidable (transition s s')) by (unfolded; solve [decide_proposition]);
    destruct D as [D | D]; [ exact (by_transition s s' D) | unfolding D ]
  end.
Ltac decide_all transitions otherwise :=
  propagate;
  first
    [ transitions
    | match goal with
      | H : context [ ?b = true ] |- _ => is_var b; destruct b
      | H : context [ ?b = false ] |- _ => is_var b; destruct b
      | H : _ \/ _ |- _ => destruct H
      end; decide_all transitions otherwise
    | solve [exfalso; search]
    | otherwise ].
";
