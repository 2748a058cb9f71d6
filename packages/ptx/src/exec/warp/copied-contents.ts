// What copies leave in shared memory, where clusters are executed together: copies of the same
// bytes leave the same, so that what is stored of them by several clusters may be the same.
import { mix, seedOf, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import type { Warp } from './warp.ts';

const WORD = 4;
const value: Wide = { low: 0, high: 0 };

/** What a copy reads: global memory from an address on, or something that a text names. */
export type CopySource = Wide | string;

/** A copy writes bytes of shared memory; `null`: what it reads is not known. */
export function writeCopied(
  { machine }: Warp,
  to: number,
  bytes: number,
  source: CopySource | null,
): void {
  const { memory } = machine;
  memory.overwrite(to, to + bytes);
  if (!machine.isOfClusters || source === null) return;
  for (let offset = 0; offset + WORD <= bytes; offset += WORD) {
    let isKnown = false;
    if (typeof source === 'string') {
      start(value, seedOf(source));
      mix(value, offset, 0, 1);
    } else isKnown = machine.global.load(source.low + offset, source.high, WORD, value);
    memory.store(to + offset, WORD, value, isKnown, null);
  }
}

/** A name of what bytes of shared memory hold, which equal contents have in common. */
function contentsOf({ machine }: Warp, from: number, bytes: number): string {
  const sum: Wide = { low: 0, high: 0 };
  start(sum, bytes);
  for (let offset = 0; offset < bytes; offset += WORD) {
    const isKnown = machine.memory.load(from + offset, WORD, value);
    mix(sum, value.low, value.high, isKnown ? 1 : 0);
  }
  return `${sum.low}:${sum.high}`;
}

/** Notes what a bulk copy has stored in global memory. */
export function noteStore(
  warp: Warp,
  from: number,
  bytes: number,
  writes: readonly number[],
  box: string | null,
): void {
  const { bulkStores, isOfClusters } = warp.machine;
  if (writes.length === 0 || !isOfClusters) return;
  const place = box ?? writes.join();
  const all = bulkStores.get(place) ?? [];
  bulkStores.set(place, all);
  all.push({ warp, step: warp.steps.length - 1, contents: contentsOf(warp, from, bytes) });
}
