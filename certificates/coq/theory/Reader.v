(** Certificates and evidence as dense text.

    Most of the time that a large proof takes in Coq is spent on reading it, so the data is text of few kinds of characters: numbers
    one after the other, each a sequence of digits to the base 32, of which all but the last are written with other characters than the
    last one. What the text says is what [read_certificate] and [read_evidence] make of it; theorems are about the result. *)

From Coq Require Import ZArith QArith List Bool Init.Byte FMapPositive.
From Slabcert Require Import Terms Formulas Tightening Normalise Rules Diagrams Checker.
Import ListNotations.

(** A line of text, as the notation for strings makes it. *)
Inductive text := End | Char (b : byte) (t : text).

Fixpoint of_bytes (l : list byte) : text := match l with [] => End | b :: l => Char b (of_bytes l) end.
Fixpoint to_bytes (t : text) : list byte := match t with End => [] | Char b t => b :: to_bytes t end.

Declare Scope text_scope.
Delimit Scope text_scope with text.
Bind Scope text_scope with text.
String Notation text of_bytes to_bytes : text_scope.

(** Whether further digits follow, and the digit. *)
Definition digit (b : byte) : option (bool * N) :=
  (match b with
  | x30 => Some (false, 0) | x31 => Some (false, 1) | x32 => Some (false, 2) | x33 => Some (false, 3)
  | x34 => Some (false, 4) | x35 => Some (false, 5) | x36 => Some (false, 6) | x37 => Some (false, 7)
  | x38 => Some (false, 8) | x39 => Some (false, 9) | x3a => Some (false, 10) | x3b => Some (false, 11)
  | x3c => Some (false, 12) | x3d => Some (false, 13) | x3e => Some (false, 14) | x3f => Some (false, 15)
  | x40 => Some (false, 16) | x41 => Some (false, 17) | x42 => Some (false, 18) | x43 => Some (false, 19)
  | x44 => Some (false, 20) | x45 => Some (false, 21) | x46 => Some (false, 22) | x47 => Some (false, 23)
  | x48 => Some (false, 24) | x49 => Some (false, 25) | x4a => Some (false, 26) | x4b => Some (false, 27)
  | x4c => Some (false, 28) | x4d => Some (false, 29) | x4e => Some (false, 30) | x4f => Some (false, 31)
  | x50 => Some (true, 0) | x51 => Some (true, 1) | x52 => Some (true, 2) | x53 => Some (true, 3)
  | x54 => Some (true, 4) | x55 => Some (true, 5) | x56 => Some (true, 6) | x57 => Some (true, 7)
  | x58 => Some (true, 8) | x59 => Some (true, 9) | x5a => Some (true, 10) | x5b => Some (true, 11)
  | x5c => Some (true, 12) | x5d => Some (true, 13) | x5e => Some (true, 14) | x5f => Some (true, 15)
  | x60 => Some (true, 16) | x61 => Some (true, 17) | x62 => Some (true, 18) | x63 => Some (true, 19)
  | x64 => Some (true, 20) | x65 => Some (true, 21) | x66 => Some (true, 22) | x67 => Some (true, 23)
  | x68 => Some (true, 24) | x69 => Some (true, 25) | x6a => Some (true, 26) | x6b => Some (true, 27)
  | x6c => Some (true, 28) | x6d => Some (true, 29) | x6e => Some (true, 30) | x6f => Some (true, 31)
  | _ => None
  end)%N.

(** The numbers of a line before others; [None] is not a number. *)
Fixpoint line_numbers (t : text) (n : N) (rest : list N) : option (list N) :=
  match t with
  | End => match n with N0 => Some rest | _ => None end
  | Char b t =>
      match digit b with
      | Some (true, d) => line_numbers t (32 * n + d) rest
      | Some (false, d) => option_map (cons (32 * n + d)%N) (line_numbers t 0 rest)
      | None => None
      end
  end.

Fixpoint numbers (lines : list text) : option (list N) :=
  match lines with
  | [] => Some []
  | t :: lines =>
      match numbers lines with
      | Some rest => line_numbers t 0 rest
      | None => None
      end
  end.

(** * Parsers *)

Definition parser (A : Type) : Type := list N -> option (A * list N).

Definition ret {A} (x : A) : parser A := fun l => Some (x, l).
Definition fail {A} : parser A := fun _ => None.
Definition bind {A B} (p : parser A) (f : A -> parser B) : parser B :=
  fun l => match p l with Some (x, l) => f x l | None => None end.

Notation "'let*' x := p 'in' q" := (bind p (fun x => q)) (at level 200, x name, p at level 100, q at level 200).

Definition natural : parser N := fun l => match l with n :: l => Some (n, l) | [] => None end.

Definition index : parser positive := let* n := natural in ret (N.succ_pos n).

Definition integer : parser Z :=
  let* n := natural in
  ret (match n with
       | N0 => 0%Z
       | Npos (xO p) => Zpos p
       | Npos p => Zneg (match p with xI q => Pos.succ q | _ => xH end)
       end).

Definition rational : parser Q := let* n := integer in let* d := index in ret (n # d).

(** So many things, at most as many as there are numbers. *)
Definition many {A} (p : parser A) : parser (list A) :=
  let* n := natural in
  fun input =>
    (fix go (fuel : list N) (n : N) (input : list N) : option (list A * list N) :=
       match n with
       | N0 => Some ([], input)
       | Npos _ =>
           match fuel with
           | [] => None
           | _ :: fuel =>
               match p input with
               | Some (x, input) =>
                   match go fuel (N.pred n) input with
                   | Some (l, input) => Some (x :: l, input)
                   | None => None
                   end
               | None => None
               end
           end
       end) input n input.

(** The same with the numbers of the things, from 1. *)
Definition many_numbered {A} (p : positive -> parser A) : parser (list A) :=
  let* n := natural in
  fun input =>
    (fix go (fuel : list N) (i : positive) (n : N) (input : list N) : option (list A * list N) :=
       match n with
       | N0 => Some ([], input)
       | Npos _ =>
           match fuel with
           | [] => None
           | _ :: fuel =>
               match p i input with
               | Some (x, input) =>
                   match go fuel (Pos.succ i) (N.pred n) input with
                   | Some (l, input) => Some (x :: l, input)
                   | None => None
                   end
               | None => None
               end
           end
       end) input 1%positive n input.

(** Something before the thing with the number [i], counted backwards from 0. *)
Definition earlier (i : positive) : parser positive :=
  let* n := natural in
  match (Zpos i - 1 - Z.of_N n)%Z with
  | Zpos p => ret p
  | _ => fail
  end.

Definition a_node (i : positive) : parser node :=
  let one := earlier i in
  let* code := natural in
  match code with
  | 0 => ret (NBool false)
  | 1 => ret (NBool true)
  | 2 => let* q := rational in ret (NNum q)
  | 3 => let* p := index in ret (NBoolVar p)
  | 4 => let* p := index in ret (NIntVar p)
  | 5 => let* p := index in ret (NRealVar p)
  | 6 => let* t := one in ret (NNot t)
  | 7 => let* l := many one in ret (NAnd l)
  | 8 => let* l := many one in ret (NOr l)
  | 9 => let* c := one in let* t := one in let* u := one in ret (NIte c t u)
  | 10 => let* t := one in let* u := one in ret (NEq t u)
  | 11 => let* t := one in let* u := one in ret (NLe t u)
  | 12 => let* t := one in let* u := one in ret (NLt t u)
  | 13 => let* t := one in let* u := one in ret (NAdd t u)
  | 14 => let* t := one in let* u := one in ret (NMul t u)
  | 15 => let* t := one in let* k := integer in ret (NIntDiv t k)
  | 16 => let* t := one in let* k := integer in ret (NMod t k)
  | _ => fail
  end%N.

Definition a_sum : parser sum := many (let* p := index in let* k := integer in ret (p, k)).

Definition a_part : parser part :=
  let* s := a_sum in
  let* k := integer in
  let* d := index in
  let* m := integer in
  ret (Part (Linear s k d) m).

Definition a_diagram : parser diagram :=
  let* nodes := many (let* l := many index in let* successors := many (many index) in ret (l, successors)) in
  let* assumed := many index in
  ret (Diagram nodes assumed).

Definition a_certificate : parser certificate :=
  let* state_terms := many_numbered a_node in
  let* step_terms := many_numbered a_node in
  let* parts := many a_part in
  let* initial := index in
  let* step := index in
  let* wanted := many index in
  let* transitions := many index in
  let* diagrams := many a_diagram in
  let* claims := many (many index) in
  ret (Certificate state_terms step_terms parts initial step wanted transitions diagrams claims).

Definition a_combination : parser combination := many (let* i := index in let* m := integer in ret (i, m)).

Definition an_occurrence : parser occurrence :=
  let* negative := natural in
  let* i := index in
  let* path := many natural in
  match negative with
  | 0 => ret (false, i, path)
  | 1 => ret (true, i, path)
  | _ => fail
  end%N.

(** A step of a refutation, whose sub-trees are earlier steps. *)
Definition a_step (steps : Map.t proof) (n : positive) : parser proof :=
  let below :=
    let* i := earlier n in
    match Map.find i steps with
    | Some p => ret p
    | None => fail
    end in
  let* code := natural in
  match code with
  | 0 => let* c := a_combination in ret (Farkas c)
  | 1 => let* i := index in let* j := index in ret (Clash i j)
  | 2 => let* i := index in let* l := many below in ret (Split i l)
  | 3 => let* p := below in let* q := below in let* l := many an_occurrence in ret (Decide l p q)
  | 4 => let* b := integer in let* p := below in let* q := below in let* s := a_sum in ret (Branch s b p q)
  | 5 => let* p := below in let* c := a_combination in ret (Cut c p)
  | _ => fail
  end%N.

Fixpoint steps_from (fuel : list N) (n : N) (i : positive) (steps : Map.t proof) (input : list N) :
    option (Map.t proof * list N) :=
  match n with
  | N0 => Some (steps, input)
  | Npos _ =>
      match fuel with
      | [] => None
      | _ :: fuel =>
          match a_step steps i input with
          | Some (p, input) => steps_from fuel (N.pred n) (Pos.succ i) (Map.add i p steps) input
          | None => None
          end
      end
  end.

Definition some_evidence : parser (list evidence) :=
  let* n := natural in
  let* steps := (fun input => steps_from input n 1 (Map.empty _) input) in
  many (let* root := index in
        let* parts := many index in
        match Map.find root steps with
        | Some p => ret (parts, p)
        | None => fail
        end).

Definition read {A} (p : parser A) (lines : list text) : option A :=
  match numbers lines with
  | Some l => match p l with Some (x, []) => Some x | _ => None end
  | None => None
  end.

Definition read_certificate : list text -> option certificate := read a_certificate.
Definition read_evidence : list text -> option (list evidence) := read some_evidence.

(** * What texts prove *)

(** The text of a certificate states the system. *)
Definition states (certificate : list text) (S : Systems.system) : Prop :=
  match read_certificate certificate with
  | Some c => system_of c = Some S
  | None => False
  end.

Definition check_text (certificate evidence : list text) : bool :=
  match read_certificate certificate, read_evidence evidence with
  | Some c, Some es => check c es
  | _, _ => false
  end.

Theorem text_sound certificate evidence S :
  states certificate S -> check_text certificate evidence = true -> Systems.safe S.
Proof.
  unfold states, check_text. destruct (read_certificate certificate) as [c|]; [|discriminate].
  destruct (read_evidence evidence) as [es|]; [|discriminate]. apply check_sound.
Qed.

Definition check_text_slice (certificate : list text) (from count : N) (evidence : list text) : bool :=
  match read_certificate certificate, read_evidence evidence with
  | Some c, Some es => check_slice c from count es
  | _, _ => false
  end.

Definition text_slice_refuted (certificate : list text) (from count : N) : Prop :=
  match read_certificate certificate with
  | Some c => slice_refuted c from count
  | None => False
  end.

Lemma text_slice_ok certificate from count evidence :
  check_text_slice certificate from count evidence = true -> text_slice_refuted certificate from count.
Proof.
  unfold check_text_slice, text_slice_refuted. destruct (read_certificate certificate) as [c|]; [|discriminate].
  destruct (read_evidence evidence) as [es|]; [|discriminate]. apply check_slice_ok.
Qed.

Fixpoint text_slices_refuted (certificate : list text) (from : N) (counts : list N) : Prop :=
  match counts with
  | [] => True
  | n :: counts => text_slice_refuted certificate from n /\ text_slices_refuted certificate (from + n) counts
  end.

Definition text_complete (certificate : list text) (counts : list N) : bool :=
  match read_certificate certificate with
  | Some c => complete c counts
  | None => false
  end.

Theorem text_slices_sound certificate counts S : states certificate S -> text_complete certificate counts = true ->
  text_slices_refuted certificate 0 counts -> Systems.safe S.
Proof.
  unfold states, text_complete. intros SO C R.
  assert (T : forall l from, text_slices_refuted certificate from l ->
    match read_certificate certificate with Some c => slices_refuted c from l | None => False \/ l = [] end).
  { induction l as [|n l IH]; intros from H.
    - destruct (read_certificate certificate); [exact I|right; reflexivity].
    - destruct H as [A B]. apply IH in B. unfold text_slice_refuted in A.
      destruct (read_certificate certificate); [split; assumption|contradiction]. }
  specialize (T counts 0%N R). destruct (read_certificate certificate) as [c|]; [|discriminate].
  eapply slices_sound; eassumption.
Qed.
