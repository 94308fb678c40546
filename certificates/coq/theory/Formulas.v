(** Formulas in negation normal form over linear atoms, and their complements.

    The numeric variable [p] of an atom is the integer variable [q] when [p] is [q~0], and the real variable [q] when it is [q~1]. *)

From Coq Require Import ZArith QArith Qround List Bool Lia.
From Slabcert Require Import Terms.
Import ListNotations.

Definition sum := list (positive * Z).

Inductive relation := LE | LT | EQ | NE.

Inductive form :=
| Lit (p : positive) (b : bool)
| Atom (s : sum) (r : relation) (c : Q)
| All (l : list form)
| Any (l : list form).

Section Induction.
  Variable P : form -> Prop.
  Hypothesis of_lit : forall p b, P (Lit p b).
  Hypothesis of_atom : forall s r c, P (Atom s r c).
  Hypothesis of_all : forall l, Forall P l -> P (All l).
  Hypothesis of_any : forall l, Forall P l -> P (Any l).
  Fixpoint form_induction (f : form) : P f :=
    let fix each (l : list form) : Forall P l :=
      match l with
      | [] => Forall_nil P
      | f :: t => Forall_cons f (form_induction f) (each t)
      end in
    match f with
    | Lit p b => of_lit p b
    | Atom s r c => of_atom s r c
    | All l => of_all l (each l)
    | Any l => of_any l (each l)
    end.
End Induction.

Definition variable_value (v : valuation) (p : positive) : Q :=
  match p with
  | xO q => inject_Z (ints v q)
  | xI q => reals v q
  | xH => 0
  end.

Fixpoint eval_sum (v : valuation) (s : sum) : Q :=
  match s with
  | [] => 0
  | (p, k) :: t => inject_Z k * variable_value v p + eval_sum v t
  end.

Definition compares (r : relation) (a b : Q) : bool :=
  match r with
  | LE => Qle_bool a b
  | LT => negb (Qle_bool b a)
  | EQ => Qeq_bool a b
  | NE => negb (Qeq_bool a b)
  end.

Fixpoint holds (v : valuation) (f : form) : bool :=
  match f with
  | Lit p b => Bool.eqb (bools v p) b
  | Atom s r c => compares r (eval_sum v s) c
  | All l => forallb (holds v) l
  | Any l => existsb (holds v) l
  end.

(** * Comparisons *)

Lemma Qle_bool_congr a a' b b' : a == a' -> b == b' -> Qle_bool a b = Qle_bool a' b'.
Proof.
  intros A B. apply eq_true_iff_eq. rewrite !Qle_bool_iff. rewrite A, B. reflexivity.
Qed.

Lemma Qeq_bool_congr a a' b b' : a == a' -> b == b' -> Qeq_bool a b = Qeq_bool a' b'.
Proof.
  intros A B. apply eq_true_iff_eq. rewrite !Qeq_bool_iff. rewrite A, B. reflexivity.
Qed.

Lemma compares_congr r a a' b b' : a == a' -> b == b' -> compares r a b = compares r a' b'.
Proof.
  intros A B. destruct r; cbn; rewrite ?(Qle_bool_congr a a' b b'), ?(Qle_bool_congr b b' a a'), ?(Qeq_bool_congr a a' b b'); auto.
Qed.

Lemma Qle_bool_false a b : Qle_bool a b = false <-> b < a.
Proof.
  rewrite <- not_true_iff_false, Qle_bool_iff. split; intros H.
  - apply Qnot_le_lt. exact H.
  - apply Qlt_not_le. exact H.
Qed.

Lemma compares_scale r k a b : 0 < k -> compares r (k * a) (k * b) = compares r a b.
Proof.
  intros P.
  assert (L : forall x y, Qle_bool (k * x) (k * y) = Qle_bool x y).
  { intros. apply eq_true_iff_eq. rewrite !Qle_bool_iff. apply Qmult_le_l. exact P. }
  assert (E : forall x y, Qeq_bool (k * x) (k * y) = Qeq_bool x y).
  { intros. apply eq_true_iff_eq. rewrite !Qeq_bool_iff. split; intros H.
    - apply Qmult_inj_l in H; auto. intros Z. rewrite Z in P. apply Qlt_irrefl in P. exact P.
    - rewrite H. reflexivity. }
  destruct r; cbn; rewrite ?L, ?E; reflexivity.
Qed.

(** * Sums of integers *)

Definition is_integer (p : positive) : bool := match p with xO _ => true | _ => false end.
Definition integral (s : sum) : bool := forallb (fun x => is_integer (fst x)) s.

Fixpoint integer_value (v : valuation) (s : sum) : Z :=
  match s with
  | [] => 0
  | (xO q, k) :: t => k * ints v q + integer_value v t
  | _ :: t => integer_value v t
  end.

Lemma integral_value v s : integral s = true -> eval_sum v s == inject_Z (integer_value v s).
Proof.
  unfold integral. induction s as [|[p k] t IH]; cbn; intros H; [reflexivity|].
  apply andb_prop in H as [P H]. destruct p as [q|q|]; try discriminate. cbn.
  rewrite (IH H), inject_Z_plus, inject_Z_mult. reflexivity.
Qed.

Definition scaled (m : Z) (s : sum) : sum :=
  if (m =? 1)%Z then s else map (fun x => (fst x, m * snd x)%Z) s.

Lemma eval_scaled v m s : eval_sum v (scaled m s) == inject_Z m * eval_sum v s.
Proof.
  unfold scaled. destruct (Z.eqb_spec m 1) as [->|_]; [rewrite Qmult_1_l; reflexivity|].
  induction s as [|[p k] t IH]; cbn; [ring|]. rewrite IH, inject_Z_mult. ring.
Qed.

Lemma integral_scaled m s : integral (scaled m s) = integral s.
Proof.
  unfold scaled. destruct (m =? 1)%Z; [reflexivity|]. unfold integral.
  induction s as [|[p k] t IH]; cbn; [reflexivity|]. rewrite IH. reflexivity.
Qed.

(** The sum of two sums, which are sorted by variable. *)
Fixpoint add_sums (a : sum) : sum -> sum :=
  match a with
  | [] => fun b => b
  | (x, k) :: a' =>
      fix with_second (b : sum) : sum :=
        match b with
        | [] => a
        | (y, m) :: b' =>
            match Pos.compare x y with
            | Datatypes.Eq => let n := (k + m)%Z in if (n =? 0)%Z then add_sums a' b' else (x, n) :: add_sums a' b'
            | Datatypes.Lt => (x, k) :: add_sums a' b
            | Datatypes.Gt => (y, m) :: with_second b'
            end
        end
  end.

Lemma eval_add_sums v a : forall b, eval_sum v (add_sums a b) == eval_sum v a + eval_sum v b.
Proof.
  induction a as [|[x k] a IH]; intros b; [cbn; ring|].
  induction b as [|[y m] b IHb]; [cbn; ring|].
  cbn [add_sums]. destruct (Pos.compare_spec x y) as [->|L|G].
  - cbn zeta. destruct (Z.eqb_spec (k + m) 0) as [E|N]; cbn [eval_sum]; rewrite IH.
    + assert (O : inject_Z k + inject_Z m == 0) by (rewrite <- inject_Z_plus, E; reflexivity).
      transitivity ((inject_Z k + inject_Z m) * variable_value v y + (eval_sum v a + eval_sum v b)); [rewrite O|]; ring.
    + rewrite inject_Z_plus. ring.
  - cbn [eval_sum]. rewrite IH. cbn [eval_sum]. ring.
  - cbn [eval_sum]. cbn [add_sums] in IHb. rewrite IHb. cbn [eval_sum]. ring.
Qed.

(** * The complement *)

(** [q] in lowest terms. *)
Definition reduced (q : Q) : Q := match Qden q with xH => q | _ => Qred q end.

Lemma reduced_ok q : reduced q == q.
Proof. unfold reduced. destruct (Qden q); try apply Qred_correct; reflexivity. Qed.

Definition minus_one (c : Q) : Q := Qmake (- Qnum c - 1) 1.

Fixpoint complement (f : form) : form :=
  match f with
  | Lit p b => Lit p (negb b)
  | Atom s EQ c => Atom s NE c
  | Atom s NE c => Atom s EQ c
  | Atom s LE c =>
      if (Qden c =? 1)%positive && integral s then Atom (scaled (-1) s) LE (minus_one c)
      else Atom (scaled (-1) s) LT (Qopp c)
  | Atom s LT c => Atom (scaled (-1) s) LE (Qopp c)
  | All l => Any (map complement l)
  | Any l => All (map complement l)
  end.

Lemma opposite_le a b : Qle_bool (- a) (- b) = Qle_bool b a.
Proof. apply eq_true_iff_eq. rewrite !Qle_bool_iff. split; intros H; apply Qopp_le_compat in H; rewrite ?Qopp_involutive in H; auto. Qed.

Lemma eval_negated v s : eval_sum v (scaled (-1) s) == - eval_sum v s.
Proof. rewrite eval_scaled. change (inject_Z (-1)) with (-(1)). ring. Qed.

Lemma complement_ok v f : holds v (complement f) = negb (holds v f).
Proof.
  induction f as [p b|s r c|l IH|l IH] using form_induction.
  - cbn. destruct (bools v p), b; reflexivity.
  - destruct r; cbn [complement].
    + destruct ((Qden c =? 1)%positive && integral s) eqn:I.
      * apply andb_prop in I as [D I]. apply Pos.eqb_eq in D. cbn [holds compares].
        apply eq_true_iff_eq. rewrite negb_true_iff, Qle_bool_iff, Qle_bool_false.
        rewrite eval_negated, (integral_value v s I).
        destruct c as [n d]. cbn in D. subst d. unfold minus_one. cbn [Qnum].
        unfold Qle, Qlt, inject_Z, Qopp. cbn [Qnum Qden]. lia.
      * cbn [holds compares]. f_equal.
        rewrite (Qle_bool_congr _ (- c) _ (- eval_sum v s)); [apply opposite_le|reflexivity|apply eval_negated].
    + cbn [holds compares]. rewrite negb_involutive.
      rewrite (Qle_bool_congr _ (- eval_sum v s) _ (- c)); [apply opposite_le|apply eval_negated|reflexivity].
    + reflexivity.
    + cbn. rewrite negb_involutive. reflexivity.
  - cbn. induction IH as [|f l H _ IH]; [reflexivity|]. cbn. rewrite H, IH. destruct (holds v f); reflexivity.
  - cbn. induction IH as [|f l H _ IH]; [reflexivity|]. cbn. rewrite H, IH. destruct (holds v f); reflexivity.
Qed.

(** * Equality *)

Fixpoint sum_eqb (a b : sum) : bool :=
  match a, b with
  | [], [] => true
  | (x, k) :: a, (y, m) :: b => Pos.eqb x y && Z.eqb k m && sum_eqb a b
  | _, _ => false
  end.

Lemma sum_eqb_ok a : forall b, sum_eqb a b = true -> a = b.
Proof.
  induction a as [|[x k] a IH]; intros [|[y m] b]; cbn; try discriminate; [reflexivity|].
  intros H. apply andb_prop in H as [H T]. apply andb_prop in H as [X K].
  apply Pos.eqb_eq in X. apply Z.eqb_eq in K. rewrite (IH b T). congruence.
Qed.

Definition relation_eqb (r q : relation) : bool :=
  match r, q with LE, LE | LT, LT | EQ, EQ | NE, NE => true | _, _ => false end.

Definition number_eqb (a b : Q) : bool := Z.eqb (Qnum a) (Qnum b) && Pos.eqb (Qden a) (Qden b).

Lemma number_eqb_ok a b : number_eqb a b = true -> a = b.
Proof.
  unfold number_eqb. destruct a, b. cbn. intros H. apply andb_prop in H as [N D].
  apply Z.eqb_eq in N. apply Pos.eqb_eq in D. congruence.
Qed.

Fixpoint form_eqb (f g : form) : bool :=
  let fix each (l m : list form) : bool :=
    match l, m with
    | [], [] => true
    | f :: l, g :: m => form_eqb f g && each l m
    | _, _ => false
    end in
  match f, g with
  | Lit p b, Lit q c => Pos.eqb p q && Bool.eqb b c
  | Atom s r c, Atom t q d => relation_eqb r q && number_eqb c d && sum_eqb s t
  | All l, All m | Any l, Any m => each l m
  | _, _ => false
  end.

Lemma form_eqb_ok f : forall g, form_eqb f g = true -> f = g.
Proof.
  induction f as [p b|s r c|l IH|l IH] using form_induction; intros [p' b'|s' r' c'|l'|l']; cbn; try discriminate; intros H.
  - apply andb_prop in H as [P B]. apply Pos.eqb_eq in P. apply eqb_prop in B. congruence.
  - apply andb_prop in H as [H S]. apply andb_prop in H as [R C].
    apply sum_eqb_ok in S. apply number_eqb_ok in C. destruct r, r'; cbn in R; try discriminate; congruence.
  - f_equal. revert l' H. induction IH as [|f l F _ IH]; intros [|g l'] H; try discriminate; [reflexivity|].
    apply andb_prop in H as [A B]. rewrite (F g A), (IH l' B). reflexivity.
  - f_equal. revert l' H. induction IH as [|f l F _ IH]; intros [|g l'] H; try discriminate; [reflexivity|].
    apply andb_prop in H as [A B]. rewrite (F g A), (IH l' B). reflexivity.
Qed.
