// What a final state leaves unfinished: barriers in the middle of a phase (M13).
import { BARRIER_WORDS, E, NAMED_BARRIERS, P, T, type Layout } from './layout.ts';
import type { MachineShape } from './shape.ts';

/** The physical barriers that have arrivals or bytes of an unfinished phase. */
export function restlessBarriers(
  words: Int32Array,
  { barriers, ctas }: MachineShape,
  layout: Layout,
): number[] {
  const found: number[] = [];
  for (let barrier = 0; barrier < barriers.length * ctas; barrier++) {
    const at = layout.barriers + barrier * BARRIER_WORDS;
    if (words[at + E]! < 0) continue;
    if (words[at + P] !== words[at + E] || words[at + T] !== 0) found.push(barrier);
  }
  return found;
}

/** The named barriers, by number and CTA, at which too few threads have arrived. */
export function unfilledNamed(words: Int32Array, { ctas }: MachineShape, layout: Layout): number[] {
  const found: number[] = [];
  for (let named = 0; named < ctas * NAMED_BARRIERS; named++) {
    if (words[layout.named + named * 2] !== 0) found.push(named);
  }
  return found;
}
