// Squares of 32 × 32 bits: what one row holds of 32 events becomes what one event is in.

/** Rows and columns of a square. */
export const SIDE = 32;

/** Turns a square over its diagonal: bit `c` of word `r` becomes bit `r` of word `c`. */
export function transpose(square: Int32Array): void {
  // Blocks of half the size change places, then the blocks within them.
  for (let half = 16, low = 0x0000ffff; half !== 0; half >>= 1, low ^= low << half) {
    for (let r = 0; r < SIDE; r = (r + half + 1) & ~half) {
      const swapped = ((square[r]! >>> half) ^ square[r + half]!) & low;
      square[r]! ^= swapped << half;
      square[r + half]! ^= swapped;
    }
  }
}
