(** Conjunction, disjunction and choice of formulas: flat, without duplicates and constants. *)

From Coq Require Import List Bool.
From Slabcert Require Import Terms Formulas.
Import ListNotations.

(** Puts the members before those that are there, which are in reverse order. *)
Fixpoint add_members (seen l : list form) : list form :=
  match l with
  | [] => seen
  | f :: l => add_members (if existsb (form_eqb f) seen then seen else f :: seen) l
  end.

Lemma known_member f seen : existsb (form_eqb f) seen = true -> In f seen.
Proof.
  intros H. apply existsb_exists in H as [g [I E]]. apply form_eqb_ok in E. subst. exact I.
Qed.

Lemma forallb_member v f seen : In f seen -> forallb (holds v) seen = holds v f && forallb (holds v) seen.
Proof.
  intros I. destruct (forallb (holds v) seen) eqn:A; [|symmetry; apply andb_false_r].
  rewrite forallb_forall in A. rewrite (A f I). reflexivity.
Qed.

Lemma existsb_member v f seen : In f seen -> existsb (holds v) seen = holds v f || existsb (holds v) seen.
Proof.
  intros I. destruct (holds v f) eqn:F; [|reflexivity]. apply existsb_exists. eauto.
Qed.

Lemma add_members_all v l : forall seen,
  forallb (holds v) (add_members seen l) = forallb (holds v) l && forallb (holds v) seen.
Proof.
  induction l as [|f l IH]; intros seen; [reflexivity|]. cbn [add_members]. rewrite IH. cbn [forallb].
  destruct (existsb (form_eqb f) seen) eqn:K.
  - apply known_member in K. rewrite (forallb_member v f seen K) at 1.
    destruct (holds v f), (forallb (holds v) l); reflexivity.
  - cbn [forallb]. destruct (holds v f), (forallb (holds v) l); reflexivity.
Qed.

Lemma add_members_any v l : forall seen,
  existsb (holds v) (add_members seen l) = existsb (holds v) l || existsb (holds v) seen.
Proof.
  induction l as [|f l IH]; intros seen; [reflexivity|]. cbn [add_members]. rewrite IH. cbn [existsb].
  destruct (existsb (form_eqb f) seen) eqn:K.
  - apply known_member in K. rewrite (existsb_member v f seen K) at 1.
    destruct (holds v f), (existsb (holds v) l); reflexivity.
  - cbn [existsb]. destruct (holds v f), (existsb (holds v) l); reflexivity.
Qed.

Lemma forallb_rev {A} (p : A -> bool) l : forallb p (rev l) = forallb p l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn. rewrite forallb_app, IH. cbn. destruct (p x), (forallb p l); reflexivity. Qed.

Lemma existsb_rev {A} (p : A -> bool) l : existsb p (rev l) = existsb p l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn. rewrite existsb_app, IH. cbn. destruct (p x), (existsb p l); reflexivity. Qed.

Definition close_all (seen : list form) : form := match seen with [f] => f | _ => All (rev seen) end.
Definition close_any (seen : list form) : form := match seen with [f] => f | _ => Any (rev seen) end.

Fixpoint conjoin (seen l : list form) : form :=
  match l with
  | [] => close_all seen
  | Any [] :: _ => Any []
  | All m :: l => conjoin (add_members seen m) l
  | f :: l => conjoin (add_members seen [f]) l
  end.

Fixpoint disjoin (seen l : list form) : form :=
  match l with
  | [] => close_any seen
  | All [] :: _ => All []
  | Any m :: l => disjoin (add_members seen m) l
  | f :: l => disjoin (add_members seen [f]) l
  end.

Lemma conjoin_ok v l : forall seen, holds v (conjoin seen l) = forallb (holds v) l && forallb (holds v) seen.
Proof.
  induction l as [|f l IH]; intros seen.
  - cbn. destruct seen as [|f [|g t]]; [reflexivity|cbn; rewrite andb_true_r; reflexivity|].
    unfold close_all. cbn [holds]. apply forallb_rev.
  - assert (S : holds v (conjoin (add_members seen [f]) l) = forallb (holds v) (f :: l) && forallb (holds v) seen).
    { rewrite IH, add_members_all. cbn [forallb]. destruct (holds v f), (forallb (holds v) l); reflexivity. }
    destruct f as [p b|s r c|m|[|g m]]; try exact S.
    + cbn [conjoin]. rewrite IH, add_members_all. cbn [forallb holds].
      destruct (forallb (holds v) m), (forallb (holds v) l); reflexivity.
    + reflexivity.
Qed.

Lemma disjoin_ok v l : forall seen, holds v (disjoin seen l) = existsb (holds v) l || existsb (holds v) seen.
Proof.
  induction l as [|f l IH]; intros seen.
  - cbn. destruct seen as [|f [|g t]]; [reflexivity|cbn; rewrite orb_false_r; reflexivity|].
    unfold close_any. cbn [holds]. apply existsb_rev.
  - assert (S : holds v (disjoin (add_members seen [f]) l) = existsb (holds v) (f :: l) || existsb (holds v) seen).
    { rewrite IH, add_members_any. cbn [existsb]. destruct (holds v f), (existsb (holds v) l); reflexivity. }
    destruct f as [p b|s r c|[|g m]|m]; try exact S.
    + reflexivity.
    + cbn [disjoin]. rewrite IH, add_members_any. cbn [existsb holds].
      destruct (existsb (holds v) m), (existsb (holds v) l); reflexivity.
Qed.

Definition conjunction (l : list form) : form := conjoin [] l.
Definition disjunction (l : list form) : form := disjoin [] l.

Lemma conjunction_ok v l : holds v (conjunction l) = forallb (holds v) l.
Proof. unfold conjunction. rewrite conjoin_ok. apply andb_true_r. Qed.

Lemma disjunction_ok v l : holds v (disjunction l) = existsb (holds v) l.
Proof. unfold disjunction. rewrite disjoin_ok. apply orb_false_r. Qed.

(** [c] decides between two formulas. *)
Definition choice (c f g : form) : form :=
  conjunction [disjunction [complement c; f]; disjunction [c; g]].

Lemma choice_ok v c f g : holds v (choice c f g) = if holds v c then holds v f else holds v g.
Proof.
  unfold choice. rewrite conjunction_ok. cbn [forallb]. rewrite !disjunction_ok. cbn [existsb].
  rewrite complement_ok. destruct (holds v c), (holds v f), (holds v g); reflexivity.
Qed.

Definition equivalence (f g : form) : form := choice f g (complement g).

Lemma equivalence_ok v f g : holds v (equivalence f g) = Bool.eqb (holds v f) (holds v g).
Proof. unfold equivalence. rewrite choice_ok, complement_ok. destruct (holds v f), (holds v g); reflexivity. Qed.

Arguments conjunction : simpl never.
Arguments disjunction : simpl never.
Arguments choice : simpl never.
Arguments equivalence : simpl never.
