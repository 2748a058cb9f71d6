// What a launch touches of global memory, as far as the blocks of its trace say it.
import { LINES, SECTORS } from '@poundlock/core/internal/program';
import type { IssuedWarp, IssueTrace } from '@poundlock/core/internal/program';

export const SECTOR_BYTES = 32;

/** What the blocks of a launch touch of a buffer. */
export interface Touched {
  /** Different bytes, of all blocks. */
  readonly bytes: number;
  /** How many blocks touch the same bytes, on average. */
  readonly blocksOfByte: number;
}

/** By buffer: what is touched of it, where the other blocks touch as much as those of the trace. */
export function touchedBy(trace: IssueTrace, blocks: number): readonly Touched[] {
  const own = trace.buffers.map(() => 0);
  const together = sectorsOf(trace.blocks.flat(), trace.buffers.length);
  for (const warps of trace.blocks)
    for (const [buffer, lines] of sectorsOf(warps, trace.buffers.length).entries())
      own[buffer]! += bytesOf(lines) / trace.blocks.length;
  return together.map((lines, buffer) => {
    const ofBlock = own[buffer]!;
    const ofAll = bytesOf(lines);
    const isSame = trace.blocks.length > 1 && ofAll === ofBlock;
    const most = isSame ? ofAll : Math.max(ofAll, trace.buffers[buffer]!);
    const bytes = Math.min(ofBlock * blocks, most);
    return { bytes, blocksOfByte: bytes === 0 ? 1 : (ofBlock * blocks) / bytes };
  });
}

type Sectors = ReadonlyMap<number, number>;

function bytesOf(lines: Sectors): number {
  let count = 0;
  for (const mask of lines.values()) count += BITS[mask]!;
  return count * SECTOR_BYTES;
}

/** By buffer: the lines that warps touch, with their sectors. */
function sectorsOf(warps: readonly IssuedWarp[], buffers: number): readonly Sectors[] {
  const sectors = Array.from({ length: buffers }, () => new Map<number, number>());
  for (const { lines } of warps)
    for (let at = 0; at < lines.length; at += lines[at]! + 2)
      for (let index = at + 2; index < at + 2 + lines[at]!; index++) {
        const whole = Math.floor(lines[index]! / SECTORS);
        const ofBuffer = sectors[Math.floor(whole / LINES)]!;
        ofBuffer.set(whole, (ofBuffer.get(whole) ?? 0) | (lines[index]! - whole * SECTORS));
      }
  return sectors;
}

/** Bits of a mask of sectors. */
export const BITS = Array.from({ length: SECTORS }, (_, mask) =>
  [1, 2, 4, 8].reduce((sum, bit) => sum + ((mask & bit) === 0 ? 0 : 1), 0),
);
