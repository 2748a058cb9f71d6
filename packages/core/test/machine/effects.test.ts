// What else an instruction does: cells, buffers, and what is left of a CTA that has exited.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { InvariantError } from '#src/base/index';
import { Fault, type Instruction } from '#src/machine/index';
import { CATALOGUE, OpKind } from '#src/op/index';
import { barriersOf, Bench } from './bench.ts';

test('C01: a cell answers what was stored last, and an addition what it held before', () => {
  const bench = new Bench({ cells: [5, 0] });
  assert.equal(bench.issue(OpKind.load, { target: 0 }), 5);
  assert.equal(bench.issue(OpKind.fetchAdd, { target: 0, amount: 3 }), 5);
  assert.equal(bench.issue(OpKind.load, { target: 0 }), 8);
  bench.issue(OpKind.store, { target: 0, stored: -2 });
  assert.equal(bench.issue(OpKind.load, { target: 0 }), -2);
  assert.equal(bench.issue(OpKind.load, { target: 1 }), 0, 'the other cell is untouched');
});

test('C01, property: additions in any order make one sum', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -100, max: 100 })), (amounts) => {
      const [forth, back] = [new Bench({ cells: [0] }), new Bench({ cells: [0] })];
      for (const amount of amounts) forth.issue(OpKind.fetchAdd, { target: 0, amount });
      for (const amount of amounts.toReversed()) back.issue(OpKind.fetchAdd, { target: 0, amount });
      const sum = amounts.reduce((all, one) => all + one, 0);
      assert.equal(forth.issue(OpKind.load, { target: 0 }), sum);
      assert.equal(back.issue(OpKind.load, { target: 0 }), sum);
    }),
  );
});

test('S01: reading and writing memory that is always there changes no word', () => {
  const bench = new Bench({ buffers: 2 });
  const before = bench.words.slice();
  assert.equal(bench.faultOf(OpKind.write, { writes: [0, 1] }), Fault.none);
  assert.equal(bench.faultOf(OpKind.read, { reads: [1] }), Fault.none);
  assert.deepEqual(bench.words, before);
});

test('L02: after exit, barriers and buffers of the CTA are out of reach for all', () => {
  const bench = new Bench({ ctas: 2, barriers: barriersOf([2]), buffers: 1 });
  bench.issue(OpKind.exit, { role: 0 });
  assert.equal(bench.machine.lifeFault(bench.words, 0), Fault.missingDrain);
  assert.equal(bench.machine.lifeFault(bench.words, 1), Fault.none);
  assert.equal(bench.arrive(0, { role: 1 }), Fault.missingDrain);
  assert.equal(bench.machine.faultAt, 0);
  assert.equal(bench.faultOf(OpKind.read, { reads: [0] }), Fault.missingDrainOfBuffer);
  assert.equal(bench.faultOf(OpKind.init, { target: 0, arrivals: 1 }), Fault.missingDrain);
  assert.equal(bench.arrive(1, { role: 1 }), Fault.none, 'the other CTA is still up');
});

test('L02: a CTA whose last role has ended is out of reach for other CTAs alone', () => {
  const bench = new Bench({ ctas: 2, roleCtas: [0, 1, 1], barriers: barriersOf([4]), buffers: 1 });
  const { machine, words } = bench;
  machine.endRole(words, 1);
  assert.equal(bench.arrive(1), Fault.none, 'one of its two roles is left');
  machine.endRole(words, 2);
  assert.equal(bench.arrive(1), Fault.missingDrain);
  // Work of the CTA itself may still be under way there.
  machine.fault = Fault.none;
  machine.reach(words, 1, 1);
  assert.equal(machine.fault, Fault.none);
  machine.touchBuffer(words, 1, 1);
  assert.equal(machine.fault, Fault.none);
  machine.touchBuffer(words, 1, 0);
  assert.equal(machine.fault, Fault.missingDrainOfBuffer);
});

test('a life that ends, or begins, concerns every wait', () => {
  for (const kind of [OpKind.exit, OpKind.invalidate, OpKind.init] as const) {
    const bench = new Bench({ barriers: barriersOf([kind === OpKind.init ? 0 : 1]) });
    bench.issue(kind, { target: 0, arrivals: 1 });
    assert.equal(bench.machine.hasCompleted, true, CATALOGUE[kind]!.name);
    assert.equal(bench.machine.completedAt, -1);
  }
});

test('posted and silent operations, and those that answer at once, are always possible', () => {
  const always: Instruction['kind'][] = [
    OpKind.arrive,
    OpKind.asyncCopy,
    OpKind.compute,
    OpKind.choose,
    OpKind.fetchAdd,
    OpKind.load,
    OpKind.more,
    OpKind.spawn,
  ];
  const bench = new Bench({});
  for (const kind of always) assert.ok(bench.enabled(kind), CATALOGUE[kind]!.name);
});

test('what registers and roles decide is refused: the system knows it', () => {
  const bench = new Bench({});
  for (const kind of [OpKind.waitStage, OpKind.tryWaitStage, OpKind.tryClaim, OpKind.join]) {
    assert.throws(() => bench.enabled(kind), InvariantError, CATALOGUE[kind]!.name);
  }
});

test('operations that touch nothing shared leave the state as it is, and answer 0', () => {
  const bench = new Bench({ barriers: barriersOf([1]), cells: [1], buffers: 1 });
  const before = bench.words.slice();
  const kinds = [OpKind.fence, OpKind.compute, OpKind.more, OpKind.step, OpKind.stage];
  for (const kind of [...kinds, OpKind.waitGroup, OpKind.tryWait, OpKind.choose, OpKind.join]) {
    assert.equal(bench.issue(kind, { target: 0 }), 0, CATALOGUE[kind]!.name);
  }
  assert.deepEqual(bench.words, before);
});
