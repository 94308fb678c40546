(** From tables of terms to formulas.

    A table has one node for each different sub-term; a node refers to nodes before it. So each sub-term is brought into normal form once,
    and nothing recurs over terms. The rules are those of PROOFS.md. *)

From Coq Require Import ZArith QArith Qround List Bool Lia FMapPositive.
From Slabcert Require Import Terms Formulas Tightening Connectives.
Import ListNotations.

Module Map := PositiveMap.

(** * Integer parts *)

(** The integer part of an expression divided by an integer. *)
Record part := Part { dividend : linear; divisor : Z }.

(** The integer variable that stands for the integer part with the number. *)
Definition part_variable (n : positive) : positive := xI (xI (xI n)).

Fixpoint find_part (parts : list part) (n : positive) (l : linear) (k : Z) : option positive :=
  match parts with
  | [] => None
  | p :: parts =>
      if Z.eqb (divisor p) k && linear_eqb (dividend p) l then Some n else find_part parts (Pos.succ n) l k
  end.

(** The variables of integer parts, numbered from [n], have the values of integer parts. *)
Fixpoint defined (v : valuation) (n : positive) (parts : list part) : Prop :=
  match parts with
  | [] => True
  | p :: parts =>
      ints v (part_variable n) = quotient (eval_linear v (dividend p)) (divisor p) /\
      defined v (Pos.succ n) parts
  end.

Lemma find_part_ok v parts l k m : forall n, defined v n parts -> find_part parts n l k = Some m ->
  ints v (part_variable m) = quotient (eval_linear v l) k.
Proof.
  induction parts as [|p parts IH]; intros n D F; [discriminate|]. cbn in D, F. destruct D as [D E].
  destruct (Z.eqb (divisor p) k && linear_eqb (dividend p) l) eqn:M; [|eauto].
  apply andb_prop in M as [K L]. apply Z.eqb_eq in K. apply linear_eqb_ok in L. inversion F; subst. exact D.
Qed.

(** * Numeric terms with cases *)

Inductive tree :=
| Leaf (l : linear)
| Cases (c : form) (t u : tree).

Fixpoint eval_tree (v : valuation) (t : tree) : Q :=
  match t with
  | Leaf l => eval_linear v l
  | Cases c t u => if holds v c then eval_tree v t else eval_tree v u
  end.

Fixpoint on_leaves (f : linear -> linear) (t : tree) : tree :=
  match t with
  | Leaf l => Leaf (f l)
  | Cases c t u => Cases c (on_leaves f t) (on_leaves f u)
  end.

Fixpoint add_trees (t u : tree) : tree :=
  match t with
  | Leaf l => on_leaves (add_linear l) u
  | Cases c t1 t2 => Cases c (add_trees t1 u) (add_trees t2 u)
  end.

Definition scale_tree (q : Q) (t : tree) : tree := on_leaves (scale_linear q) t.

Fixpoint compare_tree (t : tree) (r : relation) : form :=
  match t with
  | Leaf l => compare_linear l r
  | Cases c t u => choice c (compare_tree t r) (compare_tree u r)
  end.

(** Integer parts for the leaves: alone, or what they leave over. *)
Fixpoint divide_tree (parts : list part) (k : Z) (rest : bool) (t : tree) : option tree :=
  match t with
  | Leaf l =>
      match find_part parts 1 l k with
      | Some n =>
          let q := variable_linear (xO (part_variable n)) in
          Some (Leaf (if rest then add_linear l (scale_linear (inject_Z (- k)) q) else q))
      | None => None
      end
  | Cases c t u =>
      match divide_tree parts k rest t, divide_tree parts k rest u with
      | Some t, Some u => Some (Cases c t u)
      | _, _ => None
      end
  end.

Definition constant_tree (t : tree) : option Q :=
  match t with
  | Leaf (Linear [] k d) => Some (k # d)
  | _ => None
  end.

Definition multiply_trees (t u : tree) : option tree :=
  match constant_tree t, constant_tree u with
  | Some q, _ => Some (scale_tree q u)
  | None, Some q => Some (scale_tree q t)
  | None, None => None
  end.

Lemma on_leaves_ok v f g t : (forall l, eval_linear v (f l) == g (eval_linear v l)) ->
  eval_tree v (on_leaves f t) == g (eval_tree v t).
Proof.
  intros H. induction t as [l|c t IHt u IHu]; cbn; [apply H|]. destruct (holds v c); assumption.
Qed.

Lemma add_trees_ok v t u : eval_tree v (add_trees t u) == eval_tree v t + eval_tree v u.
Proof.
  induction t as [l|c t IHt t' IHt']; cbn.
  - apply (on_leaves_ok v (add_linear l) (fun x => eval_linear v l + x)). intros. apply add_linear_ok.
  - destruct (holds v c); assumption.
Qed.

Lemma scale_tree_ok v q t : eval_tree v (scale_tree q t) == q * eval_tree v t.
Proof. apply (on_leaves_ok v (scale_linear q) (fun x => q * x)). intros. apply scale_linear_ok. Qed.

Lemma compare_tree_ok v t r : holds v (compare_tree t r) = compares r (eval_tree v t) 0.
Proof.
  induction t as [l|c t IHt u IHu]; cbn; [apply compare_linear_ok|].
  rewrite choice_ok, IHt, IHu. destruct (holds v c); reflexivity.
Qed.

Lemma quotient_congr q q' k : q == q' -> quotient q k = quotient q' k.
Proof. intros E. unfold quotient. rewrite E. reflexivity. Qed.

Lemma divide_tree_ok v parts k rest t : defined v 1 parts -> forall u, divide_tree parts k rest t = Some u ->
  let q := inject_Z (quotient (eval_tree v t) k) in
  eval_tree v u == if rest then eval_tree v t - inject_Z k * q else q.
Proof.
  intros D. induction t as [l|c t IHt t' IHt']; intros u H; cbn in H.
  - destruct (find_part parts 1 l k) as [n|] eqn:F; [|discriminate]. inversion H; subst; clear H.
    apply (find_part_ok v) in F; [|exact D]. cbn [eval_tree]. destruct rest.
    + rewrite add_linear_ok, scale_linear_ok, variable_linear_ok. cbn [variable_value]. rewrite F, inject_Z_opp. ring.
    + rewrite variable_linear_ok. cbn [variable_value]. rewrite F. reflexivity.
  - destruct (divide_tree parts k rest t) as [x|]; [|discriminate].
    destruct (divide_tree parts k rest t') as [y|]; [|discriminate]. inversion H; subst; clear H.
    cbn [eval_tree]. destruct (holds v c); [apply IHt|apply IHt']; reflexivity.
Qed.

Lemma constant_tree_ok v t q : constant_tree t = Some q -> eval_tree v t == q.
Proof.
  destruct t as [[[|x s] k d]|]; try discriminate. intros H. inversion H; subst. cbn. unfold eval_linear. cbn.
  unfold Qeq, Qmult, Qplus, inject_Z. cbn [Qnum Qden]. lia.
Qed.

Lemma multiply_trees_ok v t u w : multiply_trees t u = Some w -> eval_tree v w == eval_tree v t * eval_tree v u.
Proof.
  unfold multiply_trees. destruct (constant_tree t) as [q|] eqn:T.
  - intros H. inversion H; subst. rewrite scale_tree_ok, (constant_tree_ok v t q T). reflexivity.
  - destruct (constant_tree u) as [q|] eqn:U; [|discriminate]. intros H. inversion H; subst.
    rewrite scale_tree_ok, (constant_tree_ok v u q U). ring.
Qed.

(** * Tables of terms *)

Inductive node :=
| NBool (b : bool)
| NNum (q : Q)
| NBoolVar (p : positive)
| NIntVar (p : positive)
| NRealVar (p : positive)
| NNot (t : positive)
| NAnd (l : list positive)
| NOr (l : list positive)
| NIte (c t u : positive)
| NEq (t u : positive)
| NLe (t u : positive)
| NLt (t u : positive)
| NAdd (t u : positive)
| NMul (t u : positive)
| NIntDiv (t : positive) (k : Z)
| NMod (t : positive) (k : Z).

Fixpoint look_up {A} (table : Map.t A) (l : list positive) : option (list A) :=
  match l with
  | [] => Some []
  | i :: l =>
      match Map.find i table, look_up table l with
      | Some x, Some l => Some (x :: l)
      | _, _ => None
      end
  end.

Definition with_one {A B} (table : Map.t A) (i : positive) (f : A -> option B) : option B :=
  match Map.find i table with Some x => f x | None => None end.

Definition with_two {A B} (table : Map.t A) (i j : positive) (f : A -> A -> option B) : option B :=
  with_one table i (fun x => with_one table j (f x)).

Definition term_of (table : Map.t term) (n : node) : option term :=
  match n with
  | NBool b => Some (Bool b)
  | NNum q => Some (Num q)
  | NBoolVar p => Some (BoolVar p)
  | NIntVar p => Some (IntVar p)
  | NRealVar p => Some (RealVar p)
  | NNot t => with_one table t (fun t => Some (Not t))
  | NAnd l => option_map And (look_up table l)
  | NOr l => option_map Or (look_up table l)
  | NIte c t u => with_one table c (fun c => with_two table t u (fun t u => Some (Ite c t u)))
  | NEq t u => with_two table t u (fun t u => Some (Eq t u))
  | NLe t u => with_two table t u (fun t u => Some (Le t u))
  | NLt t u => with_two table t u (fun t u => Some (Lt t u))
  | NAdd t u => with_two table t u (fun t u => Some (Add t u))
  | NMul t u => with_two table t u (fun t u => Some (Mul t u))
  | NIntDiv t k => with_one table t (fun t => Some (IntDiv t k))
  | NMod t k => with_one table t (fun t => Some (Mod t k))
  end.

(** What a term is brought to. *)
Inductive entry :=
| Formula (f : form)
| Numeric (t : tree).

Definition compare_entries (x y : entry) (r : relation) : option entry :=
  match x, y with
  | Numeric t, Numeric u => Some (Formula (compare_tree (add_trees t (scale_tree (inject_Z (-1)) u)) r))
  | _, _ => None
  end.

Fixpoint formulas_of (l : list entry) : option (list form) :=
  match l with
  | [] => Some []
  | Formula f :: l => option_map (cons f) (formulas_of l)
  | _ => None
  end.

Definition formulas_at (table : Map.t entry) (l : list positive) : option (list form) :=
  match look_up table l with Some l => formulas_of l | None => None end.

Definition divide_entry (parts : list part) (k : Z) (rest : bool) (x : entry) : option entry :=
  match x with
  | Numeric t => option_map Numeric (divide_tree parts k rest t)
  | Formula _ => None
  end.

Definition choose_entries (c x y : entry) : option entry :=
  match c, x, y with
  | Formula c, Formula f, Formula g => Some (Formula (choice c f g))
  | Formula c, Numeric t, Numeric u => Some (Numeric (Cases c t u))
  | _, _, _ => None
  end.

Definition equate_entries (x y : entry) : option entry :=
  match x, y with
  | Formula f, Formula g => Some (Formula (equivalence f g))
  | _, _ => compare_entries x y EQ
  end.

Definition negate_entry (x : entry) : option entry :=
  match x with Formula f => Some (Formula (complement f)) | Numeric _ => None end.

Definition add_entries (x y : entry) : option entry :=
  match x, y with Numeric t, Numeric u => Some (Numeric (add_trees t u)) | _, _ => None end.

Definition multiply_entries (x y : entry) : option entry :=
  match x, y with Numeric t, Numeric u => option_map Numeric (multiply_trees t u) | _, _ => None end.

(** The normal form of a node whose variables are renamed. *)
Definition entry_of (rename : positive -> positive) (parts : list part) (table : Map.t entry) (n : node) : option entry :=
  match n with
  | NBool b => Some (Formula (constant b))
  | NNum q => Some (Numeric (Leaf (constant_linear q)))
  | NBoolVar p => Some (Formula (Lit (rename p) true))
  | NIntVar p => Some (Numeric (Leaf (variable_linear (xO (rename p)))))
  | NRealVar p => Some (Numeric (Leaf (variable_linear (xI (rename p)))))
  | NNot t => with_one table t negate_entry
  | NAnd l => option_map (fun l => Formula (conjunction l)) (formulas_at table l)
  | NOr l => option_map (fun l => Formula (disjunction l)) (formulas_at table l)
  | NIte c t u => with_one table c (fun c => with_two table t u (choose_entries c))
  | NEq t u => with_two table t u equate_entries
  | NLe t u => with_two table t u (fun x y => compare_entries x y LE)
  | NLt t u => with_two table t u (fun x y => compare_entries x y LT)
  | NAdd t u => with_two table t u add_entries
  | NMul t u => with_two table t u multiply_entries
  | NIntDiv t k => with_one table t (divide_entry parts k false)
  | NMod t k => with_one table t (divide_entry parts k true)
  end.

(** [w] gives each variable the value that [v] gives the renamed one. *)
Definition renames (rename : positive -> positive) (v w : valuation) : Prop :=
  (forall p, ints w p = ints v (rename p)) /\
  (forall p, reals w p = reals v (rename p)) /\
  (forall p, bools w p = bools v (rename p)).

Definition represents (v : valuation) (x : entry) (y : value) : Prop :=
  match x, y with
  | Formula f, Truth b => holds v f = b
  | Numeric t, Number q => eval_tree v t == q
  | _, _ => False
  end.

(** Every entry has with [v] the value that its term has with [w]. *)
Definition agrees (v w : valuation) (entries : Map.t entry) (terms : Map.t term) : Prop :=
  forall i x, Map.find i entries = Some x ->
    exists t, Map.find i terms = Some t /\ represents v x (eval w t).

Section Agreement.
  Variables (rename : positive -> positive) (v w : valuation) (parts : list part).
  Variables (entries : Map.t entry) (terms : Map.t term).
  Hypothesis names : renames rename v w.
  Hypothesis parts_defined : defined v 1 parts.
  Hypothesis agree : agrees v w entries terms.
  Let val := eval w.

  Lemma with_one_inv {B} i (f : entry -> option B) b : with_one entries i f = Some b ->
    exists x t, f x = Some b /\ represents v x (val t) /\ forall C (g : term -> option C), with_one terms i g = g t.
  Proof.
    unfold with_one. destruct (Map.find i entries) as [x|] eqn:X; [|discriminate]. intros H.
    destruct (agree i x X) as [t [T R]]. exists x, t. repeat split; auto. intros. rewrite T. reflexivity.
  Qed.

  Lemma with_two_inv {B} i j (f : entry -> entry -> option B) b : with_two entries i j f = Some b ->
    exists x y t u, f x y = Some b /\ represents v x (val t) /\ represents v y (val u) /\
      forall C (g : term -> term -> option C), with_two terms i j g = g t u.
  Proof.
    unfold with_two. intros H. apply with_one_inv in H as (x & t & H & T & G).
    apply with_one_inv in H as (y & u & H & U & G'). exists x, y, t, u. repeat split; auto.
    intros. rewrite G, G'. reflexivity.
  Qed.

  Lemma formulas_at_inv l : forall fs, formulas_at entries l = Some fs ->
    exists ts, look_up terms l = Some ts /\
      forallb (fun t => truth (val t)) ts = forallb (holds v) fs /\
      existsb (fun t => truth (val t)) ts = existsb (holds v) fs.
  Proof.
    unfold formulas_at. induction l as [|i l IH]; intros fs H; cbn in H.
    - inversion H; subst. exists []. repeat split.
    - destruct (Map.find i entries) as [x|] eqn:X; [|discriminate].
      destruct (look_up entries l) as [xs|]; [|discriminate]. cbn in H.
      destruct x as [f|t]; [|discriminate].
      destruct (formulas_of xs) as [gs|]; [|discriminate]. inversion H; subst; clear H.
      destruct (IH gs eq_refl) as (ts & L & A & O). destruct (agree i _ X) as (t & T & R).
      exists (t :: ts). cbn. rewrite T, L. split; [reflexivity|].
      unfold val in *. destruct (eval w t) as [b|q]; [|contradiction]. cbn in R.
      cbn [truth]. rewrite <- R, A, O. split; reflexivity.
  Qed.

  Lemma compare_entries_ok x y r z a b : compare_entries x y r = Some z -> represents v x a -> represents v y b ->
    exists f, z = Formula f /\ holds v f = compares r (number a) (number b).
  Proof.
    destruct x as [|t], y as [|u]; try discriminate. intros H A B. inversion H; subst. eexists. split; [reflexivity|].
    rewrite compare_tree_ok. destruct a, b; try contradiction. cbn in A, B. cbn [number].
    assert (E : eval_tree v (add_trees t (scale_tree (inject_Z (-1)) u)) == q - q0).
    { rewrite add_trees_ok, scale_tree_ok, A, B. change (inject_Z (-1)) with (-(1)). ring. }
    rewrite (compares_congr r _ _ _ _ E (Qeq_refl 0)).
    assert (L : forall c d, Qle_bool (c - d) 0 = Qle_bool c d).
    { intros. apply eq_true_iff_eq. rewrite !Qle_bool_iff. rewrite <- (Qplus_le_l (c - d) 0 d).
      assert (X : c - d + d == c) by ring. assert (Y : 0 + d == d) by ring. rewrite X, Y. reflexivity. }
    assert (M : forall c d, Qle_bool 0 (c - d) = Qle_bool d c).
    { intros. apply eq_true_iff_eq. rewrite !Qle_bool_iff. rewrite <- (Qplus_le_l 0 (c - d) d).
      assert (X : c - d + d == c) by ring. assert (Y : 0 + d == d) by ring. rewrite X, Y. reflexivity. }
    assert (N : forall c d, Qeq_bool (c - d) 0 = Qeq_bool c d).
    { intros. apply eq_true_iff_eq. rewrite !Qeq_bool_iff. rewrite <- (Qplus_inj_r (c - d) 0 d).
      assert (X : c - d + d == c) by ring. assert (Y : 0 + d == d) by ring. rewrite X, Y. reflexivity. }
    destruct r; cbn [compares]; rewrite ?L, ?M, ?N; reflexivity.
  Qed.

  Ltac known H G := rewrite G; eexists; split; [reflexivity|]; unfold val in *; cbn [eval].

  Lemma entry_of_ok n z : entry_of rename parts entries n = Some z ->
    exists t, term_of terms n = Some t /\ represents v z (val t).
  Proof.
    destruct n; cbn [entry_of term_of]; intros H.
    - inversion H; subst. eexists. split; [reflexivity|]. apply holds_constant.
    - inversion H; subst. eexists. split; [reflexivity|]. apply constant_linear_ok.
    - inversion H; subst. eexists. split; [reflexivity|]. destruct names as (_ & _ & N). cbn. rewrite N.
      destruct (bools v (rename p)); reflexivity.
    - inversion H; subst. eexists. split; [reflexivity|]. destruct names as (N & _ & _). cbn. rewrite N. apply variable_linear_ok.
    - inversion H; subst. eexists. split; [reflexivity|]. destruct names as (_ & N & _). cbn. rewrite N. apply variable_linear_ok.
    - apply with_one_inv in H as (x & u & H & R & G). known H G.
      destruct x as [f|]; [|discriminate]. inversion H; subst. cbn.
      destruct (eval w u); [|contradiction]. cbn in R. rewrite complement_ok, R. reflexivity.
    - destruct (formulas_at entries l) as [fs|] eqn:F; [|discriminate]. inversion H; subst.
      apply formulas_at_inv in F as (ts & L & A & _). rewrite L. eexists. split; [reflexivity|].
      unfold val in *. cbn. rewrite conjunction_ok. symmetry. exact A.
    - destruct (formulas_at entries l) as [fs|] eqn:F; [|discriminate]. inversion H; subst.
      apply formulas_at_inv in F as (ts & L & _ & O). rewrite L. eexists. split; [reflexivity|].
      unfold val in *. cbn. rewrite disjunction_ok. symmetry. exact O.
    - apply with_one_inv in H as (x & a & H & R & G). apply with_two_inv in H as (y & y' & b & b' & H & S & S' & G').
      rewrite G, G'. eexists. split; [reflexivity|]. unfold val in *. cbn [eval].
      destruct x as [f|]; [|discriminate]. destruct (eval w a) as [c'|]; [|contradiction]. cbn in R. cbn [truth].
      destruct y, y'; try discriminate; inversion H; subst; cbn.
      + rewrite choice_ok. destruct (eval w b), (eval w b'); try contradiction.
        cbn in S, S'. destruct (holds v f); assumption.
      + destruct (holds v f); assumption.
    - apply with_two_inv in H as (x & y & a & b & H & R & S & G). known H G.
      destruct x, y; try discriminate.
      + inversion H; subst. cbn. rewrite equivalence_ok.
        destruct (eval w a), (eval w b); try contradiction. cbn in R, S. rewrite R, S. reflexivity.
      + apply (compare_entries_ok _ _ _ _ _ _ H R) in S as E. destruct E as (f & -> & E). cbn. rewrite E.
        destruct (eval w a), (eval w b); try contradiction. reflexivity.
    - apply with_two_inv in H as (x & y & a & b & H & R & S & G). known H G.
      destruct (compare_entries_ok _ _ _ _ _ _ H R S) as (f & -> & E). exact E.
    - apply with_two_inv in H as (x & y & a & b & H & R & S & G). known H G.
      destruct (compare_entries_ok _ _ _ _ _ _ H R S) as (f & -> & E). exact E.
    - apply with_two_inv in H as (x & y & a & b & H & R & S & G). known H G.
      destruct x, y; try discriminate. inversion H; subst. cbn. rewrite add_trees_ok.
      destruct (eval w a), (eval w b); try contradiction. cbn in R, S. rewrite R, S. reflexivity.
    - apply with_two_inv in H as (x & y & a & b & H & R & S & G). known H G.
      destruct x, y; try discriminate. cbn in H. destruct (multiply_trees t0 t1) as [y|] eqn:M; [|discriminate].
      inversion H; subst. cbn. rewrite (multiply_trees_ok v _ _ _ M).
      destruct (eval w a), (eval w b); try contradiction. cbn in R, S. rewrite R, S. reflexivity.
    - apply with_one_inv in H as (x & a & H & R & G). known H G.
      destruct x as [|x]; [discriminate|]. cbn in H. destruct (divide_tree parts k false x) as [y|] eqn:D; [|discriminate].
      inversion H; subst. cbn. rewrite (divide_tree_ok v parts k false x parts_defined y D).
      destruct (eval w a); [contradiction|]. cbn in R. cbn [number].
      rewrite (quotient_congr _ _ k R). reflexivity.
    - apply with_one_inv in H as (x & a & H & R & G). known H G.
      destruct x as [|x]; [discriminate|]. cbn in H. destruct (divide_tree parts k true x) as [y|] eqn:D; [|discriminate].
      inversion H; subst. cbn. rewrite (divide_tree_ok v parts k true x parts_defined y D).
      destruct (eval w a); [contradiction|]. cbn in R. cbn [number].
      rewrite (quotient_congr _ _ k R), R. reflexivity.
  Qed.
End Agreement.

(** Tables from nodes, which are numbered from [n]; what is not well-formed is left out. *)
Fixpoint table_of {A} (make : Map.t A -> node -> option A) (n : positive) (table : Map.t A) (nodes : list node) : Map.t A :=
  match nodes with
  | [] => table
  | x :: nodes =>
      table_of make (Pos.succ n) (match make table x with Some y => Map.add n y table | None => table end) nodes
  end.

Definition terms_of (nodes : list node) : Map.t term := table_of term_of 1 (Map.empty _) nodes.

Definition entries_of (rename : positive -> positive) (parts : list part) (nodes : list node) : Map.t entry :=
  table_of (entry_of rename parts) 1 (Map.empty _) nodes.

Lemma table_agrees rename v w parts nodes : renames rename v w -> defined v 1 parts -> forall n entries terms,
  (forall i x, Map.find i entries = Some x -> (i < n)%positive) ->
  agrees v w entries terms ->
  agrees v w (table_of (entry_of rename parts) n entries nodes) (table_of term_of n terms nodes).
Proof.
  intros R0 D. induction nodes as [|x nodes IH]; intros n entries terms B A; [exact A|]. cbn [table_of].
  destruct (entry_of rename parts entries x) as [y|] eqn:Y.
  - destruct (entry_of_ok rename v w parts entries terms R0 D A x y Y) as (t & T & R). rewrite T. apply IH.
    + intros i z F. destruct (Pos.eq_dec i n) as [->|N]; [lia|]. rewrite Map.gso in F by exact N. apply B in F. lia.
    + intros i z F. destruct (Pos.eq_dec i n) as [->|N].
      * rewrite Map.gss in *. inversion F; subst. eauto.
      * rewrite Map.gso in * by exact N. apply A. exact F.
  - apply IH.
    + intros i z F. apply B in F. lia.
    + intros i z F. destruct (A i z F) as (u & U & R). exists u. split; [|exact R].
      destruct (term_of terms x) as [t|]; [|exact U]. rewrite Map.gso; [exact U|]. apply B in F. lia.
Qed.

Lemma entries_agree rename v w parts nodes : renames rename v w -> defined v 1 parts ->
  agrees v w (entries_of rename parts nodes) (terms_of nodes).
Proof.
  intros names D. apply (table_agrees rename); [exact names|exact D| |]; intros i x F; rewrite Map.gempty in F; discriminate.
Qed.
