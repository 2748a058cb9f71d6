// Grids that depend on one another: when one may begin, and when the one before is over (D01, D02).
import type { OpenFlights } from './flights.ts';
import type { Instruction } from './instruction.ts';
import type { Layout } from './layout.ts';
import type { MachineShape } from './shape.ts';

/** The grid of a CTA. */
function gridOf({ grids }: MachineShape, cta: number): number {
  return grids.findIndex(({ end }) => cta < end);
}

/** D01: whether each CTA of the grid before has launched its dependents, or has ended. */
function isLaunched(words: Int32Array, layout: Layout, shape: MachineShape, cta: number): boolean {
  const before = shape.grids[gridOf(shape, cta) - 1];
  if (before === undefined) return true;
  for (let one = before.first; one < before.end; one++) {
    if (words[layout.launched + one] === 0 && words[layout.ctas + one * 2 + 1] !== 0) return false;
  }
  return true;
}

/** D02: whether all roles of the grid before have ended, and its work in flight is over. */
function isGridOver(
  words: Int32Array,
  layout: Layout,
  shape: MachineShape,
  flights: OpenFlights,
  cta: number,
): boolean {
  const before = shape.grids[gridOf(shape, cta) - 1];
  if (before === undefined) return true;
  for (let one = before.first; one < before.end; one++) {
    if (words[layout.ctas + one * 2 + 1] !== 0) return false;
  }
  for (let index = flights.count(words) - 1; index >= 0; index--) {
    const { cta: own } = flights.flightAt(words, index);
    if (own >= before.first && own < before.end) return false;
  }
  return true;
}

/** D01, D02: whether a role may begin, or the grid before is over. */
export function mayFollow(
  words: Int32Array,
  layout: Layout,
  shape: MachineShape,
  flights: OpenFlights,
  { cta, isRaw }: Instruction,
): boolean {
  if (isRaw) return isLaunched(words, layout, shape, cta);
  return isGridOver(words, layout, shape, flights, cta);
}
