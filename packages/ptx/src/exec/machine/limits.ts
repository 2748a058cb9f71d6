// What the machine does not model yet: a kernel that executes such instructions assumes it away.
import { grouped } from '@poundlock/core/internal/base';
import { volume } from '../../launch/launch.ts';
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

/** What a run of some blocks takes for granted of the others of its grid. */
export function otherBlocks(launch: Launch, executed: number): Assumption[] {
  const { grid, cluster, clusterLaunchControl } = launch;
  const size = volume(cluster);
  // What the first cluster asks for is executed by it, and begins no cluster of its own.
  const others = (volume(grid) - executed) / size - clusterLaunchControl.length;
  if (others <= 0) return [];
  const what = size === 1 ? 'block' : 'cluster';
  const text =
    others === 1
      ? `the other ${what} of the grid does what the first one does`
      : `the other ${grouped(others)} ${what}s of the grid do what the first one does`;
  return [{ name: 'other-blocks', at: 0, text }];
}

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
