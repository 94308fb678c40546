(* The state. *)
Record state : Set := make_state {
  lamp_location : Z;  (* lamp.location *)
  x_1_Axiom : Z;  (* x[1] +) Axiom *)
  on : bool  (* on *)
}.

(* Names of values. *)
Notation idle := 0%Z (only parsing).
Notation busy := 1%Z (only parsing).

(* The initial states. *)
Definition init (s : state) : Prop :=
  lamp_location s = idle /\
  on s = false /\
  x_1_Axiom s = 0.

(* The named transitions: s before the step, s' after it. *)
(* begin[1] *)
Definition begin_1 (s s' : state) : Prop :=
  exists v_by : Z,
  lamp_location s = idle /\
  v_by > 0 /\
  lamp_location s' = busy /\
  on s' = true /\
  x_1_Axiom s' = x_1_Axiom s + v_by.
(* end *)
Definition v_end (s s' : state) : Prop :=
  lamp_location s = busy /\
  lamp_location s' = idle /\
  on s' = false /\
  ((on s = true /\ x_1_Axiom s' = x_1_Axiom s) \/ (on s = false /\ x_1_Axiom s' = -1)).

Inductive named_step (s s' : state) : Prop :=
| by_begin_1 : begin_1 s s' -> named_step s s'
| by_v_end : v_end s s' -> named_step s s'
.

(* The steps of the system, and that each is a step of a named transition. *)
Definition step (s s' : state) : Prop :=
  begin_1 s s' \/
  v_end s s'.
Lemma cover : forall s s', step s s' -> named_step s s'.
Proof.
  intros s s' T. destruct T as [T|T]; [exact (by_begin_1 s s' T) | exact (by_v_end s s' T)].
Qed.

Set Elimination Schemes.
Inductive reachable : state -> Prop :=
| reachable_init : forall s, init s -> reachable s
| reachable_step : forall s s', reachable s -> step s s' -> reachable s'.
Unset Elimination Schemes.

(* The nodes of the diagram main. *)
Definition main_0 (s : state) : Prop :=
  lamp_location s = idle /\
  on s = false /\
  0 <= x_1_Axiom s.
Definition main_1 (s : state) : Prop :=
  lamp_location s = busy /\
  on s = true /\
  0 < x_1_Axiom s.
Inductive main (s : state) : Prop :=
| in_main_0 : main_0 s -> main s
| in_main_1 : main_1 s -> main s
.

(* Violations of the properties. *)
(* 0 *)
Definition error_0 (s : state) : Prop :=
  on s = true /\
  0 >= x_1_Axiom s.
Definition error (s : state) : Prop :=
  error_0 s.

(* The diagram main is closed under all steps. *)
Lemma main_init : forall s, init s -> main s.
Proof.
  assert (H : forall s, init s -> main_0 s \/ main_1 s) by (unfold init, main_0, main_1; arithmetic).
  intros s I. destruct (H s I) as [E|E]; [exact (in_main_0 s E) | exact (in_main_1 s E)].
Qed.
Lemma main_0_begin_1 : forall s s', main_0 s -> begin_1 s s' -> main_1 s'.
Proof. intros s s' N T. unfold main_0, begin_1, main_1 in *. arithmetic. Qed.
Lemma main_0_v_end : forall s s', main_0 s -> v_end s s' -> False.
Proof. intros s s' N T. unfold main_0, v_end in *. arithmetic. Qed.
Lemma main_0_step : forall s s', main_0 s -> named_step s s' -> main s'.
Proof.
  intros s s' N T. destruct T as [T|T].
  - exact (in_main_1 s' (main_0_begin_1 s s' N T)).
  - destruct (main_0_v_end s s' N T).
Qed.
Lemma main_1_begin_1 : forall s s', main_1 s -> begin_1 s s' -> False.
Proof. intros s s' N T. unfold main_1, begin_1 in *. arithmetic. Qed.
Lemma main_1_v_end : forall s s', main_1 s -> v_end s s' -> main_0 s'.
Proof. intros s s' N T. unfold main_1, v_end, main_0 in *. arithmetic. Qed.
Lemma main_1_step : forall s s', main_1 s -> named_step s s' -> main s'.
Proof.
  intros s s' N T. destruct T as [T|T].
  - destruct (main_1_begin_1 s s' N T).
  - exact (in_main_0 s' (main_1_v_end s s' N T)).
Qed.
Lemma main_step : forall s s', main s -> named_step s s' -> main s'.
Proof.
  intros s s' N T. destruct N as [N|N].
  - exact (main_0_step s s' N T).
  - exact (main_1_step s s' N T).
Qed.

(* All diagrams together. *)
Definition invariant (s : state) : Prop :=
  main s.
Lemma invariant_init : forall s, init s -> invariant s.
Proof. intros s I. exact (main_init s I). Qed.
Lemma invariant_step : forall s s', invariant s -> step s s' -> invariant s'.
Proof. intros s s' H T. pose proof H as H0'. unfold invariant in H0'. exact (main_step s s' H0' (cover s s' T)). Qed.

(* The invariant excludes violations. *)
Lemma main_0_excludes_error_0 : forall s, main_0 s -> error_0 s -> False.
Proof. intros s N E. unfold main_0, error_0 in *. arithmetic. Qed.
Lemma main_1_excludes_error_0 : forall s, main_1 s -> error_0 s -> False.
Proof. intros s N E. unfold main_1, error_0 in *. arithmetic. Qed.
Lemma no_error_0 : forall s, invariant s -> error_0 s -> False.
Proof.
  intros s H E. pose proof H as H0'. unfold invariant in H0'. pose proof H0' as N. destruct N as [N|N].
  - exact (main_0_excludes_error_0 s N E).
  - exact (main_1_excludes_error_0 s N E).
Qed.

Theorem safe : forall s, reachable s -> ~ error s.
Proof.
  intros s K E.
  assert (H : invariant s).
  { clear E. induction K as [s I | s s' K H T].
    - exact (invariant_init s I).
    - exact (invariant_step s s' H T). }
  unfold error in E. exact (no_error_0 s H E).
Qed.

Print Assumptions safe.
