; expect: safe
; One predicate in the style of the CHC competition: a counter that grows by the even number that a second one holds stays even.
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
    (=> (and (|loop head| A B C) (exists ((half Int)) (= A (+ (* 2 half) 1))))
        false)))
(check-sat)
