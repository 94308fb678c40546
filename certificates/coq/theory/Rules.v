(** Refutations: trees of six rules, followed without any search. *)

From Coq Require Import ZArith QArith Qround List Bool Lia FMapPositive.
From Slabcert Require Import Terms Formulas Tightening Connectives Normalise.
Import ListNotations.

(** Atoms, by their places in the list in force, with multipliers. Rational multipliers are brought to a common denominator: a positive
    multiple of a combination is as good. *)
Definition combination := list (positive * Z).

(** A formula inside a hypothesis, or its complement: whether that is meant, the hypothesis, and the places of members on the way. *)
Definition occurrence : Type := bool * positive * list N.

Inductive proof :=
| Farkas (c : combination)
| Clash (i j : positive)
| Split (i : positive) (cases : list proof)
| Decide (fs : list occurrence) (p q : proof)
| Branch (s : sum) (b : Z) (p q : proof)
| Cut (c : combination) (p : proof).

(** The hypotheses in force by their places, and the next free place. *)
Record force := Force { table : Map.t form; free : positive }.

Definition no_force : force := Force (Map.empty _) 1.

Definition push (h : force) (f : form) : force := Force (Map.add (free h) f (table h)) (Pos.succ (free h)).

(** Adds a formula, and its members after it if it is a conjunction. *)
Definition assume (h : force) (f : form) : force :=
  match f with
  | All l => fold_left push l (push h f)
  | _ => push h f
  end.

Definition joint_relation (r q : relation) : relation :=
  match r, q with
  | LT, _ | _, LT => LT
  | EQ, EQ => EQ
  | _, _ => LE
  end.

Definition add_numbers (a b : Q) : Q :=
  match Qden a, Qden b with
  | xH, xH => Qmake (Qnum a + Qnum b) 1
  | _, _ => Qred (a + b)
  end.

Definition multiply_number (m : Z) (c : Q) : Q := Qmake (m * Qnum c) (Qden c).

(** The multiplier keeps the direction of the comparison. *)
Definition admitted (r : relation) (m : Z) : bool :=
  match r with
  | LE | LT => (0 <? m)%Z
  | EQ => negb (m =? 0)%Z
  | NE => false
  end.

Fixpoint combine (h : force) (c : combination) (s : sum) (r : relation) (k : Q) : option form :=
  match c with
  | [] => Some (tightened s r k)
  | (i, m) :: c =>
      match Map.find i (table h) with
      | Some (Atom s' r' k') =>
          if admitted r' m then
            combine h c (add_sums s (scaled m s')) (joint_relation r r') (add_numbers k (multiply_number m k'))
          else None
      | _ => None
      end
  end.

Definition combined (h : force) (c : combination) : option form := combine h c [] EQ 0.

(** The member of a list, counted from 0. *)
Fixpoint member_at {A} (l : list A) (k : N) : option A :=
  match l with
  | [] => None
  | x :: l => match k with N0 => Some x | Npos _ => member_at l (N.pred k) end
  end.

(** What stands inside a formula at the end of a path of members' places. *)
Fixpoint inside (f : form) (path : list N) : option form :=
  match path with
  | [] => Some f
  | k :: path =>
      match f with
      | All l | Any l =>
          match member_at l k with
          | Some f => inside f path
          | None => None
          end
      | _ => None
      end
  end.

Fixpoint named (h : force) (fs : list occurrence) : option (list form) :=
  match fs with
  | [] => Some []
  | (negative, i, path) :: fs =>
      match Map.find i (table h) with
      | Some f =>
          match inside f path, named h fs with
          | Some f, Some l => Some ((if negative then complement f else f) :: l)
          | _, _ => None
          end
      | None => None
      end
  end.

(** What must be refuted for a hypothesis to be refuted by cases. *)
Definition cases_of (f : form) : option (list form) :=
  match f with
  | Any l => Some l
  | Atom s NE c => Some [tightened s LT c; tightened (scaled (-1) s) LT (Qopp c)]
  | _ => None
  end.

Fixpoint refutes (h : force) (p : proof) : bool :=
  match p with
  | Farkas c => match combined h c with Some (Any []) => true | _ => false end
  | Clash i j =>
      match Map.find i (table h), Map.find j (table h) with
      | Some f, Some g => form_eqb (complement f) g
      | _, _ => false
      end
  | Split i ps =>
      match Map.find i (table h) with
      | Some f =>
          match cases_of f with
          | Some fs =>
              (fix each (ps : list proof) (fs : list form) : bool :=
                 match ps, fs with
                 | [], [] => true
                 | p :: ps, f :: fs => refutes (assume h f) p && each ps fs
                 | _, _ => false
                 end) ps fs
          | None => false
          end
      | None => false
      end
  | Decide fs p q =>
      match named h fs with
      | Some l => let f := disjunction l in refutes (assume h f) p && refutes (assume h (complement f)) q
      | None => false
      end
  | Branch s b p q =>
      integral s &&
      refutes (assume h (tightened s LE (inject_Z b))) p &&
      refutes (assume h (tightened (scaled (-1) s) LE (inject_Z (- b - 1)))) q
  | Cut c p =>
      match combined h c with
      | Some f => refutes (assume h f) p
      | None => false
      end
  end.

(** * Soundness *)

Definition in_force (v : valuation) (h : force) : Prop :=
  forall i f, Map.find i (table h) = Some f -> holds v f = true.

Lemma in_force_none v : in_force v no_force.
Proof. intros i f F. cbn in F. rewrite Map.gempty in F. discriminate. Qed.

Lemma in_force_push v h f : in_force v h -> holds v f = true -> in_force v (push h f).
Proof.
  intros I H i g F. cbn in F. destruct (Pos.eq_dec i (free h)) as [->|N].
  - rewrite Map.gss in F. inversion F; subst. exact H.
  - rewrite Map.gso in F by exact N. eauto.
Qed.

Lemma in_force_assume v h f : in_force v h -> holds v f = true -> in_force v (assume h f).
Proof.
  intros I H. assert (P := in_force_push v h f I H). destruct f as [p b|s r c|l|l]; cbn [assume]; try exact P.
  cbn [holds] in H. rewrite forallb_forall in H. revert H. revert P. generalize (push h (All l)). clear I.
  induction l as [|f l IH]; intros h' P H; [exact P|]. cbn. apply IH.
  - apply in_force_push; [exact P|]. apply H. left. reflexivity.
  - intros g G. apply H. right. exact G.
Qed.

Lemma add_numbers_ok a b : add_numbers a b == a + b.
Proof.
  destruct a as [n d], b as [n' d']. unfold add_numbers. cbn [Qden Qnum].
  destruct d, d'; try apply Qred_correct. unfold Qeq, Qplus. cbn [Qnum Qden]. lia.
Qed.

Lemma multiply_number_ok m c : multiply_number m c == inject_Z m * c.
Proof. destruct c as [n d]. unfold multiply_number, Qeq, Qmult, inject_Z. cbn [Qnum Qden]. lia. Qed.

Lemma combine_ok v h c : in_force v h -> forall s r k f,
  r <> NE -> compares r (eval_sum v s) k = true -> combine h c s r k = Some f -> holds v f = true.
Proof.
  intros I. induction c as [|[i m] c IH]; intros s r k f N H C; cbn [combine] in C.
  - inversion C; subst. rewrite tightened_ok. exact H.
  - destruct (Map.find i (table h)) as [[p b|s' r' k'|l|l]|] eqn:F; try discriminate.
    destruct (admitted r' m) eqn:A; [|discriminate]. apply I in F. cbn [holds] in F.
    revert C. apply IH; clear IH.
    + destruct r, r'; cbn; congruence.
    + assert (E : forall q, compares q (eval_sum v (add_sums s (scaled m s'))) (add_numbers k (multiply_number m k')) =
        compares q (eval_sum v s + inject_Z m * eval_sum v s') (k + inject_Z m * k')).
      { intros. apply compares_congr.
        - rewrite eval_add_sums, eval_scaled. reflexivity.
        - rewrite add_numbers_ok, multiply_number_ok. reflexivity. }
      rewrite E. clear E. set (x := eval_sum v s) in *. set (y := eval_sum v s') in *.
      assert (P : r' <> EQ -> r' <> NE -> 0 < inject_Z m).
      { intros. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. destruct r'; try congruence; cbn in A; apply Z.ltb_lt; exact A. }
      assert (Mle : r' <> EQ -> r' <> NE -> y <= k' -> inject_Z m * y <= inject_Z m * k').
      { intros E1 E2 L. apply Qmult_le_l; auto. }
      assert (Mlt : r' <> EQ -> r' <> NE -> y < k' -> inject_Z m * y < inject_Z m * k').
      { intros E1 E2 L. apply Qmult_lt_l; auto. }
      destruct r, r'; try congruence; cbn in A; try discriminate;
        cbn [compares joint_relation] in *;
        rewrite ?negb_true_iff, ?Qle_bool_false, ?Qle_bool_iff, ?Qeq_bool_iff in *.
      * apply Qplus_le_compat; [exact H|apply Mle; congruence || exact F].
      * rewrite Qplus_comm, (Qplus_comm k). apply Qplus_lt_le_compat; [apply Mlt; congruence || exact F|exact H].
      * rewrite F. apply Qplus_le_compat; [exact H|apply Qle_refl].
      * apply Qplus_lt_le_compat; [exact H|apply Mle; congruence || exact F].
      * apply Qplus_lt_le_compat; [exact H|apply Qlt_le_weak, Mlt; congruence || exact F].
      * rewrite F. apply Qplus_lt_le_compat; [exact H|apply Qle_refl].
      * rewrite H. apply Qplus_le_compat; [apply Qle_refl|apply Mle; congruence || exact F].
      * rewrite H. rewrite Qplus_comm, (Qplus_comm k). apply Qplus_lt_le_compat; [apply Mlt; congruence || exact F|apply Qle_refl].
      * rewrite H, F. reflexivity.
Qed.

Lemma combined_ok v h c f : in_force v h -> combined h c = Some f -> holds v f = true.
Proof. intros I. apply combine_ok; [exact I|discriminate|reflexivity]. Qed.

Lemma cases_ok v f fs : cases_of f = Some fs -> holds v f = true -> existsb (holds v) fs = true.
Proof.
  destruct f as [p b|s r c|l|l]; try discriminate; cbn [cases_of holds].
  - destruct r; try discriminate. intros E H. inversion E; subst; clear E. cbn [existsb]. rewrite !tightened_ok.
    cbn [compares] in *. rewrite orb_false_r, orb_true_iff, !negb_true_iff, !Qle_bool_false. rewrite negb_true_iff in H.
    rewrite eval_negated. destruct (Q_dec (eval_sum v s) c) as [[L|G]|E].
    + left. exact L.
    + right. apply Qopp_lt_compat. exact G.
    + apply not_true_iff_false in H. exfalso. apply H. apply Qeq_bool_iff. exact E.
  - intros E H. inversion E; subst. exact H.
Qed.

Lemma branch_ok v s b : integral s = true ->
  holds v (tightened s LE (inject_Z b)) = true \/ holds v (tightened (scaled (-1) s) LE (inject_Z (- b - 1))) = true.
Proof.
  intros I. rewrite !tightened_ok. cbn [compares]. rewrite !Qle_bool_iff, eval_negated, (integral_value v s I).
  rewrite <- inject_Z_opp, <- !Zle_Qle. lia.
Qed.

Theorem refutes_ok v : forall p h, in_force v h -> refutes h p = true -> False.
Proof.
  fix IH 1. intros p h I R. destruct p as [c|i j|i ps|fs p q|s b p q|c p]; cbn [refutes] in R.
  - destruct (combined h c) as [f|] eqn:C; [|discriminate]. apply (combined_ok v) in C; [|exact I].
    destruct f as [p b|s r k|l|[|f l]]; try discriminate.
  - destruct (Map.find i (table h)) as [f|] eqn:F; [|discriminate].
    destruct (Map.find j (table h)) as [g|] eqn:G; [|discriminate].
    apply form_eqb_ok in R. apply I in F. apply I in G. rewrite <- R, complement_ok, F in G. discriminate.
  - destruct (Map.find i (table h)) as [f|] eqn:F; [|discriminate]. apply I in F.
    destruct (cases_of f) as [fs|] eqn:C; [|discriminate]. apply (cases_ok v f fs C) in F. clear C.
    revert fs F R. induction ps as [|p ps IHps]; intros [|g fs] F R; try discriminate.
    apply andb_prop in R as [R1 R2]. cbn [existsb] in F. apply orb_prop in F as [F|F].
    + apply (IH p (assume h g)); [apply in_force_assume; assumption|exact R1].
    + exact (IHps fs F R2).
  - destruct (named h fs) as [l|]; [|discriminate]. set (f := disjunction l) in *. apply andb_prop in R as [R1 R2].
    destruct (holds v f) eqn:H.
    + apply (IH p (assume h f)); [apply in_force_assume; assumption|exact R1].
    + apply (IH q (assume h (complement f))); [apply in_force_assume; [exact I|rewrite complement_ok, H; reflexivity]|exact R2].
  - apply andb_prop in R as [R R2]. apply andb_prop in R as [S R1]. destruct (branch_ok v s b S) as [H|H].
    + apply (IH p _ (in_force_assume v h _ I H) R1).
    + apply (IH q _ (in_force_assume v h _ I H) R2).
  - destruct (combined h c) as [f|] eqn:C; [|discriminate]. apply (combined_ok v) in C; [|exact I].
    apply (IH p _ (in_force_assume v h f I C) R).
Qed.
