// Device addresses under other numbers: where memory lies says something of the machine. A launch
// needs only which addresses are in one allocation, and how they are aligned.

const FIRST = 0x7f00_0000_0000n;
/** The granularity of allocations, so that alignments stay what they were. */
const STEP = 0x20_0000n;

/** The allocations of a launch in the order of their first use. */
export class Allocations {
  readonly #bases = new Map<bigint, { readonly size: bigint; readonly at: bigint }>();
  #next = FIRST;

  /** Makes an allocation known. */
  add(base: bigint, size: number): void {
    if (this.#bases.has(base)) return;
    const offset = base % STEP;
    this.#bases.set(base, { size: BigInt(size), at: this.#next + offset });
    this.#next += ((offset + BigInt(size) + STEP - 1n) / STEP + 1n) * STEP;
  }

  /** The number of an address; `undefined` if it is in no known allocation. */
  renumber(address: bigint): bigint | undefined {
    for (const [base, { size, at }] of this.#bases)
      if (address >= base && address < base + size) return at + (address - base);
    return undefined;
  }

  /** Bytes from an address to the end of its allocation. */
  left(address: bigint): number {
    for (const [base, { size }] of this.#bases)
      if (address >= base && address < base + size) return Number(base + size - address);
    return 0;
  }
}

/** An address as launch files have it. */
export function addressText(address: bigint): string {
  return `0x${address.toString(16)}`;
}
