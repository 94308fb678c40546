(** The check as a program: what it says about texts, and that nothing is accepted that is not safe. *)

From Coq Require Import ZArith NArith List Bool.
From Slabcert Require Import Terms Systems Normalise Diagrams Checker Reader.
Import ListNotations.

Inductive verdict :=
| Accepted (s : system)
(** Obligations that are not discharged. *)
| Open (l : list kind)
(** The text of the certificate cannot be read. *)
| NoCertificate
(** The certificate names a term that is not there. *)
| NoSystem
(** The text of the evidence with the number (from 0) cannot be read. *)
| NoEvidence (n : N)
(** An integer part is of an expression about a later one. *)
| NotOrdered
(** There are refutations of more obligations than there are. *)
| TooMuchEvidence.

Fixpoint read_all (n : N) (texts : list (list text)) : list evidence + N :=
  match texts with
  | [] => inl []
  | t :: texts =>
      match read_evidence t, read_all (N.succ n) texts with
      | None, _ => inr n
      | Some es, inl others => inl (es ++ others)
      | Some _, inr m => inr m
      end
  end.

Definition judge (certificate : list text) (texts : list (list text)) : verdict :=
  match read_certificate certificate with
  | None => NoCertificate
  | Some c =>
      match system_of c, read_all 0 texts with
      | None, _ => NoSystem
      | Some _, inr n => NoEvidence n
      | Some s, inl es =>
          if ordered 1 (parts c) then
            let os := obligations c in
            if (length os <? length es)%nat then TooMuchEvidence
            else match open (parts c) os es with [] => Accepted s | l => Open l end
          else NotOrdered
      end
  end.

Theorem judge_sound certificate texts s : judge certificate texts = Accepted s ->
  states certificate s /\ safe s.
Proof.
  unfold judge, states. destruct (read_certificate certificate) as [c|]; [|discriminate].
  destruct (system_of c) as [s'|] eqn:E; [|discriminate].
  destruct (read_all 0 texts) as [es|n]; [|discriminate].
  destruct (ordered 1 (parts c)) eqn:O; [|discriminate].
  destruct (length (obligations c) <? length es)%nat; [discriminate|].
  destruct (open (parts c) (obligations c) es) eqn:A; [|discriminate].
  intros H. inversion H; subst. split; [reflexivity|]. apply (check_sound c es s E).
  unfold check, all_discharged. rewrite O, A. reflexivity.
Qed.

(** The theorems have no axioms. *)
Print Assumptions check_sound.
Print Assumptions text_slices_sound.
Print Assumptions judge_sound.
