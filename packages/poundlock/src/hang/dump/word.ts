// The 64-bit word of an mbarrier in shared memory, as GPUs of sm_90 keep it.

/** What the word of an mbarrier says. */
export interface BarrierWord {
  /** The parity of the phase that is open. */
  readonly phaseParity: 0 | 1;
  /** Arrivals that the phase still misses. */
  readonly pending: number;
  /** Arrivals that complete a phase. */
  readonly count: number;
  /** Bytes that the phase still misses; negative where more have come than are expected. */
  readonly bytes: number;
  /** Whether more arrivals came than a phase has. */
  readonly hasOverflowed: boolean;
}

const COUNT = { from: 1n, bits: 20 } as const;
const BYTES = { from: 21n, bits: 21 } as const;
const PENDING = { from: 43n, bits: 20 } as const;
const OVERFLOW = 42n;
const PARITY = 63n;

/** A field that holds the negative of a number, modulo its width. */
function negated(word: bigint, { from, bits }: { readonly from: bigint; readonly bits: number }) {
  const field = Number((word >> from) & ((1n << BigInt(bits)) - 1n));
  return (2 ** bits - field) % 2 ** bits;
}

/** The parts of a word. */
export function decodeWord(word: bigint): BarrierWord {
  const bytes = -Number(BigInt.asIntN(BYTES.bits, word >> BYTES.from));
  return {
    phaseParity: (word >> PARITY) & 1n ? 1 : 0,
    pending: negated(word, PENDING),
    count: negated(word, COUNT),
    bytes: bytes === 0 ? 0 : bytes,
    hasOverflowed: ((word >> OVERFLOW) & 1n) === 1n,
  };
}

/** The word with these parts. */
export function encodeWord(parts: Omit<BarrierWord, 'hasOverflowed'>): bigint {
  const field = (value: number, { from, bits }: { from: bigint; bits: number }): bigint =>
    BigInt.asUintN(bits, BigInt(-value)) << from;
  const { phaseParity, pending, count, bytes } = parts;
  const low = field(count, COUNT) | field(bytes, BYTES) | field(pending, PENDING);
  return low | (BigInt(phaseParity) << PARITY);
}

/** Whether a word can be that of an initialized mbarrier. */
export function isBarrierWord(word: bigint): boolean {
  const { count, pending, bytes } = decodeWord(word);
  const isOpen = pending > 0 || bytes !== 0;
  return (word & 1n) === 0n && count >= 1 && pending <= count && isOpen;
}
