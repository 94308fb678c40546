; An inductive invariant of examples/slab/bakery.slab for two processes, written by hand. It is checked against the flat system:
;
;   slabcert flatten examples/slab/bakery.slab > bakery.vmt
;   slabcert-check audit --system bakery.vmt --invariant examples/invariants/bakery.smt2
;
; P[i].location is 0 idle, 1 doorway, 2 waiting, 3 critical. Every function that no other one uses is a conjunct.

(define-fun in_doorway ((location Int)) Bool (= location 1))
(define-fun is_critical ((location Int)) Bool (= location 3))
(define-fun has_ticket ((location Int)) Bool (or (= location 2) (= location 3)))

(define-fun locations () Bool
  (and (<= 0 |P[1].location|) (<= |P[1].location| 3)
       (<= 0 |P[2].location|) (<= |P[2].location| 3)))

; The mark is set in the doorway and nowhere else.
(define-fun marks () Bool
  (and (= |P[1].choosing| (in_doorway |P[1].location|))
       (= |P[2].choosing| (in_doorway |P[2].location|))))

; Who waits or is inside has a ticket, nobody else has.
(define-fun tickets () Bool
  (and (ite (has_ticket |P[1].location|) (> |P[1].ticket| 0) (= |P[1].ticket| 0))
       (ite (has_ticket |P[2].location|) (> |P[2].ticket| 0) (= |P[2].ticket| 0))))

; What is chosen in the doorway will be a ticket.
(define-fun chosen () Bool
  (and (=> (in_doorway |P[1].location|) (> |P[1].number| 0))
       (=> (in_doorway |P[2].location|) (> |P[2].number| 0))))

; Who chooses while another one is inside chooses a later ticket.
(define-fun later () Bool
  (and (=> (and (is_critical |P[1].location|) (in_doorway |P[2].location|)) (> |P[2].number| |P[1].ticket|))
       (=> (and (is_critical |P[2].location|) (in_doorway |P[1].location|)) (> |P[1].number| |P[2].ticket|))))

; Who is inside is before everybody else with a ticket; of equal tickets, that of the first process is before.
(define-fun first () Bool
  (and (=> (and (is_critical |P[1].location|) (has_ticket |P[2].location|)) (<= |P[1].ticket| |P[2].ticket|))
       (=> (and (is_critical |P[2].location|) (has_ticket |P[1].location|)) (< |P[2].ticket| |P[1].ticket|))))
