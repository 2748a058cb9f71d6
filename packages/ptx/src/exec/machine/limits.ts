// What the machine does not model yet: a kernel that executes such instructions assumes it away.
import type { Launch } from '../../launch/launch.ts';
import type { Assumption } from '../../steps/run.ts';
import type { PtxFunction } from '../../text/module.ts';

/** What is assumed of dependent launches, at the first instruction that was executed. */
const ENDED = 'the kernel before this one has ended, whatever griddepcontrol says';
/** Changes of registers where the kernel does not say how many its threads have. */
const IGNORED =
  'setmaxnreg is ignored, as by ptxas: the kernel has no .maxnreg, nor .minnctapersm with threads';
const EARLIER =
  'of what this kernel touches before it waits for the kernel before (griddepcontrol), that one ' +
  'touches only ';

/** The assumptions of a run about instructions that it executed. */
export function limitsOf(
  { instructions }: PtxFunction,
  reached: Uint8Array,
  { isProgrammatic, earlier }: Launch,
  registers: number | null,
): Assumption[] {
  const found = new Map<string, Assumption>();
  if (isProgrammatic) {
    const names = earlier.map(({ name }) => name).join(', ');
    const text = `${EARLIER}${names === '' ? 'what it does not write: give writtenBy' : names}`;
    found.set(text, { name: names === '' ? 'earlier-grid' : 'written-by', at: 0, text });
  }
  for (const { index, effect } of instructions) {
    const isIgnored = effect.kind === 'registers' && registers === null;
    const isEnded = effect.kind === 'grid' && !isProgrammatic;
    const text = isIgnored ? IGNORED : isEnded ? ENDED : null;
    if (text === null || reached[index] === 0 || found.has(text)) continue;
    const name = isIgnored ? 'ignored-setmaxnreg' : 'earlier-grid';
    found.set(text, { name, at: index, text });
  }
  return [...found.values()];
}
