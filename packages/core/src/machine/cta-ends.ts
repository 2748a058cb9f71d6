// Which word says that the CTA of a barrier or a buffer has ended (L02).
import type { Layout } from './layout.ts';
import type { MachineShape } from './shape.ts';

/** Instead of the word of a CTA's end: memory that every CTA has. */
export const NEVER = -1;

/** By physical id of so many declarations: the word of its CTA's end. */
export function endWords(
  { ctas }: MachineShape,
  layout: Layout,
  declared: number,
  globals: readonly number[] = [],
): Int32Array {
  const ends = Int32Array.from(
    { length: declared * ctas },
    (_, id) => layout.ctas + (id % ctas) * 2,
  );
  for (const id of globals) ends[id * ctas] = NEVER;
  return ends;
}

/** The same for barriers: those in global memory are there for good (C02). */
export function barrierEnds(shape: MachineShape, layout: Layout): Int32Array {
  const { barriers } = shape;
  const everywhere = barriers.flatMap(({ isGlobal }, id) => (isGlobal === true ? [id] : []));
  return endWords(shape, layout, barriers.length, everywhere);
}
