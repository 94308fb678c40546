; expect: safe
; Two loops one after the other: the first counts up to a bound, the second counts down to zero; the counter never leaves the bounds.
(set-logic HORN)
(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (up 0 n))))
(assert (forall ((i Int) (n Int)) (=> (and (up i n) (< i n)) (up (+ i 1) n))))
(assert (forall ((i Int) (n Int)) (=> (and (up i n) (not (< i n))) (down i n))))
(assert (forall ((i Int) (n Int) (j Int)) (=> (and (down i n) (> i 0) (= j (- i 1))) (down j n))))
(assert (forall ((i Int) (n Int)) (=> (and (down i n) (or (< i 0) (> i n))) false)))
(check-sat)
