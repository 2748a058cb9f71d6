// Identities of values that are not known: equal expressions over equal inputs have equal terms.
// A term is a 63-bit hash, so two different expressions share one with a probability near 2^-63.
// The last bit says that lanes with this term have a value each, of which nothing is known.
import type { Wide } from './wide.ts';

const FIRST = 0x9e37_79b1;
const SECOND = 0x85eb_ca77;
/** The bit of the high half of a term that stands for another value in each lane. */
const VARYING = 0x8000_0000;
/** The other bits. */
export const HASH = 0x7fff_ffff;

/** Starts a term from a number, such as that of an opcode. */
export function start(out: Wide, seed: number): void {
  out.low = Math.imul(seed ^ 0x1656_67b1, FIRST) >>> 0;
  out.high = Math.imul(seed ^ 0x27d4_eb2f, SECOND) & HASH;
}

/** Whether lanes with the term have a value each. */
export function isVarying(high: number): boolean {
  return (high & VARYING) !== 0;
}

/** Lets a term stand for another value in each lane. */
export function vary(out: Wide): void {
  out.high = (out.high | VARYING) >>> 0;
}

/** The term of one lane's value, of a term that stands for another one in each lane. */
export function ofLane(out: Wide, lane: number): void {
  out.high &= HASH;
  mix(out, lane, 0, 1);
}

/** The first half of adding an input to a term, for its low half. */
export function mixedLow(low: number, input: number, isKnown: number): number {
  const one = Math.imul(low ^ input ^ (isKnown === 0 ? 0x5bd1_e995 : 0), FIRST);
  return one ^ (one >>> 15);
}

/** The same for its high half. */
export function mixedHigh(high: number, input: number, isKnown: number): number {
  const two = Math.imul(high ^ input ^ (isKnown === 0 ? 0x7fea_b0c5 : 0), SECOND);
  return two ^ (two >>> 13);
}

/** The bit of a term and of another input that differs by lane if one of them does. */
export function varyingBit(high: number, input: number, isKnown: number): number {
  return (isKnown === 0 ? high | input : high) & VARYING;
}

/** Adds an input to a term: a value with both halves, and whether it is known. */
export function mix(out: Wide, low: number, high: number, isKnown: number): void {
  const varying = varyingBit(out.high, high, isKnown);
  let one = mixedLow(out.low, low, isKnown);
  let two = mixedHigh(out.high, high, isKnown);
  one = Math.imul(one + two, 0xc2b2_ae3d);
  two = Math.imul(two ^ one, 0x27d4_eb2f);
  out.low = (one ^ (two >>> 16)) >>> 0;
  out.high = (((two ^ (one >>> 17)) & HASH) | varying) >>> 0;
}

const NEGATED_LOW = 0x5a3c_96e1;
const NEGATED_HIGH = 0x1e87_d24b;

/** The term of a predicate's opposite; that of the opposite is the predicate's again. */
export function negate(out: Wide): void {
  out.low = (out.low ^ NEGATED_LOW) >>> 0;
  out.high = (out.high ^ NEGATED_HIGH) >>> 0;
}

/** Whether the first two inputs of a term have to change places to be in order. */
export function isOutOfOrder(aLow: number, aHigh: number, bLow: number, bHigh: number): boolean {
  return aHigh === bHigh ? aLow > bLow : aHigh > bHigh;
}

/** A seed from a text, such as an opcode. */
export function seedOf(text: string): number {
  let seed = 0x811c_9dc5;
  for (let at = 0; at < text.length; at++)
    seed = Math.imul(seed ^ text.charCodeAt(at), 0x0100_0193);
  return seed >>> 0;
}
