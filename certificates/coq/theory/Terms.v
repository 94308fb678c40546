(** Terms and their values.

    The language is that of [system.vmt]: truth values, integers, and reals whose values are rational numbers. Operators that are
    abbreviations of others ([Implies], [Sub], ...) are definitions, so that what must be understood is [term] and [eval].
    A term that is applied to arguments of the wrong sort has a value, too, and nothing depends on which. *)

From Coq Require Import ZArith QArith Qround List Bool.
Import ListNotations.

(** What the variables of each sort stand for. *)
Record valuation := Valuation {
  ints : positive -> Z;
  reals : positive -> Q;
  bools : positive -> bool
}.

Inductive term :=
| Bool (b : bool)
| Num (q : Q)
| BoolVar (p : positive)
| IntVar (p : positive)
| RealVar (p : positive)
| Not (t : term)
| And (l : list term)
| Or (l : list term)
| Ite (c t u : term)
| Eq (t u : term)
| Le (t u : term)
| Lt (t u : term)
| Add (t u : term)
| Mul (t u : term)
| IntDiv (t : term) (k : Z)
| Mod (t : term) (k : Z).

Fixpoint pairwise (l : list term) : list term :=
  match l with
  | [] => []
  | t :: l => map (fun u => Not (Eq t u)) l ++ pairwise l
  end.

Definition Distinct (l : list term) := And (pairwise l).
Definition Implies (t u : term) := Or [Not t; u].
Definition Xor (t u : term) := Not (Eq t u).
Definition Ge (t u : term) := Le u t.
Definition Gt (t u : term) := Lt u t.
Definition Neg (t : term) := Mul (Num (-1)) t.
Definition Sub (t u : term) := Add t (Mul (Num (-1)) u).
Definition Int (k : Z) := Num (inject_Z k).
Definition Abs (t : term) := Ite (Le (Neg t) (Num 0)) t (Neg t).
(** The largest integer that is not above a real, and whether a real is an integer. *)
Definition ToInt (t : term) := IntDiv t 1.
Definition IsInt (t : term) := Eq (Mod t 1) (Num 0).

Arguments Num q%Q.
Arguments Int k%Z.
Arguments IntDiv t k%Z.
Arguments Mod t k%Z.

Inductive value := Truth (b : bool) | Number (q : Q).

Definition truth (v : value) : bool := match v with Truth b => b | Number _ => false end.
Definition number (v : value) : Q := match v with Number q => q | Truth _ => 0 end.

(** The integer [n] with [k * n <= q < k * n + |k|], for [k] other than 0. *)
Definition quotient (q : Q) (k : Z) : Z := (Z.sgn k * Qfloor (q / inject_Z (Z.abs k)))%Z.

Definition equal (v w : value) : bool :=
  match v, w with
  | Truth b, Truth c => Bool.eqb b c
  | Number q, Number r => Qeq_bool q r
  | _, _ => false
  end.

Fixpoint eval (v : valuation) (t : term) : value :=
  match t with
  | Bool b => Truth b
  | Num q => Number q
  | BoolVar p => Truth (bools v p)
  | IntVar p => Number (inject_Z (ints v p))
  | RealVar p => Number (reals v p)
  | Not t => Truth (negb (truth (eval v t)))
  | And l => Truth (forallb (fun t => truth (eval v t)) l)
  | Or l => Truth (existsb (fun t => truth (eval v t)) l)
  | Ite c t u => if truth (eval v c) then eval v t else eval v u
  | Eq t u => Truth (equal (eval v t) (eval v u))
  | Le t u => Truth (Qle_bool (number (eval v t)) (number (eval v u)))
  | Lt t u => Truth (negb (Qle_bool (number (eval v u)) (number (eval v t))))
  | Add t u => Number (number (eval v t) + number (eval v u))
  | Mul t u => Number (number (eval v t) * number (eval v u))
  | IntDiv t k => Number (inject_Z (quotient (number (eval v t)) k))
  | Mod t k =>
      let q := number (eval v t) in
      Number (q - inject_Z k * inject_Z (quotient q k))
  end.

Lemma quotient_spec q k : k <> 0%Z ->
  inject_Z k * inject_Z (quotient q k) <= q /\
  q < inject_Z k * inject_Z (quotient q k) + inject_Z (Z.abs k).
Proof.
  intros H. unfold quotient.
  assert (A : (0 < Z.abs k)%Z) by (apply Z.abs_pos; exact H).
  assert (P : 0 < inject_Z (Z.abs k)) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact A).
  set (n := Qfloor (q / inject_Z (Z.abs k))).
  assert (E : inject_Z k * inject_Z (Z.sgn k * n) == inject_Z (Z.abs k) * inject_Z n).
  { rewrite <- !inject_Z_mult.
    replace (k * (Z.sgn k * n))%Z with (Z.abs k * n)%Z; [reflexivity|].
    destruct k; cbn [Z.abs Z.sgn]; ring_simplify; try reflexivity; rewrite ?Pos2Z.opp_pos; auto;
    try (change (Z.neg p) with (- Z.pos p)%Z; ring). }
  rewrite E.
  pose proof (Qfloor_le (q / inject_Z (Z.abs k))) as L. fold n in L.
  pose proof (Qlt_floor (q / inject_Z (Z.abs k))) as U. fold n in U.
  split.
  - apply (Qmult_le_l _ _ _ P) in L. rewrite Qmult_div_r in L; [exact L|].
    intros Z. rewrite Z in P. apply Qlt_irrefl in P. exact P.
  - apply (Qmult_lt_l _ _ _ P) in U. rewrite Qmult_div_r in U.
    + rewrite inject_Z_plus in U. rewrite Qmult_plus_distr_r, Qmult_1_r in U. exact U.
    + intros Z. rewrite Z in P. apply Qlt_irrefl in P. exact P.
Qed.
