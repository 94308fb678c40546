(** Verification diagrams, and what must hold for them to prove that a system is safe.

    The obligations are stated here, from the system and the diagrams; data that claims to be a certificate can leave none out. *)

From Coq Require Import ZArith QArith List Bool Lia FMapPositive.
From Slabcert Require Import Terms Systems Formulas Tightening Connectives Normalise.
Import ListNotations.

(** A node is a conjunction of terms about a state; to each transition belong the nodes (from 1) that a step of it may lead to. *)
Record diagram := Diagram {
  nodes : list (list positive * list (list positive));
  (** The diagrams (from 1) whose invariants may be assumed before a step. *)
  assumes : list positive
}.

Record certificate := Certificate {
  (** Terms about a state, and terms about a step and its inputs. *)
  state_terms : list node;
  step_terms : list node;
  (** The integer parts of the obligations. *)
  parts : list part;
  initial : positive;
  step : positive;
  wanted : list positive;
  (** The named transitions, of which each step must be one. *)
  transitions : list positive;
  diagrams : list diagram;
  (** For each property the diagrams (from 1) whose invariants exclude a violation. *)
  claims : list (list positive)
}.

Definition system_of (c : certificate) : option system :=
  match Map.find (initial c) (terms_of (state_terms c)) with
  | None => None
  | Some i =>
      let table := terms_of (step_terms c) in
      match Map.find (step c) table, look_up table (wanted c) with
      | Some t, Some ps => Some (System i t ps)
      | _, _ => None
      end
  end.

(** * Obligations *)

Inductive kind :=
| Cover
| Initiation (diagram : N)
| Consecution (diagram node transition : N)
| Safety (property node : N).

(** Formulas that do not hold together; [None] is a formula that cannot be stated. *)
Record obligation := Obligation { about : kind; hypotheses : list (option form) }.

Fixpoint numbered {A} (n : N) (l : list A) : list (N * A) :=
  match l with [] => [] | x :: l => (n, x) :: numbered (N.succ n) l end.

Fixpoint map_from {A} (n : positive) (l : list A) : Map.t A :=
  match l with [] => Map.empty _ | x :: l => Map.add n x (map_from (Pos.succ n) l) end.

Definition pick {A} (m : Map.t (option A)) (i : positive) : option A :=
  match Map.find i m with Some x => x | None => None end.

Definition formula_at (table : Map.t entry) (i : positive) : option form :=
  match Map.find i table with Some (Formula f) => Some f | _ => None end.

Definition label (table : Map.t entry) (l : list positive) : option form :=
  option_map conjunction (formulas_at table l).

Fixpoint all_some {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | Some x :: l => option_map (cons x) (all_some l)
  | None :: _ => None
  end.

Definition labels (table : Map.t entry) (d : diagram) : list (option form) :=
  map (fun n => label table (fst n)) (nodes d).

Definition invariant (table : Map.t entry) (d : diagram) : option form :=
  option_map disjunction (all_some (labels table d)).

Definition negated (f : option form) : option form := option_map complement f.

Fixpoint consecution (d n t : N) (before : list (option form)) (after : Map.t (option form))
    (relations : list (option form)) (successors : list (list positive)) : list obligation :=
  match relations with
  | [] => []
  | r :: relations =>
      Obligation (Consecution d n t) (before ++ r :: map (fun j => negated (pick after j)) (hd [] successors)) ::
      consecution d n (N.succ t) before after relations (tl successors)
  end.

Definition of_diagram (before after : Map.t entry) (start : option form) (invariants : Map.t (option form))
    (relations : list (option form)) (x : N * diagram) : list obligation :=
  let (d, x) := x in
  let labels_before := labels before x in
  let labels_after := map_from 1 (labels after x) in
  let assumed := map (pick invariants) (assumes x) in
  Obligation (Initiation d) (start :: map negated labels_before) ::
  flat_map (fun y => consecution d (fst y) 0 (assumed ++ [fst (snd y)]) labels_after relations (snd (snd y)))
    (numbered 0 (combine labels_before (map snd (nodes x)))).

Definition of_claim (before : Map.t entry) (all : Map.t diagram) (invariants : Map.t (option form))
    (p : N) (property : option form) (claim : list positive) : list obligation :=
  let impossible := [Obligation (Safety p 0) [None]] in
  match claim with
  | [] => impossible
  | first :: others =>
      match Map.find first all with
      | None => impossible
      | Some d =>
          map (fun y => Obligation (Safety p (fst y)) (snd y :: map (pick invariants) others ++ [negated property]))
            (numbered 0 (labels before d))
      end
  end.

Fixpoint of_claims (before : Map.t entry) (all : Map.t diagram) (invariants : Map.t (option form))
    (p : N) (properties : list (option form)) (claims : list (list positive)) : list obligation :=
  match properties with
  | [] => []
  | property :: properties =>
      of_claim before all invariants p property (hd [] claims) ++
      of_claims before all invariants (N.succ p) properties (tl claims)
  end.

(** Whether anything refers to the invariant of a diagram as a whole. *)
Definition uses_invariants (c : certificate) : bool :=
  existsb (fun d => match assumes d with [] => false | _ => true end) (diagrams c) ||
  existsb (fun l => match l with _ :: _ :: _ => true | _ => false end) (claims c).

(** Variables of a step keep their names; there are no variables for integer parts in terms. *)
Definition own (p : positive) : positive := match p with xI (xI (xI _)) => xH | _ => p end.

Definition obligations (c : certificate) : list obligation :=
  let before := entries_of now (parts c) (state_terms c) in
  let after := entries_of next (parts c) (state_terms c) in
  let steps := entries_of own (parts c) (step_terms c) in
  let relations := map (formula_at steps) (transitions c) in
  let start := formula_at before (initial c) in
  let invariants :=
    if uses_invariants c then map_from 1 (map (invariant before) (diagrams c)) else Map.empty _ in
  Obligation Cover (formula_at steps (step c) :: map negated relations) ::
  flat_map (of_diagram before after start invariants relations) (numbered 0 (diagrams c)) ++
  of_claims before (map_from 1 (diagrams c)) invariants 0 (map (formula_at steps) (wanted c)) (claims c).

(** * What refuted obligations mean *)

Definition refuted (v : valuation) (o : obligation) : Prop :=
  (forall f, In f (hypotheses o) -> f <> None) /\
  exists f, In (Some f) (hypotheses o) /\ holds v f = false.

(** The values around a step, and of integer parts. *)
Definition around (s s' i : valuation) (q : positive -> Z) : valuation := {|
  ints := fun p => match p with xI (xI (xI n)) => q n | _ => joined 0%Z (ints s) (ints s') (ints i) p end;
  reals := joined 0%Q (reals s) (reals s') (reals i);
  bools := joined false (bools s) (bools s') (bools i)
|}.

Lemma renames_now s s' i q : renames now (around s s' i q) s.
Proof. repeat split. Qed.

Lemma renames_next s s' i q : renames next (around s s' i q) s'.
Proof. repeat split. Qed.

Lemma renames_own s s' i q : renames own (around s s' i q) (step_valuation s s' i).
Proof. repeat split; intros [[[p|p|]|[p|p|]|]|p|]; reflexivity. Qed.

(** ** Integer parts have values *)

Definition mentions_below (n : positive) (s : sum) : bool :=
  forallb (fun x => match fst x with xO (xI (xI (xI m))) => (m <? n)%positive | _ => true end) s.

(** Integer parts are of expressions about earlier ones. *)
Fixpoint ordered (n : positive) (parts : list part) : bool :=
  match parts with
  | [] => true
  | p :: parts => mentions_below n (terms (dividend p)) && ordered (Pos.succ n) parts
  end.

Section Values.
  Variables s s' i : valuation.

  Fixpoint values (n : positive) (parts : list part) (q : positive -> Z) : positive -> Z :=
    match parts with
    | [] => q
    | p :: parts =>
        let x := quotient (eval_linear (around s s' i q) (dividend p)) (divisor p) in
        values (Pos.succ n) parts (fun m => if Pos.eqb m n then x else q m)
    end.

  Lemma values_below parts : forall n q m, (m < n)%positive -> values n parts q m = q m.
  Proof.
    induction parts as [|p parts IH]; intros n q m L; [reflexivity|]. cbn. rewrite IH by lia.
    destruct (Pos.eqb_spec m n); [lia|reflexivity].
  Qed.

  Lemma eval_sum_below n q q' x : mentions_below n x = true -> (forall m, (m < n)%positive -> q m = q' m) ->
    eval_sum (around s s' i q) x = eval_sum (around s s' i q') x.
  Proof.
    intros B E. induction x as [|[p k] x IH]; [reflexivity|]. cbn in B. apply andb_prop in B as [B1 B2].
    cbn [eval_sum]. rewrite (IH B2). f_equal. f_equal.
    destruct p as [p|[[[p|p|]|[p|p|]|]|[p|p|]|]|]; cbn; try reflexivity. rewrite E; [reflexivity|]. apply Pos.ltb_lt. exact B1.
  Qed.

  Lemma values_defined parts : forall n q, ordered n parts = true -> defined (around s s' i (values n parts q)) n parts.
  Proof.
    induction parts as [|p parts IH]; intros n q O; [exact I|]. cbn in O. apply andb_prop in O as [B O].
    cbn [defined values]. split; [|apply IH; exact O].
    set (x := quotient (eval_linear (around s s' i q) (dividend p)) (divisor p)).
    set (q' := fun m => if Pos.eqb m n then x else q m). cbn [ints around part_variable].
    rewrite values_below by lia. unfold q' at 1. rewrite Pos.eqb_refl. unfold x. f_equal. unfold eval_linear. f_equal. f_equal.
    apply (eval_sum_below n); [exact B|]. intros m L. rewrite values_below by lia. unfold q'.
    destruct (Pos.eqb_spec m n); [lia|reflexivity].
  Qed.
End Values.

(** ** The argument *)

Lemma find_map_from {A} (l : list A) : forall n i x, Map.find i (map_from n l) = Some x -> In x l.
Proof.
  induction l as [|y l IH]; intros n i x F; cbn in F.
  - rewrite Map.gempty in F. discriminate.
  - destruct (Pos.eq_dec i n) as [->|N].
    + rewrite Map.gss in F. inversion F. left. reflexivity.
    + rewrite Map.gso in F by exact N. right. eapply IH. exact F.
Qed.

Lemma pick_map_from {A} (l : list (option A)) n i x : pick (map_from n l) i = Some x -> In (Some x) l.
Proof.
  unfold pick. destruct (Map.find i (map_from n l)) as [y|] eqn:F; [|discriminate]. intros ->. eapply find_map_from. exact F.
Qed.

Lemma in_numbered {A} (l : list A) : forall n x, In x l -> exists k, In (k, x) (numbered n l).
Proof.
  induction l as [|y l IH]; intros n x []; cbn.
  - subst. eauto.
  - destruct (IH (N.succ n) x H) as [k K]. eauto.
Qed.

Lemma all_some_in {A} (l : list (option A)) : forall m, all_some l = Some m -> l = map Some m.
Proof.
  induction l as [|[x|] l IH]; intros m H; cbn in H; try discriminate.
  - inversion H. reflexivity.
  - destruct (all_some l) as [t|]; [|discriminate]. inversion H; subst. cbn. rewrite (IH t eq_refl). reflexivity.
Qed.

(** The label of a node in a state. *)
Definition label_holds (table : Map.t term) (s : valuation) (l : list positive) : bool :=
  match look_up table l with
  | Some ts => forallb (fun t => truth (eval s t)) ts
  | None => false
  end.

Lemma label_ok v w entries terms l f : agrees v w entries terms -> label entries l = Some f ->
  holds v f = label_holds terms w l.
Proof.
  intros A. unfold label, label_holds. destruct (formulas_at entries l) as [fs|] eqn:F; [|discriminate].
  intros H. inversion H; subst. rewrite conjunction_ok.
  destruct (formulas_at_inv v w entries terms A l fs F) as (ts & -> & E & _). symmetry. exact E.
Qed.

Lemma formula_at_ok v w entries terms i f t : agrees v w entries terms -> formula_at entries i = Some f ->
  Map.find i terms = Some t -> holds v f = truth (eval w t).
Proof.
  intros A. unfold formula_at. destruct (Map.find i entries) as [[g|]|] eqn:F; try discriminate. intros H T.
  inversion H; subst. destruct (A i _ F) as (u & U & R). rewrite T in U. inversion U; subst.
  cbn in R. destruct (eval w u); [exact R|contradiction].
Qed.

Section Argument.
  Variables (c : certificate) (S : system).
  Hypothesis system_ok : system_of c = Some S.
  Hypothesis parts_ordered : ordered 1 (parts c) = true.
  Hypothesis all_refuted : forall v, defined v 1 (parts c) -> forall o, In o (obligations c) -> refuted v o.

  Let state_table := terms_of (state_terms c).
  Let step_table := terms_of (step_terms c).

  Definition in_diagram (s : valuation) (d : diagram) : Prop :=
    exists n, In n (nodes d) /\ label_holds state_table s (fst n) = true.

  Definition invariant_holds (s : valuation) : Prop := forall d, In d (diagrams c) -> in_diagram s d.

  Section Step.
    Variables s s' i : valuation.
    Let v := around s s' i (values s s' i 1 (parts c) (fun _ => 0%Z)).
    Let before := entries_of now (parts c) (state_terms c).
    Let after := entries_of next (parts c) (state_terms c).
    Let steps := entries_of own (parts c) (step_terms c).
    Let invariants :=
      if uses_invariants c then map_from 1 (map (invariant before) (diagrams c)) else Map.empty _.
    Let relations := map (formula_at steps) (transitions c).
    Let start := formula_at before (initial c).

    Lemma v_defined : defined v 1 (parts c).
    Proof. apply values_defined. exact parts_ordered. Qed.

    Lemma before_agrees : agrees v s before state_table.
    Proof. apply entries_agree; [apply renames_now|exact v_defined]. Qed.

    Lemma after_agrees : agrees v s' after state_table.
    Proof. apply entries_agree; [apply renames_next|exact v_defined]. Qed.

    Lemma steps_agree : agrees v (step_valuation s s' i) steps step_table.
    Proof. apply entries_agree; [apply renames_own|exact v_defined]. Qed.

    Lemma refuted_here o : In o (obligations c) -> refuted v o.
    Proof. apply all_refuted. exact v_defined. Qed.

    Lemma system_parts : exists t ps,
      Map.find (initial c) state_table = Some (init S) /\ Map.find (step c) step_table = Some t /\
      look_up step_table (wanted c) = Some ps /\ trans S = t /\ properties S = ps.
    Proof.
      unfold system_of in system_ok. fold state_table step_table in system_ok.
      destruct (Map.find (initial c) state_table) as [j|]; [|discriminate].
      destruct (Map.find (step c) step_table) as [t|]; [|discriminate].
      destruct (look_up step_table (wanted c)) as [ps|]; [|discriminate].
      inversion system_ok. exists t, ps. repeat split; reflexivity.
    Qed.

    Lemma invariant_ok d f : invariant before d = Some f -> in_diagram s d -> holds v f = true.
    Proof.
      unfold invariant, labels. intros H (n & I & L).
      destruct (all_some _) as [fs|] eqn:E; [|discriminate]. inversion H; subst. apply all_some_in in E.
      rewrite disjunction_ok. apply existsb_exists.
      assert (M : In (label before (fst n)) (map (fun n => label before (fst n)) (nodes d))) by (apply (in_map (fun n => label before (fst n))); exact I).
      rewrite E in M. apply in_map_iff in M as (f & F & M). exists f. split; [exact M|].
      symmetry in F. rewrite (label_ok v s before state_table _ _ before_agrees F). exact L.
    Qed.

    Lemma pick_invariant j f : invariant_holds s -> pick invariants j = Some f -> holds v f = true.
    Proof.
      intros I P. subst invariants. destruct (uses_invariants c); [|unfold pick in P; rewrite Map.gempty in P; discriminate].
      apply pick_map_from in P. apply in_map_iff in P as (d & E & D). apply (invariant_ok d); [exact E|]. apply I. exact D.
    Qed.

    Lemma in_of_diagram d x o : In (d, x) (numbered 0 (diagrams c)) ->
      In o (of_diagram before after start invariants relations (d, x)) -> In o (obligations c).
    Proof.
      intros D O. right. apply in_or_app. left. apply in_flat_map. exists (d, x). split; [exact D|exact O].
    Qed.

    Lemma initiation_ok : truth (eval s (init S)) = true -> invariant_holds s.
    Proof.
      intros H x X. destruct (in_numbered _ 0%N x X) as [d D].
      assert (O := refuted_here _ (in_of_diagram d x _ D (or_introl eq_refl))).
      destruct O as (_ & f & [F|F] & V).
      - destruct system_parts as (t & ps & J & _). rewrite (formula_at_ok v s before state_table _ _ _ before_agrees F J) in V. congruence.
      - apply in_map_iff in F as (g & G & F). destruct g as [g|]; [|discriminate]. inversion G; subst.
        rewrite complement_ok, negb_false_iff in V. unfold labels in F. apply in_map_iff in F as (n & L & N).
        exists n. split; [exact N|]. rewrite <- (label_ok v s before state_table _ _ before_agrees L). exact V.
    Qed.

    Lemma cover_ok : truth (eval (step_valuation s s' i) (trans S)) = true ->
      exists r, In (Some r) relations /\ holds v r = true.
    Proof.
      intros H. destruct (refuted_here _ (or_introl eq_refl)) as (_ & f & [F|F] & V).
      - destruct system_parts as (t & ps & _ & T & _ & E & _). rewrite E in H.
        rewrite (formula_at_ok v _ steps step_table _ _ _ steps_agree F T) in V. congruence.
      - apply in_map_iff in F as ([r|] & G & F); [|discriminate]. inversion G; subst.
        rewrite complement_ok, negb_false_iff in V. eauto.
    Qed.

    Lemma in_consecution d n before' after' rs r : In r rs -> forall t successors, exists u succ,
      In (Obligation (Consecution d n u) (before' ++ r :: map (fun j => negated (pick after' j)) succ))
        (consecution d n t before' after' rs successors).
    Proof.
      induction rs as [|r' rs IH]; intros []; intros t successors; cbn [consecution].
      - subst. eexists. eexists. left. reflexivity.
      - destruct (IH H (N.succ t) (tl successors)) as (u & succ & I). eexists. eexists. right. exact I.
    Qed.

    Lemma in_combine_map {A B C} (f : A -> B) (g : A -> C) (l : list A) x :
      In x l -> In (f x, g x) (combine (map f l) (map g l)).
    Proof. induction l as [|y l IH]; intros []; cbn; [subst; left; reflexivity|right; auto]. Qed.

    Lemma consecution_ok : invariant_holds s -> truth (eval (step_valuation s s' i) (trans S)) = true -> invariant_holds s'.
    Proof.
      intros I H x X. destruct (cover_ok H) as (r & R & HR). destruct (in_numbered _ 0%N x X) as [d D].
      destruct (I x X) as (n & N & L).
      assert (M := in_combine_map (fun n => label before (fst n)) snd (nodes x) n N).
      destruct (in_numbered _ 0%N _ M) as [k K].
      set (assumed := map (pick invariants) (assumes x)).
      set (labels_after := map_from 1 (labels after x)).
      destruct (in_consecution d k (assumed ++ [label before (fst n)]) labels_after relations (Some r) R 0%N (snd n)) as (t & succ & O).
      assert (O' : In (Obligation (Consecution d k t)
          ((assumed ++ [label before (fst n)]) ++ Some r :: map (fun j => negated (pick labels_after j)) succ)) (obligations c)).
      { apply (in_of_diagram d x _ D). right. apply in_flat_map. eexists. split; [exact K|exact O]. }
      destruct (refuted_here _ O') as (_ & f & F & V). cbn [hypotheses] in F. rewrite <- app_assoc in F.
      apply in_app_or in F as [F|F]; [|cbn in F; destruct F as [F|[F|F]]].
      - apply in_map_iff in F as (j & P & _). rewrite (pick_invariant j f I P) in V. discriminate.
      - rewrite (label_ok v s before state_table _ _ before_agrees F), L in V. discriminate.
      - inversion F; subst. congruence.
      - apply in_map_iff in F as (j & P & _). destruct (pick labels_after j) as [g|] eqn:G; [|discriminate].
        inversion P; subst. rewrite complement_ok, negb_false_iff in V. apply pick_map_from in G.
        apply in_map_iff in G as (m & E & Y). exists m. split; [exact Y|].
        rewrite <- (label_ok v s' after state_table _ _ after_agrees E). exact V.
    Qed.

    Lemma in_of_claims all l f : In f l -> forall p cs, exists q cl, forall o,
      In o (of_claim before all invariants q f cl) -> In o (of_claims before all invariants p l cs).
    Proof.
      induction l as [|g l IH]; intros []; intros p cs; cbn [of_claims].
      - subst. eexists. eexists. intros o O. apply in_or_app. left. exact O.
      - destruct (IH H (N.succ p) (tl cs)) as (q & cl & E). exists q, cl. intros o O. apply in_or_app. right. apply E. exact O.
    Qed.

    Lemma look_up_in {A} (table : Map.t A) l : forall ts t, look_up table l = Some ts -> In t ts ->
      exists j, In j l /\ Map.find j table = Some t.
    Proof.
      induction l as [|j l IH]; intros ts t L T; cbn in L.
      - inversion L; subst. contradiction.
      - destruct (Map.find j table) as [u|] eqn:F; [|discriminate]. destruct (look_up table l) as [us|]; [|discriminate].
        inversion L; subst. destruct T as [->|T].
        + exists j. split; [left; reflexivity|exact F].
        + destruct (IH us t eq_refl T) as (k & K & E). exists k. split; [right; exact K|exact E].
    Qed.

    Lemma safety_ok p : invariant_holds s -> In p (properties S) -> truth (eval (step_valuation s s' i) p) = true.
    Proof.
      intros I P. destruct system_parts as (t & ps & _ & _ & L & _ & E). rewrite E in P.
      destruct (look_up_in _ _ _ _ L P) as (j & J & F).
      set (all := map_from 1 (diagrams c)).
      destruct (in_of_claims all (map (formula_at steps) (wanted c)) (formula_at steps j) (in_map _ _ _ J) 0%N (claims c)) as (q & cl & C).
      assert (O : forall o, In o (of_claim before all invariants q (formula_at steps j) cl) -> refuted v o).
      { intros o O. apply refuted_here. right. apply in_or_app. right. apply C. exact O. }
      unfold of_claim in O.
      destruct cl as [|first others].
      { destruct (O _ (or_introl eq_refl)) as (_ & f & [A|[]] & _). discriminate. }
      destruct (Map.find first all) as [d|] eqn:D.
      2: { destruct (O _ (or_introl eq_refl)) as (_ & f & [A|[]] & _). discriminate. }
      apply find_map_from in D. destruct (I d D) as (n & N & H).
      assert (M : In (label before (fst n)) (labels before d)) by (apply (in_map (fun n => label before (fst n))); exact N).
      destruct (in_numbered _ 0%N _ M) as [k K].
      destruct (O _ (in_map _ _ _ K)) as (_ & f & A & V). cbn [fst snd hypotheses] in A.
      destruct A as [A|A]; [|apply in_app_or in A as [A|[A|[]]]].
      - rewrite (label_ok v s before state_table _ _ before_agrees A), H in V. discriminate.
      - apply in_map_iff in A as (x & X & _). rewrite (pick_invariant x f I X) in V. discriminate.
      - destruct (formula_at steps j) as [g|] eqn:G; [|discriminate]. inversion A; subst.
        rewrite complement_ok, negb_false_iff in V.
        rewrite <- (formula_at_ok v _ steps step_table _ _ _ steps_agree G F). exact V.
    Qed.
  End Step.

  Theorem refuted_safe : safe S.
  Proof.
    intros s R (p & i & P & V).
    assert (I : invariant_holds s).
    { clear V. induction R as [s H|s s' j R IH T].
      - exact (initiation_ok s s s H).
      - exact (consecution_ok s s' j IH T). }
    rewrite (safety_ok s s i p I P) in V. discriminate.
  Qed.
End Argument.
