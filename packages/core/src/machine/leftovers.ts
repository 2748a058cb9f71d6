// What ends leave unfinished: barriers in the middle of a phase (M13), work of a CTA (L03).
import { BARRIER_WORDS, E, P, T, type Layout } from './layout.ts';
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
    // C02: a counter in memory may stand anywhere.
    if (words[at + E]! < 0 || barriers[Math.floor(barrier / ctas)]!.isGlobal === true) continue;
    if (words[at + P] !== words[at + E] || words[at + T] !== 0) found.push(barrier);
  }
  return found;
}

/** The named barriers, by number and CTA, at which too few threads have arrived. */
export function unfilledNamed(words: Int32Array, shape: MachineShape, layout: Layout): number[] {
  const found: number[] = [];
  for (let named = 0; named < shape.ctas * shape.named; named++) {
    if (words[layout.named + named * 2] !== 0) found.push(named);
  }
  return found;
}

/** L02, L03: whether a CTA has exited, or its last role has ended. */
export function isCtaOver(words: Int32Array, layout: Layout, cta: number): boolean {
  const at = layout.ctas + cta * 2;
  return words[at] !== 0 || words[at + 1] === 0;
}
