// expect: safe
// Peterson's algorithm, run by a scheduler that lets either side take a step: both are never in their critical sections together.
extern void reach_error(void);
extern _Bool nondet_bool(void);

enum place { OUTSIDE, WANTING, WAITING, INSIDE };

int main(void) {
  enum place one = OUTSIDE, other = OUTSIDE;
  _Bool one_wants = 0, other_wants = 0, turn = 0;
  while (1) {
    if (nondet_bool()) {
      switch (one) {
      case OUTSIDE: one_wants = 1; one = WANTING; break;
      case WANTING: turn = 1; one = WAITING; break;
      case WAITING: if (!other_wants || turn == 0) one = INSIDE; break;
      case INSIDE: one_wants = 0; one = OUTSIDE; break;
      }
    } else {
      switch (other) {
      case OUTSIDE: other_wants = 1; other = WANTING; break;
      case WANTING: turn = 0; other = WAITING; break;
      case WAITING: if (!one_wants || turn == 1) other = INSIDE; break;
      case INSIDE: other_wants = 0; other = OUTSIDE; break;
      }
    }
    if (one == INSIDE && other == INSIDE) {
      reach_error();
    }
  }
}
