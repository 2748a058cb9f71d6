// Values as sums of multiples of others, of which quotients by constants cancel: x − 7⌊x/7⌋, and
// what it is beside 7⌊x/7⌋. As integers, and not modulo the size of a register.
import type { Reach } from './reach.ts';

/** A sum of multiples of values, and a number. */
export interface Form {
  readonly terms: ReadonlyMap<object, Term>;
  readonly constant: number;
}

/** A multiple of a value. */
interface Term {
  readonly value: Reach;
  readonly factor: number;
}

/** What a quotient is one of. */
export interface QuotientOf {
  readonly value: Reach;
  readonly divisor: number;
}

/** The most values of a sum. */
const MAX_TERMS = 8;

const NO_TERMS: ReadonlyMap<object, Term> = new Map();

/** Bounds with the same identity are of one value. */
export function identityOf(reach: Reach): object {
  return reach.identity ?? reach;
}

/** A value as a sum. */
export function formOf(reach: Reach, constant: number | null): Form {
  if (reach.form !== undefined) return reach.form;
  if (constant !== null) return { terms: NO_TERMS, constant };
  return { terms: new Map([[identityOf(reach), { value: reach, factor: 1 }]]), constant: 0 };
}

/** The sum of two, the second one `factor` times; `null`: it is not followed. */
export function formSum(one: Form, other: Form, factor: number): Form | null {
  const terms = new Map(one.terms);
  for (const [identity, { value, factor: own }] of other.terms) {
    const total = (terms.get(identity)?.factor ?? 0) + own * factor;
    if (total === 0) terms.delete(identity);
    else terms.set(identity, { value, factor: total });
  }
  const constant = one.constant + other.constant * factor;
  const isExact = [constant, ...[...terms.values()].map((each) => each.factor)].every((each) =>
    Number.isSafeInteger(each),
  );
  return isExact && terms.size <= MAX_TERMS ? { terms, constant } : null;
}

/** A multiple of a sum. */
export function scaledForm(form: Form, factor: number): Form | null {
  return formSum({ terms: NO_TERMS, constant: 0 }, form, factor);
}

/**
 * The largest integer that is at most a quotient of a sum: what the divisor divides comes before
 * the quotient of the only value that is left; `null`: there are several.
 */
export function formQuotient(
  { terms, constant }: Form,
  divisor: number,
  quotientOf: (value: Reach) => Reach,
): Form | null {
  if (constant % divisor !== 0) return null;
  const whole = new Map<object, Term>();
  let left: Reach | null = null;
  for (const [identity, { value, factor }] of terms) {
    if (factor % divisor === 0) whole.set(identity, { value, factor: factor / divisor });
    else if (left === null && factor === 1) left = value;
    else return null;
  }
  const form: Form = { terms: whole, constant: constant / divisor };
  return left === null ? form : formSum(form, formOf(quotientOf(left), null), 1);
}

/** Quotients by their dividends and divisors: two of the same are one value. */
const quotients = new WeakMap<object, Map<number, object>>();

/** What identifies the quotient of a value by a positive constant. */
export function quotientIdentity(reach: Reach, divisor: number): [object, QuotientOf] {
  // ⌊⌊x/a⌋/b⌋ = ⌊x/ab⌋
  const { quotientOf } = reach;
  const of = {
    value: quotientOf?.value ?? reach,
    divisor: (quotientOf?.divisor ?? 1) * divisor,
  };
  const dividend = identityOf(of.value);
  let known = quotients.get(dividend);
  if (known === undefined) quotients.set(dividend, (known = new Map()));
  let identity = known.get(of.divisor);
  if (identity === undefined) known.set(of.divisor, (identity = {}));
  return [identity, of];
}
