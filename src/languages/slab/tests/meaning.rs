//! What each construct means in the flat system.

use super::*;

#[test]
fn a_family_of_transitions_has_one_for_each_index() {
    let system = accepted(
        "system deque;
         const N = 3;
         var x[1..N] : int;
         init x[1] = 1 && forall i in 2..N: x[i] = 0;
         error full: forall i in 1..N: x[i] = 1;
         transition toggle[i in 1..N]
           when x[if i = 1 then N else i - 1] + x[if i = N then 1 else i + 1] = 1
           do   x[i] := 1 - x[i];",
    );
    assert_eq!(system.name, "deque");
    assert_eq!(
        system.init_formula().to_string(),
        "(and (= |x[1]| 1) (= |x[2]| 0) (= |x[3]| 0))"
    );
    assert_eq!(
        relation(&system, "toggle[1]"),
        "(and (= (+ |x[3]| |x[2]|) 1) (= |x[1].next| (- 1 |x[1]|)) (= |x[2].next| |x[2]|) (= |x[3].next| |x[3]|))"
    );
    assert_eq!(system.properties[0].name, "full");
    assert_eq!(
        system.properties[0].formula.to_string(),
        "(not (and (= |x[1]| 1) (= |x[2]| 1) (= |x[3]| 1)))"
    );
}
