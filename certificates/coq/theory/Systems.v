(** Transition systems, and what it means that a system is safe.

    Variables, inputs and values after a step are told apart by the last binary digits of their number: where a term speaks about a
    step, the variable [p] is [now p] before the step and [next p] after it, and the input [p] is [input p].

    Reals are rational numbers here. Nothing is lost: a run of a system over the real numbers that ends in a violation satisfies linear
    comparisons with rational coefficients, in which the integers, the truth values and the integer parts can be fixed; comparisons that
    have a real solution have a rational one. So a violation that is reached over the reals is reached over the rationals. *)

From Coq Require Import ZArith QArith List Bool.
From Slabcert Require Import Terms.

Record system := System {
  init : term;
  trans : term;
  properties : list term
}.

Definition now (p : positive) : positive := xO p.
Definition next (p : positive) : positive := xI (xO p).
Definition input (p : positive) : positive := xI (xI (xO p)).

Definition joined {A} (zero : A) (s s' i : positive -> A) (p : positive) : A :=
  match p with
  | xO q => s q
  | xI (xO q) => s' q
  | xI (xI (xO q)) => i q
  | _ => zero
  end.

(** The values before a step, after it, and of the inputs, as one valuation. *)
Definition step_valuation (s s' i : valuation) : valuation := {|
  ints := joined 0%Z (ints s) (ints s') (ints i);
  reals := joined 0%Q (reals s) (reals s') (reals i);
  bools := joined false (bools s) (bools s') (bools i)
|}.

Inductive reachable (S : system) : valuation -> Prop :=
| initially s :
    truth (eval s (init S)) = true -> reachable S s
| stepping s s' i :
    reachable S s -> truth (eval (step_valuation s s' i) (trans S)) = true -> reachable S s'.

(** The state violates one of the properties with some inputs. *)
Definition error (S : system) (s : valuation) : Prop :=
  exists p i, In p (properties S) /\ truth (eval (step_valuation s s i) p) = false.

Definition safe (S : system) : Prop := forall s, reachable S s -> ~ error S s.
