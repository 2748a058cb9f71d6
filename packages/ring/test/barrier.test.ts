// The barrier in shared memory matches the machine's: on sequences measured on hardware, and on
// random sequences of every operation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import * as machine from '../../core/src/machine/barrier.ts';
import { Fault } from '../../core/src/machine/fault.ts';
import { E, INVALID, K, P, T, UNINITIALIZED } from '../../core/src/machine/layout.ts';
import * as shared from '#src/barrier';
import { jsonLines } from '../../poundlock/test/conformance/fixtures.ts';

type Step = readonly [name: string, amount: number, lanes?: number];

const words = (): Int32Array => new Int32Array(new SharedArrayBuffer(64));

function onShared(at: Int32Array, [name, amount, lanes = 1]: Step): shared.BarrierResult {
  switch (name) {
    case 'init':
      return shared.init(at, 0, amount);
    case 'invalidate':
      return shared.invalidate(at, 0);
    case 'arrive':
      return shared.arrive(at, 0, amount, lanes, 0);
    case 'arrive_expect_tx':
      return shared.arrive(at, 0, 1, lanes, amount);
    case 'expect_tx':
      return shared.addBytes(at, 0, amount);
    case 'complete_tx':
      return shared.addBytes(at, 0, -amount);
    case 'arrive_drop':
      return shared.arriveDrop(at, 0, amount);
    default:
      throw new Error(`the fixture has an unknown operation ${name}`);
  }
}

/** Performs a step as `machine/machine.ts` does; `true` when something is wrong. */
function onMachine(state: Int32Array, [name, amount, lanes = 1]: Step): boolean {
  if (name === 'init') {
    if (state[E]! >= 0) return true;
    machine.init(state, 0, amount);
    return false;
  }
  if (machine.lifetimeFault(state, 0) !== Fault.none) return true;
  if (name === 'invalidate') state[E] = INVALID;
  if (name === 'arrive') return machine.arrive(state, 0, amount, lanes, 0) !== Fault.none;
  if (name === 'arrive_expect_tx') return machine.arrive(state, 0, 1, lanes, amount) !== Fault.none;
  if (name === 'expect_tx') machine.changeBytes(state, 0, amount);
  if (name === 'complete_tx') machine.changeBytes(state, 0, -amount);
  if (name === 'arrive_drop') return machine.arriveDrop(state, 0, amount) !== Fault.none;
  return false;
}

const seen = (at: Int32Array, parity: number): boolean => shared.passes(at[0]!, parity);

test('M01–M07: every measured sequence is reproduced after every operation', () => {
  for (const { ops, passes } of jsonLines<{ ops: Step[]; passes: string[] }>('litmus.jsonl')) {
    const at = words();
    shared.initializeBarrier(at, 0, 0);
    const got = ops.map((step) => {
      assert.equal(onShared(at, step), shared.BarrierResult.done);
      return [0, 1].filter((parity) => seen(at, parity)).join('');
    });
    assert.deepEqual(got, passes, JSON.stringify(ops));
  }
});

test('M12: every trap is an over-arrival, by the last operation and none before', () => {
  for (const { ops } of jsonLines<{ ops: Step[] }>('litmus-traps.jsonl')) {
    const at = words();
    shared.initializeBarrier(at, 0, 0);
    const outcomes = ops.map((step) => onShared(at, step));
    const { done, overArrival } = shared.BarrierResult;
    assert.deepEqual(
      outcomes,
      ops.map((_, index) => (index < ops.length - 1 ? done : overArrival)),
    );
  }
});

const step = fc.oneof(
  { arbitrary: fc.tuple(fc.constant('arrive'), fc.integer({ min: 1, max: 2 })), weight: 6 },
  {
    arbitrary: fc.tuple(
      fc.constantFrom('arrive', 'arrive_expect_tx'),
      fc.constantFrom(1, 16),
      fc.integer({ min: 1, max: 3 }),
    ),
    weight: 3,
  },
  {
    arbitrary: fc.tuple(fc.constantFrom('expect_tx', 'complete_tx'), fc.constantFrom(0, 16, 32)),
    weight: 4,
  },
  {
    arbitrary: fc.tuple(fc.constantFrom('arrive_drop', 'init'), fc.integer({ min: 1, max: 3 })),
    weight: 1,
  },
  { arbitrary: fc.tuple(fc.constant('invalidate'), fc.constant(0)), weight: 1 },
) as fc.Arbitrary<Step>;

test('random operations leave both barriers in the same state, up to the first fault', () => {
  const program = fc.tuple(fc.nat(3), fc.array(step, { minLength: 1, maxLength: 30 }));
  fc.assert(
    fc.property(program, ([expected, steps]) => {
      const at = words();
      const state = new Int32Array(4);
      shared.initializeBarrier(at, 0, expected);
      machine.init(state, 0, expected);
      if (expected === 0) state[E] = UNINITIALIZED;
      for (const one of steps) {
        const isWrong = onMachine(state, one);
        const outcome = onShared(at, one);
        assert.equal(outcome !== shared.BarrierResult.done, isWrong, one.join());
        if (isWrong) return;
        const { phase, pending, missing, expected: arrivals } = shared.inspect(at, 0);
        assert.deepEqual(
          [arrivals, pending, missing, phase],
          [state[E], state[P], state[T], state[K]],
        );
      }
    }),
    { numRuns: 5_000, seed: 20_261_120 },
  );
});
