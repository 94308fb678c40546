// expect: safe
// Adds 1 to n, for any n. Proofs find that twice the sum is what it should be only with products; that it is at least n takes less.
extern void abort(void);
extern void reach_error(void);
extern int nondet_int(void);

int main(void) {
  int n = nondet_int();
  int i = 0;
  int sum = 0;
  while (i < n) {
    i++;
    sum += i;
  }
  if (n >= 0 && sum < n) {
    reach_error();
  }
  return 0;
}
