// 64-bit integers as two unsigned halves of 32 bits, without allocation.

/** A 64-bit result: the functions below write into one that the caller owns. */
export interface Wide {
  low: number;
  high: number;
}

const HALF = 2 ** 32;

/** Writes both halves. */
export function set(out: Wide, low: number, high: number): void {
  out.low = low >>> 0;
  out.high = high >>> 0;
}

/** The signed 64-bit integer of two halves. */
export function signedBig(low: number, high: number): bigint {
  return (BigInt(high | 0) << 32n) | BigInt(low >>> 0);
}

/** The unsigned 64-bit integer of two halves. */
export function unsignedBig(low: number, high: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** Writes the low 64 bits of an integer. */
export function setBig(out: Wide, value: bigint): void {
  const bits = BigInt.asUintN(64, value);
  out.low = Number(bits & 0xffff_ffffn);
  out.high = Number(bits >> 32n);
}

export function add(out: Wide, aLow: number, aHigh: number, bLow: number, bHigh: number): void {
  const low = aLow + bLow;
  set(out, low, aHigh + bHigh + (low >= HALF ? 1 : 0));
}

export function subtract(
  out: Wide,
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
): void {
  set(out, aLow - bLow, aHigh - bHigh - (aLow < bLow ? 1 : 0));
}

/** The unsigned 64-bit product of two unsigned 32-bit integers. */
export function product(out: Wide, a: number, b: number): void {
  const aHigh = a >>> 16;
  const aLow = a & 0xffff;
  const bHigh = b >>> 16;
  const bLow = b & 0xffff;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const second = aLow * bHigh + (middle & 0xffff);
  set(
    out,
    Math.imul(a, b),
    aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(second / 0x10000),
  );
}

/** The signed 64-bit product of two 32-bit integers. */
export function signedProduct(out: Wide, a: number, b: number): void {
  product(out, a >>> 0, b >>> 0);
  if ((a | 0) < 0) out.high = (out.high - b) >>> 0;
  if ((b | 0) < 0) out.high = (out.high - a) >>> 0;
}

/** The low 64 bits of a product. */
export function multiply(
  out: Wide,
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
): void {
  product(out, aLow, bLow);
  out.high = (out.high + Math.imul(aLow, bHigh) + Math.imul(aHigh, bLow)) >>> 0;
}

export function shiftLeft(out: Wide, low: number, high: number, count: number): void {
  if (count >= 64) set(out, 0, 0);
  else if (count >= 32) set(out, 0, low << (count - 32));
  else if (count === 0) set(out, low, high);
  else set(out, low << count, (high << count) | (low >>> (32 - count)));
}

export function shiftRight(out: Wide, low: number, high: number, count: number): void {
  if (count >= 64) set(out, 0, 0);
  else if (count >= 32) set(out, high >>> (count - 32), 0);
  else if (count === 0) set(out, low, high);
  else set(out, (low >>> count) | (high << (32 - count)), high >>> count);
}

export function shiftRightSigned(out: Wide, low: number, high: number, count: number): void {
  const sign = high >> 31;
  if (count >= 64) set(out, sign, sign);
  else if (count >= 32) set(out, (high | 0) >> (count - 32), sign);
  else if (count === 0) set(out, low, high);
  else set(out, (low >>> count) | (high << (32 - count)), (high | 0) >> count);
}

/** Whether one unsigned 64-bit integer is below another. */
export function isBelow(aLow: number, aHigh: number, bLow: number, bHigh: number): boolean {
  return aHigh === bHigh ? aLow < bLow : aHigh < bHigh;
}

/** Whether one signed 64-bit integer is below another. */
export function isBelowSigned(aLow: number, aHigh: number, bLow: number, bHigh: number): boolean {
  return aHigh === bHigh ? aLow < bLow : (aHigh | 0) < (bHigh | 0);
}
