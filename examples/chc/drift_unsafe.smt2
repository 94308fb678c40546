; expect: unsafe
; A clock and its copy, as rules and a query. The copy is synchronised whenever it lags by more than one, but it may be read just
; before that: the difference of two is reached.
(declare-rel run (Real Real))
(declare-rel apart ())
(declare-var clock Real)
(declare-var copy Real)
(declare-var delay Real)
(rule (run 0.0 0.0))
(rule (=> (and (run clock copy) (> delay 0.0) (<= delay 1.5) (<= (- clock copy) 1.0)) (run (+ clock delay) copy)) advance)
(rule (=> (and (run clock copy) (> (- clock copy) 1.0)) (run clock clock)) synchronise)
(rule (=> (and (run clock copy) (>= (- clock copy) 2.0)) apart))
(query apart)
