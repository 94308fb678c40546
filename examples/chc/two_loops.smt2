; expect: safe
; Two loops one after the other: the first counts a counter up to a bound, the second counts it down, two at a time, and a second
; counter up; in the end twice the second counter is at most the bound.
(set-logic HORN)
(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (up 0 n))))
(assert (forall ((i Int) (n Int)) (=> (and (up i n) (< i n)) (up (+ i 1) n))))
(assert (forall ((i Int) (n Int)) (=> (and (up i n) (not (< i n))) (down i n 0))))
(assert (forall ((i Int) (n Int) (k Int) (j Int))
  (=> (and (down i n k) (>= i 2) (= j (- i 2))) (down j n (+ k 1)))))
(assert (forall ((i Int) (n Int) (k Int)) (=> (and (down i n k) (< i 2) (> (* 2 k) n)) false)))
(check-sat)
