// The memory that SMs share: fewer requests in flight leave more of its bandwidth idle.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as forAll, integer, property } from 'fast-check';
import { MemoryQueue } from '../../src/simulate/memory-queue.ts';
import { costsOf, MODELS } from '../../src/simulate/index.ts';

const SERVICE = 100;
const LATENCY = 200;
const REQUESTS = 2000;

/** Cycles of each request when so many are always in flight: the next is made when one ends. */
function period(inFlight: number, gapCycles: number): number {
  const queue = new MemoryQueue(costsOf(MODELS.h200), 0);
  queue.leaveGaps(gapCycles, LATENCY);
  const ends: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const time = i < inFlight ? 0 : ends[i - inFlight]!;
    queue.serve(time, SERVICE);
    ends.push(Math.max(queue.served, time) + LATENCY);
  }
  return (ends.at(-1)! - ends[REQUESTS / 2]!) / (REQUESTS / 2 - 1);
}

test('a round trip of what is in flight takes longer by the gap', () => {
  forAll(
    property(integer({ min: 4, max: 64 }), integer({ min: 1, max: 80 }), (count, gap) => {
      // Time in flight T: T = count · p and p = s · (1 + g / T), so p = s + g / count.
      const expected = SERVICE + gap / count;
      assert.ok(Math.abs(period(count, gap) / expected - 1) < 0.02);
    }),
    { numRuns: 30 },
  );
});

test('more requests in flight are never slower, and without a gap as fast', () => {
  for (const gap of [0, 40]) {
    const periods = [4, 8, 16, 32].map((count) => period(count, gap));
    const isFaster = (at: number): boolean => periods[at]! < periods[at - 1]! - 1e-9;
    for (const at of [1, 2, 3]) assert.equal(isFaster(at), gap > 0);
  }
});
