// Barriers as instructions meet them: life, arrivals, bytes, waits and what ends a phase (M01-M13).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Alias, aliasOf, Fault, parityPasses } from '#src/machine/index';
import { OpKind } from '#src/op/index';
import { barriersOf, Bench } from './bench.ts';

const CYCLES = 1_000;

test('M01: a barrier with a count starts initialized, one without has to be', () => {
  const bench = new Bench({ barriers: barriersOf([3, 0]) });
  assert.deepEqual(bench.barrier(0), [3, 3, 0, 0]);
  assert.equal(bench.arrive(1), Fault.uninitialisedBarrier);
  assert.equal(bench.machine.faultAt, 1);
  assert.equal(bench.faultOf(OpKind.init, { target: 1, arrivals: 2 }), Fault.none);
  assert.deepEqual(bench.barrier(1), [2, 2, 0, 0]);
  assert.equal(bench.arrive(1), Fault.none);
});

test('M01: initializing a live barrier is a fault', () => {
  const bench = new Bench({ barriers: barriersOf([1]) });
  const fault = bench.faultOf(OpKind.init, { target: 0, arrivals: 1 });
  assert.equal(fault, Fault.uninitialisedBarrier);
});

test('M02: an invalidated barrier is gone until the next init', () => {
  const bench = new Bench({ barriers: barriersOf([1]) });
  assert.equal(bench.faultOf(OpKind.invalidate, { target: 0 }), Fault.none);
  assert.equal(bench.machine.lifeFault(bench.words, 0), Fault.missingDrain);
  for (const kind of [OpKind.wait, OpKind.waitParity, OpKind.arriveDrop, OpKind.invalidate]) {
    const fields = { target: 0, arrivals: 1 };
    assert.equal(bench.faultOf(kind, fields), Fault.missingDrain, `operation ${kind}`);
  }
  for (const kind of [OpKind.arrive, OpKind.expectTx, OpKind.completeTx]) {
    const fields = { barriers: [0], arrivals: 1, lanes: 1, bytes: 16 };
    assert.equal(bench.faultOf(kind, fields), Fault.missingDrain, `operation ${kind}`);
  }
  assert.equal(bench.faultOf(OpKind.init, { target: 0, arrivals: 2 }), Fault.none);
  assert.deepEqual(bench.barrier(0), [2, 2, 0, 0]);
  assert.equal(bench.machine.lifeFault(bench.words, 0), Fault.none);
});

test('M03: one arrival on several CTAs reaches the barrier of each', () => {
  const bench = new Bench({ ctas: 2, barriers: barriersOf([1, 2]) });
  // Physical ids: barrier 1 of CTA 0 is 2, that of CTA 1 is 3.
  assert.equal(bench.arrive(2, { barriers: [2, 3] }), Fault.none);
  assert.deepEqual(
    [0, 1, 2, 3].map((id) => bench.barrier(id)[1]),
    [1, 1, 1, 1],
  );
});

test('M03: only the first lane expects the bytes', () => {
  const bench = new Bench({ barriers: barriersOf([4]) });
  bench.arrive(0, { lanes: 4, bytes: 64 });
  assert.deepEqual(bench.barrier(0), [4, 0, 64, 0]);
});

test('M03, M12: lanes that meet a phase held open by its bytes are too many', () => {
  const bench = new Bench({ barriers: barriersOf([2]) });
  assert.equal(bench.arrive(0, { lanes: 3, bytes: 16 }), Fault.overArrival);
});

test('M03, property: lanes arrive as so many single arrivals do', () => {
  const counts = fc.record({
    count: fc.integer({ min: 1, max: 6 }),
    each: fc.integer({ min: 1, max: 3 }),
    lanes: fc.integer({ min: 2, max: 20 }),
    before: fc.integer({ min: 0, max: 5 }),
    bytes: fc.constantFrom(-16, 0, 0, 16),
  });
  fc.assert(
    fc.property(counts, ({ count, each, lanes, before, bytes }) => {
      const [together, alone] = [0, 1].map(() => new Bench({ barriers: barriersOf([count]) }));
      for (const bench of [together!, alone!]) {
        for (let i = 0; i < before; i++) bench.arrive(0);
        bench.issue(OpKind.completeTx, { barriers: [0], bytes });
      }
      const atOnce = together!.arrive(0, { arrivals: each, lanes });
      let one: Fault = Fault.none;
      for (let lane = 0; lane < lanes && one === Fault.none; lane++) {
        one = alone!.arrive(0, { arrivals: each });
      }
      assert.equal(atOnce, one);
      // After a fault the program is wrong, and its state says nothing.
      if (one === Fault.none) assert.deepEqual(together!.barrier(0), alone!.barrier(0));
    }),
  );
});

test('M04: bytes may complete before they are expected, in one phase', () => {
  const bench = new Bench({ barriers: barriersOf([1]) });
  bench.issue(OpKind.completeTx, { barriers: [0], bytes: 32 });
  bench.arrive(0);
  assert.deepEqual(bench.barrier(0), [1, 0, -32, 0]);
  bench.issue(OpKind.expectTx, { barriers: [0], bytes: 32 });
  assert.deepEqual(bench.barrier(0), [1, 1, 0, 1]);
});

test('M05: a drop counts in this phase and in no later one', () => {
  const bench = new Bench({ barriers: barriersOf([2]) });
  assert.equal(bench.faultOf(OpKind.arriveDrop, { target: 0, arrivals: 1 }), Fault.none);
  assert.deepEqual(bench.barrier(0), [1, 1, 0, 0]);
  bench.arrive(0);
  assert.deepEqual(bench.barrier(0), [1, 1, 0, 1]);
  assert.equal(bench.faultOf(OpKind.arriveDrop, { target: 0, arrivals: 2 }), Fault.overArrival);
});

test('M06: the journal and the completed barrier say which phase has ended', () => {
  const bench = new Bench({ barriers: barriersOf([1, 1]) });
  const { machine } = bench;
  bench.arrive(1);
  assert.equal(machine.hasCompleted, true);
  assert.equal(machine.completedAt, 1);
  bench.arrive(0);
  assert.equal(machine.completedAt, -1, 'two barriers completed since: any may have');
});

test('M07: on a fresh barrier parity 1 passes and parity 0 blocks', () => {
  const bench = new Bench({ barriers: barriersOf([1]) });
  const passes = (): boolean[] =>
    [0, 1].map((parity) => bench.enabled(OpKind.waitParity, { target: 0, parity }));
  assert.deepEqual(passes(), [false, true]);
  assert.ok(bench.enabled(OpKind.wait, { target: 0, phase: -1 }));
  assert.ok(!bench.enabled(OpKind.tryWait, { target: 0, phase: 0 }));
  bench.arrive(0);
  assert.deepEqual(passes(), [true, false]);
  assert.ok(bench.enabled(OpKind.tryWait, { target: 0, phase: 0 }));
});

test('M09: a counter passes for every phase that has completed', () => {
  const bench = new Bench({ barriers: barriersOf([1], 'counter') });
  assert.equal(bench.machine.modeOf(0), 'counter');
  const passing = (): number[] =>
    [-1, 0, 1, 2, 3].filter((phase) => bench.enabled(OpKind.wait, { target: 0, phase }));
  assert.deepEqual(passing(), [-1]);
  for (let i = 0; i < 3; i++) bench.arrive(0);
  assert.deepEqual(passing(), [-1, 0, 1, 2]);
});

test('M09, M10, property: parity and counter disagree exactly at a false pass or block', () => {
  const numbers = fc.tuple(fc.nat(CYCLES), fc.integer({ min: -1, max: CYCLES }));
  fc.assert(
    fc.property(numbers, ([completed, phase]) => {
      const counter = completed > phase;
      const parity = parityPasses(completed, phase);
      const alias = aliasOf(completed, phase);
      assert.equal(alias === Alias.falsePass, parity && !counter);
      assert.equal(alias === Alias.falseBlock, counter && !parity);
      // M10: right is k = φ or φ + 1; beyond it, a wait that passes passes late.
      assert.equal(alias === Alias.latePass, parity && completed > phase + 1);
    }),
  );
});

test('M11: a phase must not complete under a copy that brings bytes to its barrier', () => {
  const bench = new Bench({ barriers: barriersOf([1, 1]), buffers: 1 });
  const { machine, words } = bench;
  const flight = machine.flights.intern({
    kind: 0,
    role: 0,
    cta: 0,
    unit: 0,
    inOrder: false,
    barrier: 0,
    bytes: 16,
    cell: -1,
    value: 0,
    cycles: 0,
    reads: [],
    writes: [0],
    proxy: 'async',
    mayOutlive: false,
  });
  assert.equal(bench.faultOf(OpKind.asyncCopy, { flights: [flight] }), Fault.none);
  assert.equal(bench.arrive(1), Fault.none, 'another barrier is not concerned');
  assert.equal(bench.arrive(0), Fault.txMismatch);
  assert.equal(machine.faultAt, 0);
  machine.completeFlight(words, 0);
  assert.deepEqual(bench.barrier(0), [1, 1, -16, 1], 'the bytes are in the wrong phase');
});

test('M12: the first fault of an instruction is the one that is reported', () => {
  const bench = new Bench({ barriers: barriersOf([1, 0]) });
  assert.equal(bench.arrive(0, { barriers: [0, 1], arrivals: 2 }), Fault.overArrival);
  assert.equal(bench.machine.faultAt, 0);
});

test('M13: a barrier is quiescent when all arrivals are pending and no byte is missing', () => {
  const bench = new Bench({ barriers: barriersOf([2, 1, 0, 1]) });
  assert.deepEqual(bench.machine.restless(bench.words), []);
  bench.arrive(0);
  bench.issue(OpKind.expectTx, { barriers: [3], bytes: 8 });
  assert.deepEqual(bench.machine.restless(bench.words), [0, 3]);
});

type Step = { readonly kind: 'arrive' | 'expect' | 'complete' | 'drop'; readonly amount: number };

test('M03-M06, property: a sequence does what the four rules say, one by one', () => {
  const step = fc.record({
    kind: fc.constantFrom<Step['kind']>('arrive', 'expect', 'complete', 'drop'),
    amount: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 30 }), modelHolds),
  );
});

/** Plays steps on the machine and on the four numbers of docs/semantics.md. */
function modelHolds(count: number, steps: readonly Step[]): void {
  const bench = new Bench({ barriers: barriersOf([count]) });
  let [e, p, t, k] = [count, count, 0, 0];
  for (const { kind, amount } of steps) {
    const isArrival = kind === 'arrive' || kind === 'drop';
    const isTooMany = isArrival && amount > p;
    if (kind === 'expect') t += amount;
    else if (kind === 'complete') t -= amount;
    else p -= amount;
    if (kind === 'drop') e -= amount;
    const fields = { barriers: [0], target: 0, arrivals: amount, lanes: 1, bytes: 0 };
    if (!isArrival) fields.bytes = amount;
    const fault = bench.faultOf(KINDS[kind], fields);
    assert.equal(fault, isTooMany ? Fault.overArrival : Fault.none);
    // A barrier that no thread arrives on any more completes for ever: no program has one.
    if (isTooMany || e === 0) return;
    if (p === 0 && t === 0) [k, p] = [k + 1, e];
    assert.deepEqual(bench.barrier(0), [e, p, t, k]);
  }
}

const KINDS = {
  arrive: OpKind.arrive,
  expect: OpKind.expectTx,
  complete: OpKind.completeTx,
  drop: OpKind.arriveDrop,
} as const;
