(** Forgeries of each rule and of each kind of obligation, which are refused, beside what they were made from, which is accepted. *)

From Coq Require Import ZArith NArith QArith List Bool.
From Slabcert Require Import Terms Systems Formulas Tightening Connectives Normalise Rules Diagrams Checker Reader Judge.
Import ListNotations.

(** * Rules *)

(** Something with a multiplier or coefficient. *)
Definition m (i : positive) (k : Z) : positive * Z := (i, k).

(** The integers [x] and [y], the real [r], and the truth values [a] and [b]. *)
Definition x : positive := 2.
Definition y : positive := 4.
Definition r : positive := 3.
Definition a : form := Lit 1 true.
Definition b : form := Lit 2 true.

Definition follows (hypotheses : list form) (p : proof) : bool := refutes (fold_left assume hypotheses no_force) p.

Definition below_zero := Atom [m r 1] LT 0.
Definition not_below_zero := Atom [m r (-1)] LE 0.
Definition at_most_zero := Atom [m r 1] LE 0.

(** ** Farkas *)

Example farkas : follows [below_zero; not_below_zero] (Farkas [m 1 1; m 2 1]) = true.
Proof. reflexivity. Qed.
Example a_strictness_that_is_missing : follows [at_most_zero; not_below_zero] (Farkas [m 1 1; m 2 1]) = false.
Proof. reflexivity. Qed.
Example another_multiplier : follows [below_zero; not_below_zero] (Farkas [m 1 1; m 2 2]) = false.
Proof. reflexivity. Qed.
Example a_negative_multiplier : follows [below_zero; below_zero] (Farkas [m 1 1; m 2 (-1)]) = false.
Proof. reflexivity. Qed.
Example a_multiplier_that_is_zero : follows [below_zero; not_below_zero] (Farkas [m 1 1; m 2 1; m 1 0]) = false.
Proof. reflexivity. Qed.
Example a_multiplier_of_an_equation_that_is_zero : follows [Atom [m r 1] EQ 0] (Farkas [m 1 0]) = false.
Proof. reflexivity. Qed.
Example a_disequation_that_is_combined : follows [Atom [m r 1] NE 0; Atom [m r 1] EQ 0] (Farkas [m 1 1; m 2 (-1)]) = false.
Proof. reflexivity. Qed.
Example a_hypothesis_that_is_not_there : follows [below_zero; not_below_zero] (Farkas [m 1 1; m 3 1]) = false.
Proof. reflexivity. Qed.
Example a_combination_of_nothing : follows [below_zero] (Farkas []) = false.
Proof. reflexivity. Qed.
Example a_combination_that_is_no_contradiction : follows [below_zero] (Farkas [m 1 1]) = false.
Proof. reflexivity. Qed.

(** ** Clash *)

Example clash : follows [All [a; b]; Any [complement a; complement b]] (Clash 1 4) = true.
Proof. reflexivity. Qed.
Example a_clash_of_a_formula_with_itself : follows [a; a] (Clash 1 2) = false.
Proof. reflexivity. Qed.
Example a_clash_with_another_variable : follows [a; complement b] (Clash 1 2) = false.
Proof. reflexivity. Qed.
Example a_clash_of_atoms_that_both_hold : follows [at_most_zero; not_below_zero] (Clash 1 2) = false.
Proof. reflexivity. Qed.
Example a_clash_of_part_of_a_conjunction : follows [All [a; b]; Any [complement a]] (Clash 1 4) = false.
Proof. reflexivity. Qed.

(** ** Split *)

Example split_in_cases : follows [Any [a; b]; complement a; complement b] (Split 1 [Clash 2 4; Clash 3 4]) = true.
Proof. reflexivity. Qed.
Example a_case_that_is_missing : follows [Any [a; b]; complement a; complement b] (Split 1 [Clash 2 4]) = false.
Proof. reflexivity. Qed.
Example no_cases : follows [Any [a; b]] (Split 1 []) = false.
Proof. reflexivity. Qed.
Example a_case_too_many : follows [Any [a]; complement a] (Split 1 [Clash 2 3; Clash 2 3]) = false.
Proof. reflexivity. Qed.
Example cases_in_another_order : follows [Any [a; b]; complement a; complement b] (Split 1 [Clash 3 4; Clash 2 4]) = false.
Proof. reflexivity. Qed.
Example cases_of_a_conjunction : follows [All [a; b]; complement a] (Split 1 [Clash 4 5; Clash 4 5]) = false.
Proof. reflexivity. Qed.
Example what_differs : follows [Atom [m r 1] NE 0; at_most_zero; not_below_zero]
  (Split 1 [Farkas [m 3 1; m 4 1]; Farkas [m 2 1; m 4 1]]) = true.
Proof. reflexivity. Qed.
Example one_side_of_what_differs : follows [Atom [m r 1] NE 0; not_below_zero]
  (Split 1 [Farkas [m 2 1; m 3 1]; Farkas [m 2 1; m 3 1]]) = false.
Proof. reflexivity. Qed.
(** What a case assumes is gone after it. *)
Example an_assumption_of_another_case : follows [Any [a; b]; complement a] (Split 1 [Clash 2 3; Clash 2 3]) = false.
Proof. reflexivity. Qed.

(** ** Decide *)

Example decide : follows [Any [a; b]; Any [complement a; b]; complement b]
  (Decide [(false, 1%positive, [0%N])] (Split 2 [Clash 4 5; Clash 3 5]) (Split 1 [Clash 4 5; Clash 3 5])) = true.
Proof. reflexivity. Qed.
Example a_member_that_is_not_there : follows [Any [a; b]; complement a; a] (Decide [(false, 1%positive, [2%N])] (Clash 2 3) (Clash 2 3)) = false.
Proof. reflexivity. Qed.
Example a_decision_that_is_half_refuted : follows [Any [a; b]; complement a] (Decide [(false, 1%positive, [0%N])] (Clash 2 3) (Clash 2 3)) = false.
Proof. reflexivity. Qed.
Example a_decision_inside_a_variable : follows [a; complement a] (Decide [(false, 1%positive, [0%N])] (Clash 1 2) (Clash 1 2)) = false.
Proof. reflexivity. Qed.
Example a_decision_far_inside : follows [Any [All [a; b]; All [complement a; b]]; complement b]
  (Decide [(false, 1%positive, [0%N; 0%N])] (Split 1 [Clash 6 2; Clash 5 3]) (Split 1 [Clash 5 3; Clash 6 2])) = true.
Proof. reflexivity. Qed.
Example a_decision_far_inside_the_wrong_way_round : follows [Any [All [a; b]; All [complement a; b]]; complement b]
  (Decide [(false, 1%positive, [0%N; 0%N])] (Split 1 [Clash 5 3; Clash 6 2]) (Split 1 [Clash 6 2; Clash 5 3])) = false.
Proof. reflexivity. Qed.
Example a_decision_on_two : follows [Any [a; b]; Any [complement a; b]; complement b]
  (Decide [(true, 1%positive, [0%N]); (false, 1%positive, [1%N])]
    (Split 1 [Split 4 [Clash 5 6; Clash 3 6]; Clash 3 5]) (Split 2 [Clash 5 7; Clash 3 7])) = true.
Proof. reflexivity. Qed.
Example a_decision_on_the_complement_of_what_is_meant : follows [Any [a; b]; Any [complement a; b]; complement b]
  (Decide [(false, 1%positive, [0%N]); (false, 1%positive, [1%N])]
    (Split 1 [Split 4 [Clash 5 6; Clash 3 6]; Clash 3 5]) (Split 2 [Clash 5 7; Clash 3 7])) = false.
Proof. reflexivity. Qed.
Example a_decision_too_far_inside : follows [Any [All [a; b]; All [complement a; b]]; complement b]
  (Decide [(false, 1%positive, [0%N; 0%N; 0%N])] (Split 1 [Clash 6 2; Clash 5 3]) (Split 1 [Clash 5 3; Clash 6 2])) = false.
Proof. reflexivity. Qed.

(** ** Branch *)

Definition above_one := Atom [m x (-2); m r 1] LT (-2 # 1).
Definition below_two := Atom [m x 2; m r (-1)] LT (4 # 1).
Definition no_real := Atom [m r 1] EQ 0.

Example branch : follows [above_one; below_two; no_real]
  (Branch [m x 1] 1 (Farkas [m 1 1; m 4 2; m 3 (-1)]) (Farkas [m 2 1; m 4 2; m 3 1])) = true.
Proof. reflexivity. Qed.
Example a_branch_at_another_bound : follows [above_one; below_two; no_real]
  (Branch [m x 1] 2 (Farkas [m 1 1; m 4 2; m 3 (-1)]) (Farkas [m 2 1; m 4 2; m 3 1])) = false.
Proof. reflexivity. Qed.
Example a_branch_on_a_real : follows [Atom [m r (-1)] LT (-1 # 1); Atom [m r 1] LT (2 # 1)]
  (Branch [m r 1] 1 (Farkas [m 1 1; m 3 1]) (Farkas [m 2 1; m 3 1])) = false.
Proof. reflexivity. Qed.
Example a_branch_with_a_real : follows [Atom [m r (-1)] LT (-1 # 1); Atom [m r 1] LT (2 # 1)]
  (Branch [m x 0; m r 1] 1 (Farkas [m 1 1; m 3 1]) (Farkas [m 2 1; m 3 1])) = false.
Proof. reflexivity. Qed.

(** ** Cut *)

Definition sum_at_most_one := Atom [m x 1; m y 1] LE 1.
Definition difference_at_most_zero := Atom [m x 1; m y (-1)] LE 0.
Definition at_least_one := Atom [m x (-1)] LE (-1 # 1).

Example cut : follows [sum_at_most_one; difference_at_most_zero; at_least_one]
  (Cut [m 1 1; m 2 1] (Farkas [m 3 1; m 4 1])) = true.
Proof. reflexivity. Qed.
Example a_cut_with_another_multiplier : follows [sum_at_most_one; difference_at_most_zero; at_least_one]
  (Cut [m 1 2; m 2 1] (Farkas [m 3 1; m 4 1])) = false.
Proof. reflexivity. Qed.
Example a_cut_of_no_atom : follows [a; at_least_one] (Cut [m 1 1] (Farkas [m 2 1])) = false.
Proof. reflexivity. Qed.
(** Nothing is rounded where a real takes part. *)
Example a_cut_of_reals : follows [Atom [m r 1; m 5 1] LE 1; Atom [m r 1; m 5 (-1)] LE 0; Atom [m r (-1)] LE (-1 # 2)]
  (Cut [m 1 1; m 2 1] (Farkas [m 3 1; m 4 1])) = false.
Proof. reflexivity. Qed.

(** * Obligations *)

(** A counter from 0 that a step may raise or leave, and that is never negative; evidence is one node, [0 <= c]. *)
Definition state_nodes : list node := [NIntVar 1; NNum 0; NEq 1 2; NLe 2 1]%positive.
Definition raised (k : Q) : list node :=
  [NIntVar (now 1); NIntVar (next 1); NNum k; NAdd 1 3; NEq 2 4; NEq 2 1; NOr [5; 6]; NNum 0; NLe 8 1]%positive.

Definition counter (k : Q) (transitions : list positive) (label successors : list positive) (claim : list (list positive)) : certificate :=
  Certificate state_nodes (raised k) [] 3 7 [9%positive] transitions
    [Diagram [(label, map (fun _ => successors) transitions)] []] claim.

(** Cover, initiation, consecution of both transitions, safety. *)
Definition covering : evidence := ([], Split 1 [Clash 2 4; Clash 3 4])%positive.
Definition initiating : evidence := ([], Farkas [m 1 (-1); m 2 1]).
Definition consecutive : evidence := ([], Farkas [m 1 1; m 2 (-1); m 3 1]).
Definition safe_there : evidence := ([], Clash 1 2)%positive.
Definition all_evidence := [covering; initiating; consecutive; consecutive; safe_there].

Definition good := counter 1 [5; 6]%positive [4%positive] [1%positive] [[1%positive]].

Example a_certificate : check good all_evidence = true.
Proof. reflexivity. Qed.
Example its_slices : check_slice good 0 3 (firstn 3 all_evidence) && check_slice good 3 2 (skipn 3 all_evidence) && complete good [3; 2]%N = true.
Proof. reflexivity. Qed.

Definition open_obligations (c : certificate) (es : list evidence) : list kind := open (parts c) (obligations c) es.

Example a_transition_that_is_left_out :
  open_obligations (counter 1 [5]%positive [4%positive] [1%positive] [[1%positive]]) [covering; initiating; consecutive; safe_there] = [Cover].
Proof. reflexivity. Qed.
Example no_transition_at_all :
  check (counter 1 [] [4%positive] [1%positive] [[1%positive]]) [covering; initiating; safe_there] = false.
Proof. reflexivity. Qed.
Example a_node_that_leaves_out_the_beginning :
  open_obligations (counter 1 [5; 6]%positive [6%positive] [1%positive] [[1%positive]]) all_evidence <> [].
Proof. discriminate. Qed.
Example an_edge_that_is_missing :
  open_obligations (counter 1 [5; 6]%positive [4%positive] [] [[1%positive]]) all_evidence = [Consecution 0 0 0; Consecution 0 0 1].
Proof. reflexivity. Qed.
Example a_system_that_goes_down :
  open_obligations (counter (-1) [5; 6]%positive [4%positive] [1%positive] [[1%positive]]) all_evidence = [Consecution 0 0 0].
Proof. reflexivity. Qed.
Example a_label_that_says_nothing :
  open_obligations (counter 1 [5; 6]%positive [] [1%positive] [[1%positive]]) all_evidence = [Initiation 0; Consecution 0 0 0; Consecution 0 0 1; Safety 0 0].
Proof. reflexivity. Qed.
Example an_edge_to_a_node_that_is_not_there :
  open_obligations (counter 1 [5; 6]%positive [4%positive] [2%positive] [[1%positive]]) all_evidence = [Consecution 0 0 0; Consecution 0 0 1].
Proof. reflexivity. Qed.
Example a_property_that_nothing_is_claimed_about :
  open_obligations (counter 1 [5; 6]%positive [4%positive] [1%positive] []) all_evidence = [Safety 0 0].
Proof. reflexivity. Qed.
Example a_claim_without_diagrams :
  open_obligations (counter 1 [5; 6]%positive [4%positive] [1%positive] [[]]) all_evidence = [Safety 0 0].
Proof. reflexivity. Qed.
Example a_claim_with_a_diagram_that_is_not_there :
  open_obligations (counter 1 [5; 6]%positive [4%positive] [1%positive] [[2%positive]]) all_evidence = [Safety 0 0].
Proof. reflexivity. Qed.
Example evidence_that_is_missing : open_obligations good (firstn 4 all_evidence) = [Safety 0 0].
Proof. reflexivity. Qed.
Example no_evidence : length (open_obligations good []) = 5%nat.
Proof. reflexivity. Qed.
Example evidence_in_another_order :
  open_obligations good [initiating; covering; consecutive; consecutive; safe_there] = [Cover; Initiation 0].
Proof. reflexivity. Qed.
Example slices_that_leave_something_out : complete good [3; 1]%N = false.
Proof. reflexivity. Qed.
Example a_slice_that_is_longer_than_its_evidence : check_slice good 0 4 (firstn 3 all_evidence) = false.
Proof. reflexivity. Qed.

(** A diagram may assume the invariants of others; what is assumed is an obligation of theirs. *)
Definition two (first second : list positive) (assumed : list positive) : certificate :=
  Certificate state_nodes (raised 1) [] 3 7 [9%positive] [5; 6]%positive
    [Diagram [(first, [[1]; [1]])] assumed; Diagram [(second, [[1]; [1]])] []]%positive [[1%positive]].

Example an_assumption :
  check (two [4] [4] [2])%positive
    [covering; initiating; ([], Farkas [m 1 1; m 3 (-1); m 4 1]); ([], Farkas [m 1 1; m 3 (-1); m 4 1]);
     initiating; consecutive; consecutive; safe_there] = true.
Proof. reflexivity. Qed.
Example an_assumption_that_is_not_proved :
  open_obligations (two [4] [3] [2])%positive
    [covering; initiating; ([], Farkas [m 2 1; m 3 (-1); m 4 1]); ([], Farkas [m 2 1; m 3 (-1); m 4 1]);
     initiating; consecutive; consecutive; safe_there] = [Initiation 1; Consecution 1 0 0; Consecution 1 0 1].
Proof. reflexivity. Qed.
Example an_assumption_of_a_diagram_that_is_not_there :
  open_obligations (two [4] [4] [3])%positive
    [covering; initiating; ([], Farkas [m 2 1; m 3 (-1); m 4 1]); ([], Farkas [m 2 1; m 3 (-1); m 4 1]);
     initiating; consecutive; consecutive; safe_there] = [Consecution 0 0 0; Consecution 0 0 1].
Proof. reflexivity. Qed.

(** * Integer parts *)

(** The integer part of half of [x], and one that is about itself. *)
Definition half := Part (Linear [m x 1] 0 1) 2.
Definition about_itself := Part (Linear [m (xO (part_variable 1)) 1] 1 1) 1.

Example parts_in_order : ordered 1 [half; Part (Linear [m (xO (part_variable 1)) 1] 1 1) 3] = true.
Proof. reflexivity. Qed.
Example a_part_about_itself : ordered 1 [about_itself] = false.
Proof. reflexivity. Qed.
Example a_certificate_with_a_part_about_itself :
  check (Certificate state_nodes (raised 1) [about_itself] 3 7 [9%positive] [5; 6]%positive
    [Diagram [([4], [[1]; [1]])] []]%positive [[1%positive]]) all_evidence = false.
Proof. reflexivity. Qed.
Example a_part_by_zero : definitions [Part (Linear [m x 1] 0 1) 0] [1%positive] = None.
Proof. reflexivity. Qed.
Example a_part_that_is_not_there : definitions [half] [2%positive] = None.
Proof. reflexivity. Qed.

(** * Nodes *)

Example a_product_of_variables : entry_of own [] (entries_of own [] [NIntVar 1; NIntVar 2]%positive) (NMul 1 2) = None.
Proof. reflexivity. Qed.
Example a_sum_of_truth_values : entry_of own [] (entries_of own [] [NBoolVar 1; NIntVar 2]%positive) (NAdd 1 2) = None.
Proof. reflexivity. Qed.
Example a_node_about_a_later_one : entry_of own [] (entries_of own [] [NBoolVar 1]) (NNot 2) = None.
Proof. reflexivity. Qed.

(** * Texts *)

Definition nothing_proved := ["0"]%text.
Example a_text_that_ends_in_a_number : numbers ["0Q"]%text = None.
Proof. reflexivity. Qed.
Example a_character_that_is_no_digit : numbers ["0 1"]%text = None.
Proof. reflexivity. Qed.
Example a_list_that_is_too_short : read (many natural) ["201"]%text = Some [0; 1]%N /\ read (many natural) ["301"]%text = None.
Proof. split; reflexivity. Qed.
Example a_text_with_a_rest : read (many natural) ["2011"]%text = None.
Proof. reflexivity. Qed.
Example a_huge_list : read (many natural) ["oooooooooooooooooooooo0"]%text = None.
Proof. reflexivity. Qed.
Example a_step_about_a_later_one : read some_evidence ["122:000"]%text = None.
Proof. reflexivity. Qed.
Example a_rule_that_is_not_there : read some_evidence ["1600"]%text = None.
Proof. reflexivity. Qed.
Example no_certificate : judge ["Z"]%text [] = NoCertificate.
Proof. reflexivity. Qed.
