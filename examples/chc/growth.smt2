; expect: safe
; One predicate in the style of the CHC competition: a counter grows by what a second one holds, which grows itself every other time, and
; so the counter is never negative.
(set-logic HORN)
(declare-fun |loop head| (Int Int Bool) Bool)
(assert
  (forall ((A Int) (B Int) (C Bool))
    (=> (and (= A 0) (= B 2) C)
        (|loop head| A B C))))
(assert
  (forall ((A Int) (B Int) (C Bool) (D Int) (E Int) (F Bool))
    (=> (and (|loop head| A B C)
             (let ((sum (+ A B)))
               (and (= D sum) (= F (not C))
                    (or (and C (= E (+ B 2))) (and (not C) (= E B))))))
        (|loop head| D E F))))
(assert
  (forall ((A Int) (B Int) (C Bool))
    (=> (and (|loop head| A B C) (exists ((negative Int)) (and (< negative 0) (= A negative))))
        false)))
(check-sat)
