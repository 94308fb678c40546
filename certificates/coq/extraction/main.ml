(* The command line around the extracted [Judge.judge]: reads a file, says what the judge says. *)

open Judge

exception No_text of string

(* The character's code in binary, lowest bit first. *)
let byte_of c =
  let bit n = Char.code c land (1 lsl n) <> 0 in
  of_bits (bit 0, (bit 1, (bit 2, (bit 3, (bit 4, (bit 5, (bit 6, bit 7)))))))

let text_of line =
  let rec from n text = if n < 0 then text else from (n - 1) (Char (byte_of line.[n], text)) in
  from (String.length line - 1) End

(* Lines, in sections that empty lines separate. *)
let sections_of channel =
  let rec lines section sections =
    match input_line channel with
    | "" -> lines [] (List.rev section :: sections)
    | line -> lines (text_of line :: section) sections
    | exception End_of_file -> List.rev (List.rev section :: sections)
  in
  lines [] []

let read name =
  match open_in_bin name with
  | exception Sys_error message -> raise (No_text message)
  | channel -> (
      match sections_of channel with
      | exception Sys_error message -> raise (No_text message)
      | sections -> close_in channel; sections)

(* Decimal digits, lowest first, of twice the number and a bit. *)
let rec doubled carry = function
  | [] -> if carry = 0 then [] else [ carry ]
  | digit :: rest ->
      let sum = (2 * digit) + carry in
      (sum mod 10) :: doubled (sum / 10) rest

let rec digits = function
  | XH -> [ 1 ]
  | XO p -> doubled 0 (digits p)
  | XI p -> doubled 1 (digits p)

let positive p = String.concat "" (List.rev_map string_of_int (digits p))
let natural = function N0 -> "0" | Npos p -> positive p

let integer = function
  | Z0 -> "0"
  | Zpos p -> positive p
  | Zneg p -> "(- " ^ positive p ^ ")"

let rational { qnum; qden } =
  match qden with XH -> integer qnum | _ -> "(/ " ^ integer qnum ^ " " ^ positive qden ^ ")"

(* A variable of a step; in a state there is nothing to tell apart. *)
let of_step prefix = function
  | XO p -> prefix ^ positive p
  | XI (XO p) -> prefix ^ positive p ^ ".next"
  | XI (XI (XO p)) -> "input." ^ prefix ^ positive p
  | _ -> "0"

let of_state prefix p = prefix ^ positive p

(* A term in the syntax of SMT-LIB; [k] goes on with the rest. *)
let rec print out name term =
  let apply operator arguments =
    out ("(" ^ operator);
    List.iter (fun argument -> out " "; print out name argument) arguments;
    out ")"
  in
  match term with
  | Bool b -> out (string_of_bool b)
  | Num q -> out (rational q)
  | BoolVar p -> out (name "b" p)
  | IntVar p -> out (name "i" p)
  | RealVar p -> out (name "r" p)
  | Not t -> apply "not" [ t ]
  | And l -> apply "and" l
  | Or l -> apply "or" l
  | Ite (c, t, u) -> apply "ite" [ c; t; u ]
  | Eq0 (t, u) -> apply "=" [ t; u ]
  | Le (t, u) -> apply "<=" [ t; u ]
  | Lt0 (t, u) -> apply "<" [ t; u ]
  | Add (t, u) -> apply "+" [ t; u ]
  | Mul (t, u) -> apply "*" [ t; u ]
  | IntDiv (t, k) -> apply "div" [ t; Num { qnum = k; qden = XH } ]
  | Mod (t, k) -> apply "mod" [ t; Num { qnum = k; qden = XH } ]

let print_system system =
  let line what name term =
    print_string ("(" ^ what ^ " ");
    print print_string name term;
    print_endline ")"
  in
  line "init" of_state system.init;
  line "trans" of_step system.trans;
  List.iter (line "property" of_step) system.properties

let describe = function
  | Cover -> "every step of the system is a step of a named transition"
  | Initiation d -> "every initial state is in a node of diagram " ^ natural d
  | Consecution (d, n, t) ->
      Printf.sprintf "transition %s from node %s of diagram %s leads to its successors" (natural t) (natural n) (natural d)
  | Safety (p, n) -> Printf.sprintf "node %s excludes a violation of claim %s" (natural n) (natural p)

let rejected reasons =
  List.iter print_endline reasons;
  print_endline "rejected";
  exit 40

let rec first n = function x :: l when n > 0 -> x :: first (n - 1) l | _ -> []

let main show file =
  match read file with
  | exception No_text message -> prerr_endline ("error: " ^ message); exit 3
  | [] -> rejected [ "there is no certificate" ]
  | certificate :: evidence -> (
      match judge certificate evidence with
      | Accepted system -> if show then print_system system; print_endline "accepted"
      | Open l ->
          let shown = List.map (fun kind -> "not discharged: " ^ describe kind) (first 10 l) in
          rejected (shown @ [ Printf.sprintf "%d obligations are not discharged" (List.length l) ])
      | NoCertificate -> rejected [ "the text of the certificate cannot be read" ]
      | NoSystem -> rejected [ "the certificate names a term that is not there" ]
      | NoEvidence n -> rejected [ "part " ^ natural n ^ " of the evidence cannot be read" ]
      | NotOrdered -> rejected [ "an integer part is of an expression about a later one" ]
      | TooMuchEvidence -> rejected [ "there are refutations of more obligations than there are" ]
      | exception Stack_overflow -> rejected [ "it nests too deeply" ])

let () =
  match Array.to_list Sys.argv with
  | [ _; "--show"; file ] -> main true file
  | [ _; file ] when file <> "--help" -> main false file
  | _ ->
      prerr_endline "usage: verified-checker [--show] certificate.txt";
      prerr_endline "Checks what `slabcert export --to coq` wrote; --show prints the system that was checked.";
      exit 2
