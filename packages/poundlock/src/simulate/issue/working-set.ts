// What a launch touches of global memory, as far as its first block says it.
import { LINES, SECTORS } from '@poundlock/core/internal/program';
import type { IssueTrace } from '@poundlock/core/internal/program';

const SECTOR_BYTES = 32;

/** What the blocks of a launch touch of a buffer. */
export interface Touched {
  /** Different bytes, of all blocks. */
  readonly bytes: number;
  /** How many blocks touch the same bytes, on average. */
  readonly blocksOfByte: number;
}

/** By buffer: what is touched of it, where each block touches as much as the first. */
export function touchedBy({ warps, buffers }: IssueTrace, blocks: number): readonly Touched[] {
  const sectors = buffers.map(() => new Map<number, number>());
  for (const { lines } of warps)
    for (let at = 0; at < lines.length; at += lines[at]! + 1)
      for (let index = at + 1; index <= at + lines[at]!; index++) {
        const whole = Math.floor(lines[index]! / SECTORS);
        const ofBuffer = sectors[Math.floor(whole / LINES)]!;
        const mask = lines[index]! - whole * SECTORS;
        ofBuffer.set(whole, (ofBuffer.get(whole) ?? 0) | mask);
      }
  return sectors.map((lines, buffer) => {
    let count = 0;
    for (const mask of lines.values()) count += BITS[mask]!;
    const own = count * SECTOR_BYTES;
    const bytes = Math.min(own * blocks, Math.max(own, buffers[buffer]!));
    return { bytes, blocksOfByte: bytes === 0 ? 1 : (own * blocks) / bytes };
  });
}

/** Bits of a mask of sectors. */
export const BITS = Array.from({ length: SECTORS }, (_, mask) =>
  [1, 2, 4, 8].reduce((sum, bit) => sum + ((mask & bit) === 0 ? 0 : 1), 0),
);
