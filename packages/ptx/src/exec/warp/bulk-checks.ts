// What the ISA asks of the addresses and of the size of a bulk copy.
import type { Space } from '../../isa/effect.ts';
import type { Instruction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { checkAlignment, checkShared } from './alignment.ts';
import { checkBuffer } from './buffer-bounds.ts';
import type { CopiedMemory } from './copied-memory.ts';
import { checkOwn, checkSpace } from './state-space.ts';
import type { Warp } from './warp.ts';

/** Bytes that a bulk copy moves at least, and at a time. */
const BULK_BYTES = 16;
const BULK_RULE = `the addresses of a bulk copy are multiples of ${BULK_BYTES}`;
/** What the shared address of a copy through a tensor map is a multiple of. */
const TILE_ALIGNMENT = 128;
const TILE_RULE = `the shared address of a tensor copy is a multiple of ${TILE_ALIGNMENT}`;

/** Reports the shared address of a bulk copy that is no multiple of a unit. */
export function checkTile(warp: Warp, address: number, isTensor: boolean): void {
  if (isTensor) checkShared(warp, address, TILE_ALIGNMENT, TILE_RULE);
  else checkShared(warp, address, BULK_BYTES, BULK_RULE);
}

/** Reports the other address of a bulk copy, if it is in another space or no multiple of a unit. */
export function checkPlace(warp: Warp, space: Space, { low, high }: Wide): void {
  checkSpace(warp, space, low, high);
  if (space === 'shared') checkOwn(warp, low);
  checkAlignment(warp, low, high, BULK_BYTES, BULK_RULE);
}

/** Reports a bulk copy of a part of a unit. */
export function checkSize(warp: Warp, { index }: Instruction, bytes: number): void {
  if (bytes % BULK_BYTES === 0) return;
  const text = `a bulk copy of ${bytes} B: it moves multiples of ${BULK_BYTES} B`;
  warp.machine.misuse('misaligned', index, text, `its size is a multiple of ${BULK_BYTES}`, warp);
}

/** Reports a copy of global memory beyond its buffer. */
export function checkRange(
  warp: Warp,
  { address: { low, high }, bytes }: CopiedMemory,
  verb: 'reads' | 'writes',
): void {
  checkBuffer(warp, low, high, bytes, verb);
}
