(** Values of terms about integers, as statements that [lia] understands: for developments that apply an exported theorem. *)

From Coq Require Import ZArith QArith List Bool Lia.
From Slabcert Require Import Terms Systems.

Lemma add_integers k n : inject_Z k + inject_Z n = inject_Z (k + n).
Proof. unfold inject_Z, Qplus. cbn [Qnum Qden]. rewrite !Z.mul_1_r. reflexivity. Qed.

Lemma multiply_integers k n : inject_Z k * inject_Z n = inject_Z (k * n).
Proof. reflexivity. Qed.

Lemma opposite_integer k : - inject_Z k = inject_Z (- k).
Proof. reflexivity. Qed.

Lemma le_integers k n : Qle_bool (inject_Z k) (inject_Z n) = (k <=? n)%Z.
Proof. unfold Qle_bool, inject_Z. cbn [Qnum Qden]. rewrite !Z.mul_1_r. reflexivity. Qed.

Lemma equal_integers k n : Qeq_bool (inject_Z k) (inject_Z n) = (k =? n)%Z.
Proof.
  unfold Qeq_bool, inject_Z. cbn [Qnum Qden]. rewrite !Z.mul_1_r. apply eq_true_iff_eq.
  rewrite <- Zeq_is_eq_bool, Z.eqb_eq. reflexivity.
Qed.

(** Evaluates a term about integers, with its variables in a state or around a step. *)
Ltac evaluate :=
  unfold Ge, Gt, Sub, Neg, Implies, Xor, Distinct, Int, now, next, input, step_valuation;
  cbn [eval truth number equal forallb existsb pairwise map app ints reals bools joined];
  change (- (1))%Q with (inject_Z (-1)); change (-1 # 1) with (inject_Z (-1)); change (0 # 1) with (inject_Z 0);
  rewrite ?multiply_integers, ?add_integers, ?le_integers, ?equal_integers.

(** The same for truth values as propositions. *)
Ltac as_propositions :=
  rewrite ?negb_true_iff, ?negb_false_iff, ?andb_true_iff, ?andb_false_iff, ?orb_true_iff, ?orb_false_iff,
    ?Z.leb_le, ?Z.leb_gt, ?Z.eqb_eq, ?Z.eqb_neq.
