// Portable logarithm and exponential: Math.log and Math.exp may differ between engines.

/** Terms of both series: more do not change the result for the reduced arguments. */
const TERMS = 24;

/** The natural logarithm of a positive number. */
export function ln(x: number): number {
  let mantissa = x;
  let exponent = 0;
  for (; mantissa > Math.SQRT2; exponent++) mantissa /= 2;
  for (; mantissa < Math.SQRT1_2; exponent--) mantissa *= 2;
  // ln m = 2 artanh((m − 1) / (m + 1)), of which the argument is below 0.18.
  const ratio = (mantissa - 1) / (mantissa + 1);
  let power = ratio;
  let sum = 0;
  for (let term = 1; term <= TERMS; term += 2) {
    sum += power / term;
    power *= ratio * ratio;
  }
  return exponent * Math.LN2 + 2 * sum;
}

/** Below this exponent the result is 0; arguments above its negative do not occur. */
const LEAST_EXPONENT = -700;

/** e to the power of x, for x below 700. */
export function exp(x: number): number {
  if (x < LEAST_EXPONENT) return 0;
  const doublings = Math.round(x / Math.LN2);
  const rest = x - doublings * Math.LN2;
  let sum = 1;
  let power = 1;
  for (let term = 1; term <= TERMS; term++) {
    power *= rest / term;
    // Further terms are smaller, and would not change the sum either.
    if (sum + power === sum) break;
    sum += power;
  }
  for (let left = doublings; left > 0; left--) sum *= 2;
  for (let left = doublings; left < 0; left++) sum /= 2;
  return sum;
}
