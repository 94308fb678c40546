// expect: unsafe
// Halves a number until it is 0. Division rounds towards zero, so that the sign of a remainder is that of the number: it may be -1.
extern int nondet_int(void);
void assert(int condition);

int main(void) {
  int number = nondet_int();
  int odd = 0;
  while (number != 0) {
    odd += number % 2;
    number /= 2;
    assert(odd >= 0);
  }
  return 0;
}
