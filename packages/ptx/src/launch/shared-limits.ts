// The most shared memory of a block, by the architecture that a text is for.

/** Bytes of a block that opts in, by the number of the architecture. */
const BYTES: Readonly<Record<number, number>> = {
  50: 49_152,
  52: 49_152,
  53: 49_152,
  60: 49_152,
  61: 49_152,
  62: 49_152,
  70: 98_304,
  72: 98_304,
  75: 65_536,
  80: 166_912,
  86: 101_376,
  87: 166_912,
  88: 166_912,
  89: 101_376,
  90: 232_448,
  100: 232_448,
  101: 232_448,
  103: 232_448,
  107: 232_448,
  110: 232_448,
  120: 101_376,
  121: 101_376,
};
/** The most of any architecture. */
export const MAX_SHARED_BYTES = 232_448;

function numberOf(target: string): number {
  return Number(/\d+/.exec(target)?.[0] ?? Number.NaN);
}

/** The most bytes on the architecture that a text names. */
export function sharedLimit(target: string): number {
  return BYTES[numberOf(target)] ?? MAX_SHARED_BYTES;
}

/** The most bytes on any GPU that can execute it: a text for `sm_80` runs on later ones, too. */
export function mostShared(target: string): number {
  if (target.endsWith('a')) return sharedLimit(target);
  const own = numberOf(target);
  const later = Object.entries(BYTES).flatMap(([number, bytes]) => {
    return Number(number) >= own ? [bytes] : [];
  });
  return later.length === 0 ? MAX_SHARED_BYTES : Math.max(...later);
}
