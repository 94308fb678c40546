(** The whole check, and what it means that it succeeds. *)

From Coq Require Import ZArith NArith QArith List Bool Lia FMapPositive.
From Slabcert Require Import Terms Systems Formulas Tightening Connectives Normalise Rules Diagrams.
Import ListNotations.

(** For an obligation: the integer parts (from 1) whose definitions are hypotheses, in order, and a refutation. *)
Definition evidence : Type := list positive * proof.

Fixpoint part_at (n : positive) (parts : list part) (i : positive) : option part :=
  match parts with
  | [] => None
  | p :: parts => if Pos.eqb n i then Some p else part_at (Pos.succ n) parts i
  end.

(** What holds of an integer part. *)
Definition definitions_of (n : positive) (p : part) : list form :=
  let k := divisor p in
  let rest := add_linear (scale_linear (inject_Z k) (variable_linear (xO (part_variable n)))) (scale_linear (-1) (dividend p)) in
  [compare_linear rest LE; compare_linear (add_linear (scale_linear (-1) rest) (constant_linear (inject_Z (- Z.abs k)))) LT].

Fixpoint definitions (parts : list part) (l : list positive) : option (list form) :=
  match l with
  | [] => Some []
  | n :: l =>
      match part_at 1 parts n, definitions parts l with
      | Some p, Some fs => if (divisor p =? 0)%Z then None else Some (definitions_of n p ++ fs)
      | _, _ => None
      end
  end.

Definition discharged (parts : list part) (o : obligation) (e : evidence) : bool :=
  match all_some (hypotheses o), definitions parts (fst e) with
  | Some fs, Some ds => refutes (fold_left assume (fs ++ ds) no_force) (snd e)
  | _, _ => false
  end.

(** The obligations that are not discharged. *)
Fixpoint open (parts : list part) (os : list obligation) (es : list evidence) : list kind :=
  match os, es with
  | [], _ => []
  | o :: os, [] => about o :: open parts os []
  | o :: os, e :: es => if discharged parts o e then open parts os es else about o :: open parts os es
  end.

Definition all_discharged (parts : list part) (os : list obligation) (es : list evidence) : bool :=
  match open parts os es with [] => true | _ => false end.

Definition check (c : certificate) (es : list evidence) : bool :=
  ordered 1 (parts c) && all_discharged (parts c) (obligations c) es.

(** * Soundness *)

Lemma part_at_ok v parts p i : forall n, defined v n parts -> part_at n parts i = Some p ->
  ints v (part_variable i) = quotient (eval_linear v (dividend p)) (divisor p).
Proof.
  induction parts as [|x parts IH]; intros n D P; [discriminate|]. cbn in D, P. destruct D as [D E].
  destruct (Pos.eqb_spec n i) as [->|_]; [|eauto]. inversion P; subst. exact D.
Qed.

Lemma definitions_of_ok v n p : divisor p <> 0%Z ->
  ints v (part_variable n) = quotient (eval_linear v (dividend p)) (divisor p) ->
  forallb (holds v) (definitions_of n p) = true.
Proof.
  intros K E. destruct (quotient_spec (eval_linear v (dividend p)) (divisor p) K) as [L U]. rewrite <- E in L, U.
  unfold definitions_of. set (rest := add_linear _ (scale_linear (-1) (dividend p))).
  assert (R : eval_linear v rest == inject_Z (divisor p) * inject_Z (ints v (part_variable n)) - eval_linear v (dividend p)).
  { unfold rest. rewrite add_linear_ok, !scale_linear_ok, variable_linear_ok. cbn [variable_value]. ring. }
  cbn [forallb]. rewrite !compare_linear_ok. cbn [compares].
  rewrite !andb_true_iff, negb_true_iff, Qle_bool_iff, Qle_bool_false. repeat split.
  - rewrite R. apply (Qplus_le_l _ _ (eval_linear v (dividend p))). ring_simplify. ring_simplify in L. exact L.
  - rewrite add_linear_ok, scale_linear_ok, constant_linear_ok, R, inject_Z_opp.
    apply (Qplus_lt_l _ _ (inject_Z (divisor p) * inject_Z (ints v (part_variable n)) + inject_Z (Z.abs (divisor p)))).
    ring_simplify. exact U.
Qed.

Lemma definitions_ok v parts l : defined v 1 parts -> forall fs, definitions parts l = Some fs -> forallb (holds v) fs = true.
Proof.
  intros D. induction l as [|n l IH]; intros fs F; cbn [definitions] in F.
  - inversion F; subst. reflexivity.
  - destruct (part_at 1 parts n) as [p|] eqn:P; [|discriminate]. destruct (definitions parts l) as [gs|]; [|discriminate].
    destruct (Z.eqb_spec (divisor p) 0) as [_|K]; [discriminate|].
    assert (G : fs = definitions_of n p ++ gs) by congruence. rewrite G, forallb_app, (IH gs eq_refl), andb_true_r. apply definitions_of_ok; [exact K|]. eapply part_at_ok; eassumption.
Qed.

Lemma in_force_all v fs : forall h, in_force v h -> forallb (holds v) fs = true -> in_force v (fold_left assume fs h).
Proof.
  induction fs as [|f fs IH]; intros h I H; [exact I|]. cbn in *. apply andb_prop in H as [F H].
  apply IH; [|exact H]. apply in_force_assume; assumption.
Qed.

Lemma discharged_ok v parts o e : defined v 1 parts -> discharged parts o e = true -> refuted v o.
Proof.
  intros D H. unfold discharged in H. destruct (all_some (hypotheses o)) as [fs|] eqn:F; [|discriminate].
  destruct (definitions parts (fst e)) as [ds|] eqn:E; [|discriminate]. apply all_some_in in F. split.
  - intros f I. rewrite F in I. apply in_map_iff in I as (g & <- & _). discriminate.
  - apply (definitions_ok v _ _ D) in E. rewrite F.
    destruct (forallb (holds v) fs) eqn:A.
    + exfalso. apply (refutes_ok v _ _ (in_force_all v (fs ++ ds) no_force (in_force_none v) ltac:(rewrite forallb_app, A, E; reflexivity)) H).
    + clear - A. induction fs as [|f fs IH]; [discriminate|]. cbn in A. destruct (holds v f) eqn:V.
      * destruct (IH A) as (g & I & G). exists g. split; [right; exact I|exact G].
      * exists f. split; [left; reflexivity|exact V].
Qed.

Lemma all_discharged_ok v parts os : defined v 1 parts -> forall es, all_discharged parts os es = true ->
  forall o, In o os -> refuted v o.
Proof.
  intros D. unfold all_discharged. induction os as [|o os IH]; intros es H o' []; cbn [open] in H;
    (destruct es as [|e es]; [discriminate|]; destruct (discharged parts o e) eqn:E; [|discriminate]).
  - subst. eapply discharged_ok; eassumption.
  - eapply IH; eassumption.
Qed.

(** The main theorem: a certificate that is checked proves that its system is safe. *)
Theorem check_sound c es S : system_of c = Some S -> check c es = true -> safe S.
Proof.
  intros SO H. unfold check in H. apply andb_prop in H as [O H]. apply (refuted_safe c S SO O).
  intros v D o I. eapply all_discharged_ok; eassumption.
Qed.

(** * In parts *)

(** The obligations of a long certificate are checked in slices, each given by where it begins and how long it is. *)
Definition slice {A} (from count : N) (l : list A) : list A := firstn (N.to_nat count) (skipn (N.to_nat from) l).

Definition check_slice (c : certificate) (from count : N) (es : list evidence) : bool :=
  all_discharged (parts c) (slice from count (obligations c)) es.

Definition slice_refuted (c : certificate) (from count : N) : Prop :=
  forall v, defined v 1 (parts c) -> forall o, In o (slice from count (obligations c)) -> refuted v o.

Lemma check_slice_ok c from count es : check_slice c from count es = true -> slice_refuted c from count.
Proof. intros H v D o I. eapply all_discharged_ok; eassumption. Qed.

(** Slices of these lengths, one after the other, are refuted. *)
Fixpoint slices_refuted (c : certificate) (from : N) (counts : list N) : Prop :=
  match counts with
  | [] => True
  | n :: counts => slice_refuted c from n /\ slices_refuted c (from + n) counts
  end.

(** The slices leave nothing out. *)
Definition complete (c : certificate) (counts : list N) : bool :=
  ordered 1 (parts c) && (N.of_nat (length (obligations c)) <=? fold_right N.add 0 counts)%N.

Lemma in_slices {A} (o : A) counts : forall from l, In o (skipn (N.to_nat from) l) ->
  (N.of_nat (length l) <= from + fold_right N.add 0 counts)%N -> exists f n, In o (slice f n l) /\
    forall c, slices_refuted c from counts -> slice_refuted c f n.
Proof.
  induction counts as [|n counts IH]; intros from l I L; cbn [fold_right] in L.
  - exfalso. rewrite skipn_all2 in I by lia. exact I.
  - rewrite <- (firstn_skipn (N.to_nat n) (skipn (N.to_nat from) l)) in I. apply in_app_or in I as [I|I].
    + exists from, n. split; [exact I|]. intros c [R _]. exact R.
    + assert (E : skipn (N.to_nat n) (skipn (N.to_nat from) l) = skipn (N.to_nat (from + n)) l).
      { rewrite N2Nat.inj_add. generalize (N.to_nat from) as a, (N.to_nat n) as b. clear. intros a. revert l.
        induction a as [|a IH]; intros l b; [reflexivity|]. destruct l as [|x l]; [rewrite !skipn_nil; reflexivity|]. cbn. apply IH. }
      rewrite E in I. destruct (IH (from + n)%N l I ltac:(lia)) as (f & m & J & R). exists f, m. split; [exact J|].
      intros c [_ T]. apply R. exact T.
Qed.

Theorem slices_sound c counts S : system_of c = Some S -> complete c counts = true -> slices_refuted c 0 counts -> safe S.
Proof.
  intros SO H R. unfold complete in H. apply andb_prop in H as [O L]. apply N.leb_le in L. apply (refuted_safe c S SO O).
  intros v D o I. destruct (in_slices o counts 0%N (obligations c) I L) as (f & n & J & T). exact (T c R v D o J).
Qed.
