(** Tightening: comparisons of sums with numbers in canonical form, which is where integers are more than reals. *)

From Coq Require Import ZArith QArith Qround List Bool Lia.
From Slabcert Require Import Terms Formulas.
Import ListNotations.

Definition constant (b : bool) : form := if b then All [] else Any [].

Lemma holds_constant v b : holds v (constant b) = b.
Proof. destruct b; reflexivity. Qed.

(** The greatest common divisor of the coefficients and [g]. *)
Fixpoint content (g : Z) (s : sum) : Z :=
  match s with
  | [] => g
  | (_, k) :: t => if (g =? 1)%Z then 1%Z else content (Z.gcd g k) t
  end.

Lemma content_divides s : forall g, (content g s | g)%Z /\ forall p k, In (p, k) s -> (content g s | k)%Z.
Proof.
  induction s as [|[q m] s IH]; intros g; cbn.
  - split; [apply Z.divide_refl|]. intros p k [].
  - destruct (Z.eqb_spec g 1) as [->|_].
    + split; [apply Z.divide_refl|]. intros. apply Z.divide_1_l.
    + destruct (IH (Z.gcd g m)) as [G H]. split.
      * eapply Z.divide_trans; [exact G|apply Z.gcd_divide_l].
      * intros p k [E|I]; [|eauto]. inversion E; subst. eapply Z.divide_trans; [exact G|apply Z.gcd_divide_r].
Qed.

Definition divided (g : Z) (s : sum) : sum := map (fun x => (fst x, snd x / g)%Z) s.

Lemma eval_divided v g s : (0 < g)%Z -> (forall p k, In (p, k) s -> (g | k)%Z) ->
  eval_sum v s == inject_Z g * eval_sum v (divided g s).
Proof.
  intros P D. unfold divided. induction s as [|[p k] t IH]; cbn; [ring|].
  rewrite IH by (intros; eapply D; right; eassumption).
  assert (E : inject_Z k == inject_Z g * inject_Z (k / g)).
  { rewrite <- inject_Z_mult. destruct (D p k (or_introl eq_refl)) as [m ->].
    rewrite Z.div_mul by lia. rewrite Z.mul_comm. reflexivity. }
  rewrite E. ring.
Qed.

(** [s r c] with coprime coefficients. *)
Definition rounded (s : sum) (r : relation) (c : Q) : form :=
  if integral s then
    match r with
    | LE => Atom s LE (inject_Z (Qfloor c))
    | LT => Atom s LE (inject_Z (Qceiling c - 1))
    | EQ => if Qeq_bool c (inject_Z (Qfloor c)) then Atom s EQ (inject_Z (Qfloor c)) else constant false
    | NE => if Qeq_bool c (inject_Z (Qfloor c)) then Atom s NE (inject_Z (Qfloor c)) else constant true
    end
  else Atom s r (reduced c).

Lemma integer_le_floor n c : Qle_bool (inject_Z n) (inject_Z (Qfloor c)) = Qle_bool (inject_Z n) c.
Proof.
  apply eq_true_iff_eq. rewrite !Qle_bool_iff. split; intros H.
  - eapply Qle_trans; [exact H|apply Qfloor_le].
  - rewrite <- Zle_Qle. apply Qfloor_resp_le in H. rewrite Qfloor_Z in H. exact H.
Qed.

Lemma integer_lt_ceiling n c : Qle_bool (inject_Z n) (inject_Z (Qceiling c - 1)) = negb (Qle_bool c (inject_Z n)).
Proof.
  apply eq_true_iff_eq. rewrite negb_true_iff, Qle_bool_iff, Qle_bool_false, <- Zle_Qle. split; intros H.
  - assert (L : inject_Z n <= inject_Z (Qceiling c - 1)) by (rewrite <- Zle_Qle; exact H).
    eapply Qle_lt_trans; [exact L|apply Qceiling_lt].
  - assert (L : (n < Qceiling c)%Z); [|lia].
    rewrite Zlt_Qlt. eapply Qlt_le_trans; [exact H|apply Qle_ceiling].
Qed.

Lemma not_integer n c : Qeq_bool c (inject_Z (Qfloor c)) = false -> Qeq_bool (inject_Z n) c = false.
Proof.
  intros H. apply not_true_iff_false. intros E. apply Qeq_bool_iff in E.
  apply not_true_iff_false in H. apply H. apply Qeq_bool_iff. rewrite <- E at 2. rewrite Qfloor_Z. symmetry. exact E.
Qed.

Lemma rounded_ok v s r c : holds v (rounded s r c) = compares r (eval_sum v s) c.
Proof.
  unfold rounded. destruct (integral s) eqn:I.
  - assert (V := integral_value v s I). set (n := integer_value v s) in *.
    assert (C : forall r' c', compares r' (eval_sum v s) c' = compares r' (inject_Z n) c')
      by (intros; apply compares_congr; [exact V|reflexivity]).
    destruct r; cbn [holds]; try rewrite !C.
    + apply integer_le_floor.
    + apply integer_lt_ceiling.
    + destruct (Qeq_bool c (inject_Z (Qfloor c))) eqn:E.
      * cbn [holds]. rewrite C. apply compares_congr; [reflexivity|]. apply Qeq_bool_iff in E. symmetry. exact E.
      * rewrite holds_constant. symmetry. apply not_integer. exact E.
    + destruct (Qeq_bool c (inject_Z (Qfloor c))) eqn:E.
      * cbn [holds]. rewrite C. apply compares_congr; [reflexivity|]. apply Qeq_bool_iff in E. symmetry. exact E.
      * rewrite holds_constant. symmetry. cbn. rewrite (not_integer n c E). reflexivity.
  - cbn [holds]. apply compares_congr; [reflexivity|apply reduced_ok].
Qed.

Definition tightened (s : sum) (r : relation) (c : Q) : form :=
  match s with
  | [] => constant (compares r 0 c)
  | _ =>
      match content 0 s with
      | Zpos xH => rounded s r c
      | Zpos g => rounded (divided (Zpos g) s) r (Qmake (Qnum c) (g * Qden c))
      | _ => Atom s r c
      end
  end.

Lemma quotient_of_constant g c : c == inject_Z (Zpos g) * Qmake (Qnum c) (g * Qden c).
Proof. destruct c as [n d]. unfold Qeq, inject_Z, Qmult. cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul. ring. Qed.

Lemma tightened_ok v s r c : holds v (tightened s r c) = compares r (eval_sum v s) c.
Proof.
  unfold tightened. destruct s as [|x t] eqn:S; [apply holds_constant|rewrite <- S; clear S x t].
  destruct (content_divides s 0) as [_ D].
  destruct (content 0 s) as [|g|g] eqn:G; try reflexivity.
  assert (H : holds v (rounded (divided (Zpos g) s) r (Qmake (Qnum c) (g * Qden c))) = compares r (eval_sum v s) c).
  { rewrite rounded_ok. rewrite <- (compares_scale r (inject_Z (Zpos g))).
    - apply compares_congr; symmetry; [apply eval_divided; [lia|exact D]|apply quotient_of_constant].
    - change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. lia. }
  destruct g; try exact H. apply rounded_ok.
Qed.

(** * Linear expressions *)

(** [(terms + constant) / denominator] *)
Record linear := Linear { terms : sum; offset : Z; denominator : positive }.

Definition eval_linear (v : valuation) (l : linear) : Q :=
  (eval_sum v (terms l) + inject_Z (offset l)) * (1 # denominator l).

(** The same without a common factor. *)
Definition lowest (l : linear) : linear :=
  match denominator l with
  | xH => l
  | d =>
      match content (Z.gcd (Zpos d) (offset l)) (terms l) with
      | Zpos xH => l
      | Zpos g =>
          match (Zpos d / Zpos g)%Z with
          | Zpos e => Linear (divided (Zpos g) (terms l)) (offset l / Zpos g) e
          | _ => l
          end
      | _ => l
      end
  end.

Lemma lowest_ok v l : eval_linear v (lowest l) == eval_linear v l.
Proof.
  destruct l as [s k d]. unfold lowest. cbn [denominator offset terms].
  assert (H : forall g e, content (Z.gcd (Zpos d) k) s = Zpos g -> (Zpos d / Zpos g)%Z = Zpos e ->
    eval_linear v (Linear (divided (Zpos g) s) (k / Zpos g) e) == eval_linear v (Linear s k d)).
  { intros g e G E. destruct (content_divides s (Z.gcd (Zpos d) k)) as [C D]. rewrite G in C, D.
    unfold eval_linear. cbn [denominator offset terms].
    rewrite (eval_divided v (Zpos g) s) by (try lia; exact D).
    assert (K : inject_Z k == inject_Z (Zpos g) * inject_Z (k / Zpos g)).
    { rewrite <- inject_Z_mult. destruct (Z.divide_trans _ _ _ C (Z.gcd_divide_r (Zpos d) k)) as [m ->].
      rewrite Z.div_mul by lia. rewrite Z.mul_comm. reflexivity. }
    rewrite K.
    assert (F : (1 # e) == inject_Z (Zpos g) * (1 # d)).
    { destruct (Z.divide_trans _ _ _ C (Z.gcd_divide_l (Zpos d) k)) as [m M].
      rewrite M, Z.div_mul in E by lia. subst m. unfold Qeq, Qmult, inject_Z. cbn [Qnum Qden]. lia. }
    rewrite F. ring. }
  destruct d; try reflexivity;
    destruct (content _ s) as [|g|g] eqn:G; try reflexivity;
    destruct g; try reflexivity;
    destruct (Z.div _ _) as [|e|e] eqn:E; try reflexivity; apply H; auto.
Qed.

Definition add_linear (a b : linear) : linear :=
  if (denominator a =? denominator b)%positive then
    lowest (Linear (add_sums (terms a) (terms b)) (offset a + offset b) (denominator a))
  else
    let x := Zpos (denominator b) in
    let y := Zpos (denominator a) in
    lowest (Linear (add_sums (scaled x (terms a)) (scaled y (terms b))) (x * offset a + y * offset b)
      (denominator a * denominator b)).

Lemma inverse_product d e : inject_Z (Zpos d) * (1 # (d * e)) == (1 # e).
Proof. unfold Qeq, Qmult, inject_Z. cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul. ring. Qed.

Lemma add_linear_ok v a b : eval_linear v (add_linear a b) == eval_linear v a + eval_linear v b.
Proof.
  unfold add_linear. destruct (Pos.eqb_spec (denominator a) (denominator b)) as [E|_]; rewrite lowest_ok;
    unfold eval_linear; cbn [denominator offset terms]; rewrite eval_add_sums.
  - rewrite <- E, inject_Z_plus. ring.
  - rewrite !eval_scaled, inject_Z_plus, !inject_Z_mult.
    assert (A : (1 # denominator a) == inject_Z (Zpos (denominator b)) * (1 # (denominator a * denominator b)))
      by (rewrite Pos.mul_comm, inverse_product; reflexivity).
    assert (B : (1 # denominator b) == inject_Z (Zpos (denominator a)) * (1 # (denominator a * denominator b)))
      by (rewrite inverse_product; reflexivity).
    rewrite A, B. ring.
Qed.

Definition scale_linear (q : Q) (a : linear) : linear :=
  if (Qnum q =? 0)%Z then Linear [] 0 1
  else lowest (Linear (scaled (Qnum q) (terms a)) (Qnum q * offset a) (Qden q * denominator a)).

Lemma scale_linear_ok v q a : eval_linear v (scale_linear q a) == q * eval_linear v a.
Proof.
  destruct q as [n d]. unfold scale_linear. cbn [Qnum Qden].
  destruct (Z.eqb_spec n 0) as [->|_].
  - unfold eval_linear. cbn. unfold Qeq, Qmult. cbn. lia.
  - rewrite lowest_ok. unfold eval_linear. cbn [denominator offset terms].
    rewrite eval_scaled, inject_Z_mult.
    assert (E : (n # d) == inject_Z n * (1 # d)) by (unfold Qeq, Qmult, inject_Z; cbn; lia).
    assert (F : (1 # (d * denominator a)) == (1 # d) * (1 # denominator a)) by reflexivity.
    rewrite E, F. ring.
Qed.

Definition constant_linear (q : Q) : linear := lowest (Linear [] (Qnum q) (Qden q)).

Lemma constant_linear_ok v q : eval_linear v (constant_linear q) == q.
Proof.
  unfold constant_linear. rewrite lowest_ok. destruct q as [n d]. unfold eval_linear. cbn.
  unfold Qeq, Qmult, Qplus, inject_Z. cbn [Qnum Qden]. lia.
Qed.

Definition variable_linear (p : positive) : linear := Linear [(p, 1%Z)] 0 1.

Lemma variable_linear_ok v p : eval_linear v (variable_linear p) == variable_value v p.
Proof. unfold eval_linear. cbn. change (inject_Z 1) with 1. change (inject_Z 0) with 0. ring. Qed.

(** The expression compared with 0. *)
Definition compare_linear (l : linear) (r : relation) : form :=
  tightened (terms l) r (inject_Z (- offset l)).

Lemma compare_linear_ok v l r : holds v (compare_linear l r) = compares r (eval_linear v l) 0.
Proof.
  unfold compare_linear. rewrite tightened_ok. unfold eval_linear.
  set (x := eval_sum v (terms l)). set (k := offset l).
  rewrite <- (compares_scale r (inject_Z (Zpos (denominator l))) ((x + inject_Z k) * (1 # denominator l)) 0)
    by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  assert (E : inject_Z (Zpos (denominator l)) * ((x + inject_Z k) * (1 # denominator l)) == x + inject_Z k).
  { transitivity ((x + inject_Z k) * (inject_Z (Zpos (denominator l)) * (1 # denominator l))); [ring|].
    assert (O : inject_Z (Zpos (denominator l)) * (1 # denominator l) == 1) by (unfold Qeq, Qmult, inject_Z; cbn; lia).
    rewrite O. ring. }
  transitivity (compares r (x + inject_Z k) 0).
  - assert (L : forall a b, Qle_bool (a + inject_Z k) (b + inject_Z k) = Qle_bool a b).
    { intros. apply eq_true_iff_eq. rewrite !Qle_bool_iff. apply Qplus_le_l. }
    assert (M : forall a b, Qeq_bool (a + inject_Z k) (b + inject_Z k) = Qeq_bool a b).
    { intros. apply eq_true_iff_eq. rewrite !Qeq_bool_iff. apply Qplus_inj_r. }
    assert (Z0 : inject_Z (- k) + inject_Z k == 0).
    { rewrite <- inject_Z_plus. rewrite Z.add_opp_diag_l. reflexivity. }
    rewrite (compares_congr r (x + inject_Z k) (x + inject_Z k) 0 (inject_Z (- k) + inject_Z k)) by (try reflexivity; symmetry; exact Z0).
    destruct r; cbn [compares]; rewrite ?L, ?M; reflexivity.
  - symmetry. apply compares_congr; [exact E|ring].
Qed.

Definition linear_eqb (a b : linear) : bool :=
  Pos.eqb (denominator a) (denominator b) && Z.eqb (offset a) (offset b) && sum_eqb (terms a) (terms b).

Lemma linear_eqb_ok a b : linear_eqb a b = true -> a = b.
Proof.
  unfold linear_eqb. destruct a, b. cbn. intros H. apply andb_prop in H as [H S]. apply andb_prop in H as [D O].
  apply Pos.eqb_eq in D. apply Z.eqb_eq in O. apply sum_eqb_ok in S. congruence.
Qed.

Arguments constant : simpl never.
Arguments compare_linear : simpl never.
Arguments add_linear : simpl never.
Arguments scale_linear : simpl never.
Arguments constant_linear : simpl never.
Arguments variable_linear : simpl never.
