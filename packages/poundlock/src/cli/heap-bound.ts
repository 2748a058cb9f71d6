// The heap of this process as a bound: a check that fills it is inconclusive, and does not crash.
import { getHeapStatistics } from 'node:v8';
import { grouped } from '@poundlock/core/internal/base';

/** V8 collects garbage long before so much of the heap is in use: what is left cannot be freed. */
const FULL = 0.92;
const MEGABYTE = 2 ** 20;

/** What V8 says of its heap, in bytes. */
export type Heap = Pick<ReturnType<typeof getHeapStatistics>, 'used_heap_size' | 'heap_size_limit'>;

/** Why there is no memory for more work, or `null`. */
export function whyFull(heap: Heap = getHeapStatistics()): string | null {
  const { used_heap_size: used, heap_size_limit: limit } = heap;
  if (used < FULL * limit) return null;
  const megabytes = grouped(Math.round(limit / MEGABYTE));
  return (
    `the bound memory of ${megabytes} MB was reached: NODE_OPTIONS=--max-old-space-size=MB ` +
    'raises it'
  );
}
