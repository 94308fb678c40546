(** Why a reduced diagram is a proof: its nodes may leave out transitions, and still no error is reachable.

    A node with a region follows only the transitions of the region's stubborn set. The others are *postponed*: a run to an error is
    changed, by moving a stubborn transition in front of the postponed ones before it, or by adding the key transition in front of a run
    that has no stubborn one, until the diagram follows it. A transition may *sleep* in a node: it is not followed there, since the runs in which
    it can move to the front were followed from a node before, where it comes first in a fixed order. The hypotheses of the first section are the obligations of a reduced diagram,
    one for one; those of the second say them for guarded commands with inputs, where they have no quantifier: these are what the checker
    asks. Invariants of other diagrams, which may be assumed, are [known]: they hold after every step, postponed or not. *)

From Coq Require Import List Arith Lia.
Import ListNotations.

Section Diagrams.

Variables (state transition node region : Type).
Variable initial : state -> Prop.
Variable step : transition -> state -> state -> Prop.
Variable violation : state -> Prop.

Inductive reached : state -> Prop :=
| reached_initially s : initial s -> reached s
| reached_by t s s' : reached s -> step t s s' -> reached s'.

(** The diagram: what holds in a node, and in a region; the region of a node, if it has one. *)
Variable known : state -> Prop.
Variable label : node -> state -> Prop.
Variable region_of : node -> option region.
Variable inside : region -> state -> Prop.
Variable stubborn : region -> transition -> Prop.
Variable key : region -> option transition.
Variable edge : node -> transition -> node -> Prop.
(** What sleeps in a node; for each transition, where it may sleep, and what may happen meanwhile; the order in which nodes follow. *)
Variable asleep : node -> transition -> Prop.
Variable bedroom : transition -> state -> Prop.
Variable independent : transition -> transition -> Prop.
Variable order : transition -> nat.
(** Acyclic key edges have a rank: how many key edges can follow one another. *)
Variable rank : node -> nat.

Hypothesis stubborn_or_not : forall r t, stubborn r t \/ ~ stubborn r t.
Hypothesis asleep_or_not : forall n t, asleep n t \/ ~ asleep n t.
Hypothesis independent_or_not : forall z t, {independent z t} + {~ independent z t}.

Definition follows (n : node) (t : transition) : Prop :=
  match region_of n with Some r => stubborn r t | None => True end.

Definition has_key (n : node) (k : transition) : Prop :=
  exists r, region_of n = Some r /\ key r = Some k.

Hypothesis known_initially : forall s, initial s -> known s.
Hypothesis known_after : forall t s s', known s -> step t s s' -> known s'.
Hypothesis initiation : forall s, initial s -> exists n, label n s /\ forall z, ~ asleep n z.
Hypothesis safety : forall n s, known s -> label n s -> ~ violation s.
Hypothesis consecution : forall n t s s', known s -> label n s -> follows n t -> ~ asleep n t ->
  step t s s' -> exists m, edge n t m /\ label m s'.
Hypothesis containment : forall n r s, region_of n = Some r -> known s -> label n s -> inside r s.
Hypothesis closure : forall r t s s', ~ stubborn r t -> known s -> inside r s -> step t s s' -> inside r s'.
Hypothesis commutation : forall r t a s s1 s2, ~ stubborn r t -> stubborn r a -> known s -> inside r s ->
  step t s s1 -> step a s1 s2 -> exists s3, step a s s3 /\ step t s3 s2.
Hypothesis quietness : forall r s, key r = None -> known s -> inside r s -> ~ violation s.
Hypothesis key_stubborn : forall r k, key r = Some k -> stubborn r k.
Hypothesis enabledness : forall n r k s, region_of n = Some r -> key r = Some k -> known s -> label n s ->
  exists s', step k s s'.
Hypothesis persistence : forall r k t s s' s1, key r = Some k -> ~ stubborn r t -> known s -> inside r s ->
  step k s s' -> step t s s1 -> exists s2, step k s1 s2 /\ step t s' s2.
Hypothesis preservation : forall r k s s', key r = Some k -> known s -> inside r s -> violation s -> step k s s' ->
  violation s'.
Hypothesis acyclic : forall n k m l, has_key n k -> edge n k m -> has_key m l -> rank m < rank n.

(** What sleeps after a step slept before it, or was followed before the step; and the step may happen meanwhile. *)
Hypothesis sleeping : forall n t m z, edge n t m -> asleep m z ->
  independent z t /\ (asleep n z \/ follows n z /\ ~ asleep n z /\ order z < order t).
Hypothesis sleep_containment : forall n t m z s, edge n t m -> asleep m z -> ~ asleep n z -> known s -> label n s ->
  bedroom z s.
Hypothesis sleep_closure : forall z t s s', independent z t -> known s -> bedroom z s -> step t s s' -> bedroom z s'.
Hypothesis sleep_commutation : forall z t s s1 s2, independent z t -> known s -> bedroom z s ->
  step t s s1 -> step z s1 s2 -> exists s3, step z s s3 /\ step t s3 s2.
(** In a node with a region, what is postponed may happen while a stubborn transition sleeps, and the key does not sleep. *)
Hypothesis postponed_independent : forall n r z t, region_of n = Some r -> asleep n z -> stubborn r z -> ~ stubborn r t ->
  independent z t.
Hypothesis key_awake : forall n r k, region_of n = Some r -> key r = Some k -> ~ asleep n k.

Fixpoint run (w : list transition) (s e : state) : Prop :=
  match w with
  | [] => s = e
  | t :: w => exists s', step t s s' /\ run w s' e
  end.

Definition postponed (r : region) (w : list transition) : Prop := Forall (fun t => ~ stubborn r t) w.

Lemma run_app v w s e : run (v ++ w) s e <-> exists m, run v s m /\ run w m e.
Proof.
  revert s; induction v as [|t v IH]; cbn; intros s.
  - split; [intros R; exists s; auto | intros (m & -> & R); exact R].
  - split.
    + intros (s' & T & R). apply IH in R as (m & Rv & Rw). exists m; split; [exists s'; auto | exact Rw].
    + intros (m & (s' & T & Rv) & Rw). exists s'; split; [exact T | apply IH; exists m; auto].
Qed.

(** Postponed transitions stay in the region. *)
Lemma stays r w : postponed r w -> forall s e, known s -> inside r s -> run w s e -> known e /\ inside r e.
Proof.
  induction 1 as [|t w Out _ IH]; cbn; intros s e Ks Is R.
  - subst; auto.
  - destruct R as (s' & T & R). apply (IH s' e); eauto using known_after, closure.
Qed.

(** A stubborn transition moves in front of postponed ones. *)
Lemma to_front r a w : stubborn r a -> postponed r w -> forall s e, known s -> inside r s ->
  run (w ++ [a]) s e -> run (a :: w) s e.
Proof.
  intros Pa; induction 1 as [|t w Out _ IH]; cbn; intros s e Ks Is R; [exact R|].
  destruct R as (s1 & T & R).
  destruct (IH s1 e (known_after t s s1 Ks T) (closure r t s s1 Out Ks Is T) R) as (s2 & A & R2).
  destruct (commutation r t a s s1 s2 Out Pa Ks Is T A) as (s3 & A' & T').
  exists s3; split; [exact A' | exists s2; auto].
Qed.

(** The key transition, taken first, keeps what is postponed possible, and a violation after it. *)
Lemma key_first r k w : key r = Some k -> postponed r w -> forall s s' e, known s -> inside r s ->
  step k s s' -> run w s e -> violation e -> exists e', run w s' e' /\ violation e'.
Proof.
  intros Key; induction 1 as [|t w Out _ IH]; cbn; intros s s' e Ks Is K R V.
  - subst; exists s'; split; [reflexivity | eauto using preservation].
  - destruct R as (s1 & T & R).
    destruct (persistence r k t s s' s1 Key Out Ks Is K T) as (s2 & K' & T').
    destruct (IH s1 s2 e (known_after t s s1 Ks T) (closure r t s s1 Out Ks Is T) K' R V) as (e' & R' & V').
    exists e'; split; [exists s2; auto | exact V'].
Qed.

Lemma first_stubborn r w : postponed r w \/ exists v a x, w = v ++ a :: x /\ postponed r v /\ stubborn r a.
Proof.
  induction w as [|t w IH]; [left; constructor|].
  destruct (stubborn_or_not r t) as [P|P].
  - right; exists [], t, w; repeat split; [constructor | exact P].
  - destruct IH as [Out | (v & a & x & -> & Out & Pa)]; [left; constructor; auto|].
    right; exists (t :: v), a, x; repeat split; [constructor; auto | exact Pa].
Qed.

(** A transition is in front of a run if all before it may happen while it sleeps. *)
Definition in_front (z : transition) (w : list transition) : Prop :=
  exists v x, w = v ++ z :: x /\ Forall (independent z) v.

Lemma in_front_moves z v : Forall (independent z) v -> forall s e, known s -> bedroom z s -> run (v ++ [z]) s e ->
  run (z :: v) s e.
Proof.
  induction 1 as [|t v Ind _ IH]; cbn; intros s e Ks Bs R; [exact R|].
  destruct R as (s1 & T & R).
  destruct (IH s1 e (known_after t s s1 Ks T) (sleep_closure z t s s1 Ind Ks Bs T) R) as (s2 & Z & R2).
  destruct (sleep_commutation z t s s1 s2 Ind Ks Bs T Z) as (s3 & Z' & T').
  exists s3; split; [exact Z' | exists s2; auto].
Qed.

(** It stays in front if something that may happen meanwhile is put in. *)
Lemma in_front_with z a v x : independent z a -> in_front z (v ++ x) -> in_front z (v ++ a :: x).
Proof.
  intros Ind (v' & x' & Eq & All).
  destruct (app_eq_app _ _ _ _ Eq) as (l & [(Ev & Ex) | (Ev & Ex)]).
  - destruct l as [|t l]; cbn in Ex.
    + subst. rewrite app_nil_r in *. exists (v' ++ [a]), x'. split.
      * rewrite <- app_assoc; reflexivity.
      * apply Forall_app; auto.
    + injection Ex as -> ->. subst. exists v', (l ++ a :: x). split; [|exact All].
      rewrite <- app_assoc; reflexivity.
  - subst. exists (v ++ a :: l), x'. split.
    + rewrite <- app_assoc; reflexivity.
    + apply Forall_app in All as [Av Al]. apply Forall_app; auto.
Qed.

Lemma some_in_front m w : (exists z, asleep m z /\ in_front z w) \/ (forall z, asleep m z -> ~ in_front z w).
Proof.
  induction w as [|t w IH] using rev_ind.
  { right. intros z _ (v & x & Eq & _). destruct v; discriminate. }
  destruct IH as [(z & A & v & x & -> & All) | None].
  { left. exists z; split; [exact A|]. exists v, (x ++ [t]). split; [rewrite <- app_assoc; reflexivity | exact All]. }
  assert (Split : forall z, in_front z (w ++ [t]) -> in_front z w \/ z = t /\ Forall (independent z) w).
  { intros z (v & x & Eq & All). destruct x as [|u x] using rev_ind.
    - apply app_inj_tail in Eq as [<- <-]; auto.
    - left. exists v, x. split; [|exact All].
      change (z :: x ++ [u]) with ((z :: x) ++ [u]) in Eq. rewrite app_assoc in Eq.
      apply app_inj_tail in Eq as [-> _]; reflexivity. }
  destruct (asleep_or_not m t) as [A|A].
  - destruct (Forall_dec _ (independent_or_not t) w) as [All|Not].
    + left. exists t; split; [exact A|]. exists w, []; auto.
    + right. intros z Az F. destruct (Split z F) as [F' | [-> All]]; [exact (None z Az F') | exact (Not All)].
  - right. intros z Az F. destruct (Split z F) as [F' | [-> _]]; [exact (None z Az F') | exact (A Az)].
Qed.

(** A run to a violation that was not followed before: nothing that sleeps is in front of it. *)
Definition missing (n : node) (s : state) (w : list transition) (e : state) : Prop :=
  known s /\ label n s /\ run w s e /\ violation e /\ forall z, asleep n z -> bedroom z s /\ ~ in_front z w.

(** If a transition that the node follows can go first, then one can after which the rest was not followed before. *)
Lemma follow_first bound : forall n s w e a v x s', order a < bound -> missing n s w e -> w = v ++ a :: x ->
  follows n a -> ~ asleep n a -> step a s s' -> run (v ++ x) s' e ->
  exists m s' w', missing m s' w' e /\ length w' < length w.
Proof.
  induction bound as [|bound IH]; intros n s w e a v x s' Below Missing Eq Fa Aa A R; [lia|].
  destruct Missing as (Ks & L & Rw & V & Sleep).
  destruct (consecution n a s s' Ks L Fa Aa A) as (m & Edge & Lm).
  assert (Inside : forall z, asleep m z -> bedroom z s).
  { intros z Az. destruct (asleep_or_not n z) as [An|An]; [exact (proj1 (Sleep z An))|].
    exact (sleep_containment n a m z s Edge Az An Ks L). }
  destruct (some_in_front m (v ++ x)) as [(z & Az & F) | None].
  - destruct (sleeping n a m z Edge Az) as (Ind & Before).
    pose proof (in_front_with z a v x Ind F) as Front. rewrite <- Eq in Front.
    destruct Before as [An | (Fz & An & Less)].
    { exfalso. exact (proj2 (Sleep z An) Front). }
    destruct Front as (v' & x' & Eq' & All).
    rewrite Eq' in Rw. replace (v' ++ z :: x') with ((v' ++ [z]) ++ x') in Rw by (rewrite <- app_assoc; reflexivity).
    apply run_app in Rw as (s2 & Rv & Rx).
    destruct (in_front_moves z v' All s s2 Ks (Inside z Az) Rv) as (s1 & Z & Rv').
    apply (IH n s w e z v' x' s1 ltac:(lia)); try assumption.
    + repeat split; try assumption; try (apply Sleep; assumption).
      rewrite Eq'. replace (v' ++ z :: x') with ((v' ++ [z]) ++ x') by (rewrite <- app_assoc; reflexivity).
      apply run_app; exists s2; auto.
    + apply run_app; exists s2; auto.
  - exists m, s', (v ++ x). split.
    + refine (conj _ (conj Lm (conj R (conj V _)))); [eauto using known_after|].
      intros z Az; split; [|exact (None z Az)].
      exact (sleep_closure z a s s' (proj1 (sleeping n a m z Edge Az)) Ks (Inside z Az) A).
    + rewrite Eq, !app_length; cbn; lia.
Qed.

(** A run to a violation, from a node, has a shorter one from a successor, or one as long from a successor by its key. *)
Lemma advance n s w e : missing n s w e -> exists m s' w' e', missing m s' w' e' /\
  (length w' < length w \/ length w' = length w /\ exists k, has_key n k /\ edge n k m).
Proof.
  intros Missing. pose proof Missing as (Ks & L & R & V & Sleep). destruct w as [|t w].
  { cbn in R; subst. exfalso; exact (safety n e Ks L V). }
  assert (First : forall a v x s', t :: w = v ++ a :: x -> follows n a -> ~ asleep n a -> step a s s' -> run (v ++ x) s' e ->
    exists m s' w' e', missing m s' w' e' /\
      (length w' < length (t :: w) \/ length w' = length (t :: w) /\ exists k, has_key n k /\ edge n k m)).
  { intros a v x s' Eq Fa Aa A Rx.
    destruct (follow_first (S (order a)) n s (t :: w) e a v x s' ltac:(lia) Missing Eq Fa Aa A Rx) as (m & s1 & w' & M & Less).
    exists m, s1, w', e; auto. }
  destruct (region_of n) as [r|] eqn:Region.
  2:{ destruct R as (s' & T & Rw). apply (First t [] w s'); cbn; auto.
      - unfold follows; rewrite Region; exact Logic.I.
      - intros A. apply (proj2 (Sleep t A)). exists [], w; auto. }
  assert (Is : inside r s) by (exact (containment n r s Region Ks L)).
  destruct (first_stubborn r (t :: w)) as [Out | (v & a & x & Eq & Out & Pa)].
  - destruct (key r) as [k|] eqn:Key.
    + destruct (enabledness n r k s Region Key Ks L) as (s' & K).
      destruct (key_first r k _ Key Out s s' e Ks Is K R V) as (e' & R' & V').
      assert (Fk : follows n k) by (unfold follows; rewrite Region; exact (key_stubborn r k Key)).
      destruct (consecution n k s s' Ks L Fk (key_awake n r k Region Key) K) as (m & Edge & Lm).
      exists m, s', (t :: w), e'. split.
      * refine (conj _ (conj Lm (conj R' (conj V' _)))); [eauto using known_after|]. intros z Az; split.
        -- destruct (sleeping n k m z Edge Az) as (Ind & _). apply (sleep_closure z k s s' Ind Ks); [|exact K].
           destruct (asleep_or_not n z) as [An|An]; [exact (proj1 (Sleep z An))|].
           exact (sleep_containment n k m z s Edge Az An Ks L).
        -- intros Front. destruct (sleeping n k m z Edge Az) as (_ & [An | (Fz & _ & _)]).
           ++ exact (proj2 (Sleep z An) Front).
           ++ destruct Front as (v & x & Eq & _). unfold postponed in Out. rewrite Eq in Out.
              apply Forall_app in Out as [_ Out]. apply Forall_inv in Out.
              unfold follows in Fz. rewrite Region in Fz. exact (Out Fz).
      * right; split; [reflexivity | exists k; split; [exists r; auto | exact Edge]].
    + exfalso. destruct (stays r _ Out s e Ks Is R) as [Ke Ie]. exact (quietness r e Key Ke Ie V).
  - rewrite Eq in R. replace (v ++ a :: x) with ((v ++ [a]) ++ x) in R by (rewrite <- app_assoc; reflexivity).
    apply run_app in R as (m & Rv & Rx).
    destruct (to_front r a v Pa Out s m Ks Is Rv) as (s' & A & Rv').
    apply (First a v x s' Eq).
    + unfold follows; rewrite Region; exact Pa.
    + intros An. apply (proj2 (Sleep a An)). rewrite Eq. exists v, x. split; [reflexivity|].
      apply Forall_impl with (2 := Out). intros u Pu. exact (postponed_independent n r a u Region An Pa Pu).
    + exact A.
    + apply run_app; exists m; auto.
Qed.

(** Nodes without a key are below all others. *)
Definition height (n : node) : nat :=
  match region_of n with
  | Some r => match key r with Some _ => S (rank n) | None => 0 end
  | None => 0
  end.

Lemma height_falls n k m : has_key n k -> edge n k m -> height m < height n.
Proof.
  intros K Edge. assert (Hn : height n = S (rank n)).
  { destruct K as (r & Region & Key). unfold height; rewrite Region, Key; reflexivity. }
  rewrite Hn. unfold height. destruct (region_of m) as [r|] eqn:Region; [|lia].
  destruct (key r) as [l|] eqn:Key; [|lia].
  assert (has_key m l) by (exists r; auto).
  pose proof (acyclic n k m l K Edge H). lia.
Qed.

Lemma no_run : forall length_bound height_bound n s w e, length w <= length_bound -> height n <= height_bound ->
  ~ missing n s w e.
Proof.
  induction length_bound as [length_bound Shorter] using lt_wf_ind.
  induction height_bound as [height_bound Lower] using lt_wf_ind.
  intros n s w e Length Height Missing.
  destruct (advance n s w e Missing) as (m & s' & w' & e' & Missing' & [Less | (Same & k & K & Edge)]).
  - exact (Shorter (length w') ltac:(lia) (height m) m s' w' e' (le_n _) (le_n _) Missing').
  - pose proof (height_falls n k m K Edge).
    exact (Lower (height m) ltac:(lia) m s' w' e' ltac:(lia) (le_n _) Missing').
Qed.

Lemma reached_by_run s : reached s -> exists s0 w, initial s0 /\ run w s0 s.
Proof.
  induction 1 as [s Init | t s s' _ (s0 & w & Init & R) T].
  - exists s, []; cbn; auto.
  - exists s0, (w ++ [t]); split; [exact Init|]. apply run_app; exists s; cbn; eauto.
Qed.

Theorem reduced_diagrams_prove : forall s, reached s -> ~ violation s.
Proof.
  intros s Reached V. destruct (reached_by_run s Reached) as (s0 & w & Init & R).
  destruct (initiation s0 Init) as (n & L & Nothing).
  apply (no_run (length w) (height n) n s0 w s (le_n _) (le_n _)).
  repeat split; auto; exfalso; eapply Nothing; eassumption.
Qed.

End Diagrams.

(** The same for commands: a guard, and a state after the step that the state before it and inputs determine. What the checker asks has
    the inputs of each of two steps as variables of their own, and takes each step with its own inputs in the other order too. *)
Section Commands.

Variables (state input transition region : Type).
Variable guard : transition -> state -> input -> Prop.
Variable after : transition -> state -> input -> state.
(** Whether the state violates the property with some inputs. *)
Variable violates : state -> input -> Prop.

Definition moves (t : transition) (s s' : state) : Prop := exists i, guard t s i /\ s' = after t s i.
Definition fails (s : state) : Prop := exists i, violates s i.

(** If the inputs are one and the same for both steps, too little is asked: each has its own. *)
Lemma commuting_commands (t a : transition) (s : state) :
  (forall i j, guard t s i -> guard a (after t s i) j ->
    guard a s j /\ guard t (after a s j) i /\ after t (after a s j) i = after a (after t s i) j) ->
  forall s1 s2, moves t s s1 -> moves a s1 s2 -> exists s3, moves a s s3 /\ moves t s3 s2.
Proof.
  intros Asked s1 s2 (i & Gt & ->) (j & Ga & ->). destruct (Asked i j Gt Ga) as (Ga' & Gt' & Eq).
  exists (after a s j); split; [exists j; auto | exists i; auto].
Qed.

Lemma persistent_commands (t k : transition) (s : state) :
  (forall i j, guard t s i -> guard k s j ->
    guard k (after t s i) j /\ guard t (after k s j) i /\ after t (after k s j) i = after k (after t s i) j) ->
  forall s' s1, moves k s s' -> moves t s s1 -> exists s2, moves k s1 s2 /\ moves t s' s2.
Proof.
  intros Asked s' s1 (j & Gk & ->) (i & Gt & ->). destruct (Asked i j Gt Gk) as (Gk' & Gt' & Eq).
  exists (after k (after t s i) j); split; [exists j; auto | exists i; auto].
Qed.

Lemma enabled_commands (k : transition) (s : state) (i : input) : guard k s i -> exists s', moves k s s'.
Proof. intros G. exists (after k s i), i; auto. Qed.

Lemma preserving_commands (k : transition) (s : state) :
  (forall i j, violates s i -> guard k s j -> violates (after k s j) i) ->
  forall s', fails s -> moves k s s' -> fails s'.
Proof. intros Asked s' (i & V) (j & G & ->). exists i; auto. Qed.

(** Commands of which each touches nothing that the other writes owe neither: a state is what it gives its variables, and a command
    keeps what it does not write. *)
Variables (variable value : Type).
Variable get : state -> variable -> value.
Hypothesis extensional : forall s s', (forall x, get s x = get s' x) -> s = s'.
Variable reads writes : transition -> variable -> Prop.
Hypothesis written_or_not : forall t x, writes t x \/ ~ writes t x.
Hypothesis keeps : forall t s i x, ~ writes t x -> get (after t s i) x = get s x.
Hypothesis guard_reads : forall t s s' i, (forall x, reads t x -> get s x = get s' x) -> guard t s i -> guard t s' i.
Hypothesis after_reads : forall t s s' i, (forall x, reads t x -> get s x = get s' x) ->
  forall x, writes t x -> get (after t s i) x = get (after t s' i) x.

Definition independent (t a : transition) : Prop :=
  forall x, (writes t x -> ~ reads a x /\ ~ writes a x) /\ (writes a x -> ~ reads t x).

Lemma unread t a s i x : independent t a -> reads a x -> get (after t s i) x = get s x.
Proof. intros Ind R. apply keeps. intros W. destruct (Ind x) as [H _]. destruct (H W); auto. Qed.

Lemma unread' t a s j x : independent t a -> reads t x -> get (after a s j) x = get s x.
Proof. intros Ind R. apply keeps. intros W. destruct (Ind x) as [_ H]. exact (H W R). Qed.

Lemma independent_results t a s i j : independent t a -> after t (after a s j) i = after a (after t s i) j.
Proof.
  intros Ind. apply extensional. intros x. destruct (written_or_not t x) as [W|W].
  - rewrite (keeps a) by (destruct (Ind x) as [H _]; destruct (H W); assumption).
    apply after_reads; [|exact W]. intros y R. exact (unread' t a s j y Ind R).
  - rewrite (keeps t) by exact W. destruct (written_or_not a x) as [Wa|Wa].
    + apply after_reads; [|exact Wa]. intros y R. symmetry. exact (unread t a s i y Ind R).
    + rewrite !keeps by assumption. reflexivity.
Qed.

Theorem independent_commands_commute t a s i j : independent t a ->
  guard t s i -> guard a (after t s i) j ->
  guard a s j /\ guard t (after a s j) i /\ after t (after a s j) i = after a (after t s i) j.
Proof.
  intros Ind Gt Ga. repeat split.
  - apply (guard_reads a (after t s i)); [|exact Ga]. intros y R. exact (unread t a s i y Ind R).
  - apply (guard_reads t s); [|exact Gt]. intros y R. symmetry. exact (unread' t a s j y Ind R).
  - exact (independent_results t a s i j Ind).
Qed.

Theorem independent_commands_persist t k s i j : independent t k ->
  guard t s i -> guard k s j ->
  guard k (after t s i) j /\ guard t (after k s j) i /\ after t (after k s j) i = after k (after t s i) j.
Proof.
  intros Ind Gt Gk. repeat split.
  - apply (guard_reads k s); [|exact Gk]. intros y R. symmetry. exact (unread t k s i y Ind R).
  - apply (guard_reads t s); [|exact Gt]. intros y R. symmetry. exact (unread' t k s j y Ind R).
  - exact (independent_results t k s i j Ind).
Qed.

End Commands.

(** Nothing is assumed. *)
Print Assumptions reduced_diagrams_prove.
Print Assumptions commuting_commands.
Print Assumptions persistent_commands.
Print Assumptions preserving_commands.
Print Assumptions independent_commands_commute.
Print Assumptions independent_commands_persist.
