// tier: deep
// The barrier of the machine is the hardware's: after every operation the same parity passes.
import { Fault, Machine, writeInitial, type Instruction } from '../../../core/src/machine/index.ts';
import { OpKind } from '../../../core/src/op/index.ts';
import { NO_OPERANDS } from '../../../core/test/machine/bench.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLines } from './fixtures.ts';

type Step = readonly [name: string, amount: number];

const BARRIER = 0;

/** The instruction of one measured operation, as a role with one lane makes it. */
function instructionOf([name, amount]: Step): Instruction {
  const none = { ...NO_OPERANDS, target: BARRIER, barriers: [BARRIER], lanes: 1 };
  switch (name) {
    case 'init':
      return { ...none, kind: OpKind.init, arrivals: amount };
    case 'arrive':
      return { ...none, kind: OpKind.arrive, arrivals: amount };
    case 'arrive_expect_tx':
      return { ...none, kind: OpKind.arrive, arrivals: 1, bytes: amount };
    case 'expect_tx':
      return { ...none, kind: OpKind.expectTx, bytes: amount };
    case 'complete_tx':
      return { ...none, kind: OpKind.completeTx, bytes: amount };
    case 'arrive_drop':
      return { ...none, kind: OpKind.arriveDrop, arrivals: amount };
    default:
      throw new Error(`the fixture has an unknown operation ${name}`);
  }
}

/** A machine with one uninitialized barrier. */
function freshMachine(): { machine: Machine; words: Int32Array } {
  const shape = {
    ctas: 1,
    roleCtas: [0],
    barriers: [{ count: 0, mode: 'parity' as const }],
    cells: [],
    buffers: 0,
    named: 16,
    grids: [{ first: 0, end: 1 }],
    globals: [],
    registers: null,
    pools: [],
  };
  const machine = new Machine(shape, 0);
  const words = new Int32Array(machine.layout.flights + 1);
  writeInitial(shape, machine.layout, words);
  return { machine, words };
}

/** The parities for which a wait passes now, as the fixture writes them. */
function passing(machine: Machine, words: Int32Array): string {
  return [0, 1].filter((parity) => machine.passes(words, BARRIER, parity)).join('');
}

test('M01–M07: every measured sequence is reproduced after every operation', (t) => {
  const sequences = jsonLines<{ ops: Step[]; passes: string[] }>('litmus.jsonl');
  let operations = 0;
  for (const { ops, passes } of sequences) {
    const { machine, words } = freshMachine();
    const got = ops.map((step) => {
      machine.issue(words, instructionOf(step));
      assert.equal(machine.fault, Fault.none, `${JSON.stringify(ops)} at ${step.join()}`);
      return passing(machine, words);
    });
    assert.deepEqual(got, passes, JSON.stringify(ops));
    operations += ops.length;
  }
  assert.ok(sequences.length >= 1500 && operations > 10_000);
  t.diagnostic(`${sequences.length} sequences, ${operations} operations`);
});

test('M03: every trap is an over-arrival, by the last operation and none before', () => {
  const traps = jsonLines<{ ops: Step[] }>('litmus-traps.jsonl');
  for (const { ops } of traps) {
    const { machine, words } = freshMachine();
    const faults = ops.map((step) => {
      machine.issue(words, instructionOf(step));
      return machine.fault;
    });
    const expected = ops.map((_, at) => (at < ops.length - 1 ? Fault.none : Fault.overArrival));
    assert.deepEqual(faults, expected, JSON.stringify(ops));
  }
  assert.equal(traps.length, 12);
});
