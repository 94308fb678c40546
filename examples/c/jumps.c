// expect: safe
// A generator and its user, as a translator makes them of coroutines: each continues where it stopped, by a jump into its loop.
extern int nondet_int(void);
extern void reach_error(void);

int generator_at = 0, user_at = 0;
int sent = 0, received = 0, has_value = 0;

void generator(void) {
  int step;
  if (generator_at == 1) goto resume;
  while (1) {
    step = nondet_int();
    if (step <= 0) step = 1;
    sent = sent + step;
    has_value = 1;
    generator_at = 1;
    return;
  resume:;
  }
}

void user(void) {
  int last;
  if (user_at == 1) goto resume;
  while (1) {
    last = received;
    received = sent;
    has_value = 0;
    if (received <= last) reach_error();
    user_at = 1;
    return;
  resume:;
  }
}

int main(void) {
  while (1) {
    if (has_value) user(); else generator();
  }
}
