// Pools: allocation in order, waiting for room, and what may not be freed or touched (A01-A03).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Fault } from '#src/machine/index';
import { OpKind } from '#src/op/index';
import { Bench } from './bench.ts';

/** Buffer 0 is always there; 1 and 2 belong to a pool of 512 units. */
function poolOf(ctas = 1): Bench {
  return new Bench({ ctas, buffers: 3, pools: [{ capacity: 512, buffers: [1, 2] }] });
}
const alloc = (bench: Bench, units: number): number =>
  bench.issue(OpKind.alloc, { target: 0, units });
const free = (bench: Bench, buffer: number): Fault =>
  bench.faultOf(OpKind.free, { target: 0, writes: [buffer] });

test('A01: an allocation takes the first free buffer', () => {
  const bench = poolOf();
  assert.equal(alloc(bench, 128), 1);
  assert.equal(alloc(bench, 128), 2);
  assert.equal(free(bench, 1), Fault.none);
  assert.equal(alloc(bench, 256), 1);
});

test('A01: it waits while units or buffers are not free', () => {
  const bench = poolOf();
  const canTake = (units: number): boolean => bench.enabled(OpKind.alloc, { target: 0, units });
  alloc(bench, 384);
  assert.ok(canTake(128));
  assert.ok(!canTake(129), 'the units are not free');
  alloc(bench, 1);
  assert.ok(!canTake(1), 'no buffer is free');
  free(bench, 1);
  assert.ok(canTake(511));
  assert.ok(!canTake(512));
});

test('A01: more than the capacity can never be answered', () => {
  const bench = poolOf();
  assert.ok(bench.enabled(OpKind.alloc, { target: 0, units: 513 }), 'it need not wait for that');
  assert.equal(alloc(bench, 513), 0);
  assert.equal(bench.machine.fault, Fault.capacity);
  assert.equal(bench.machine.faultAt, 0);
});

test('A02: touching a buffer of a pool takes an allocation, other buffers take none', () => {
  const bench = poolOf();
  assert.equal(bench.faultOf(OpKind.read, { reads: [0] }), Fault.none);
  assert.equal(bench.faultOf(OpKind.read, { reads: [1] }), Fault.useAfterFree);
  alloc(bench, 32);
  assert.equal(bench.faultOf(OpKind.write, { writes: [1] }), Fault.none);
  free(bench, 1);
  assert.equal(bench.faultOf(OpKind.write, { writes: [1] }), Fault.useAfterFree);
  assert.equal(bench.machine.faultAt, 1);
});

test('A02: freeing twice, or what was never allocated, is a double free', () => {
  const bench = poolOf();
  assert.equal(free(bench, 2), Fault.doubleFree);
  assert.equal(bench.machine.faultAt, 2);
  alloc(bench, 32);
  assert.equal(free(bench, 1), Fault.none);
  assert.equal(free(bench, 1), Fault.doubleFree);
});

test('A03: after relinquish no allocation is possible, and free still is', () => {
  const bench = poolOf();
  alloc(bench, 32);
  bench.issue(OpKind.relinquish, { target: 0 });
  alloc(bench, 32);
  assert.equal(bench.machine.fault, Fault.capacity);
  assert.equal(free(bench, 1), Fault.none);
});

test('A03: a pool is given up when it was never used, or relinquished and all of it freed', () => {
  const bench = poolOf();
  const left = (): number[] => bench.machine.unrelinquished(bench.words);
  assert.deepEqual(left(), [], 'never allocated from');
  alloc(bench, 32);
  assert.deepEqual(left(), [0]);
  bench.issue(OpKind.relinquish, { target: 0 });
  assert.deepEqual(left(), [0], 'its memory is still taken');
  free(bench, 1);
  assert.deepEqual(left(), []);
});

test('A01: pools of different CTAs are different pools', () => {
  const bench = poolOf(2);
  // Physical pools 0 and 1, and buffers 2 and 3, are one declaration in two CTAs.
  assert.equal(bench.issue(OpKind.alloc, { target: 0, units: 512 }), 1);
  assert.equal(bench.issue(OpKind.alloc, { role: 1, target: 1, units: 512 }), 1);
  assert.ok(!bench.enabled(OpKind.alloc, { target: 0, units: 1 }));
  bench.machine.touchBuffer(bench.words, 3, 1);
  assert.equal(bench.machine.fault, Fault.none);
  assert.equal(bench.faultOf(OpKind.free, { target: 1, writes: [3], role: 1 }), Fault.none);
  assert.deepEqual(bench.machine.unrelinquished(bench.words), [0, 1]);
});

test('A01, A02, property: units are neither lost nor made', () => {
  const step = fc.record({
    units: fc.integer({ min: 1, max: 600 }),
    buffer: fc.constantFrom(1, 2),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const bench = poolOf();
      const taken = new Map<number, number>();
      for (const { units, buffer } of steps) {
        const used = [...taken.values()].reduce((sum, one) => sum + one, 0);
        const isPossible = units > 512 || (used + units <= 512 && taken.size < 2);
        assert.equal(bench.enabled(OpKind.alloc, { target: 0, units }), isPossible);
        if (isPossible && units <= 512) {
          const got = alloc(bench, units);
          assert.equal(got, taken.has(1) ? 2 : 1);
          taken.set(got, units);
        } else {
          const fault = free(bench, buffer);
          assert.equal(fault, taken.delete(buffer) ? Fault.none : Fault.doubleFree);
        }
      }
    }),
  );
});
