// The journal of one move: which words it lists, and when it gives up and says that any may differ.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Instruction } from '#src/machine/index';
import { Journal } from '#src/machine/journal';
import { OpKind } from '#src/op/index';
import { barriersOf, Bench } from './bench.ts';

const CAPACITY = 256;

test('words are listed in order, and cleared', () => {
  const journal = new Journal();
  journal.note(7);
  journal.noteTwo(3);
  journal.noteAll(10, 3);
  assert.deepEqual([...journal.words.subarray(0, journal.length)], [7, 3, 4, 10, 11, 12]);
  journal.hasFlights = true;
  journal.clear();
  assert.equal(journal.length, 0);
  assert.equal(journal.hasFlights, false);
  assert.equal(journal.isWide, false);
});

test('more words than there is room for make it wide, and nothing is written beyond', () => {
  const one = new Journal();
  one.noteAll(0, CAPACITY);
  assert.equal(one.isWide, false);
  one.note(CAPACITY);
  assert.equal(one.isWide, true);
  assert.equal(one.length, CAPACITY);
  const two = new Journal();
  two.noteAll(0, CAPACITY - 1);
  two.noteTwo(0);
  assert.equal(two.isWide, true, 'one word of two does not fit');
  assert.equal(two.length, CAPACITY - 1);
  two.clear();
  two.noteTwo(0);
  assert.equal(two.isWide, false);
  assert.equal(two.length, 2);
});

/** Instructions of all kinds that write to words, on a machine with two of everything. */
const instructions: fc.Arbitrary<[Instruction['kind'], Partial<Instruction>]> = fc
  .record({
    role: fc.nat(1),
    id: fc.nat(1),
    amount: fc.integer({ min: 1, max: 2 }),
    kind: fc.constantFrom(
      ...([
        OpKind.init,
        OpKind.invalidate,
        OpKind.arrive,
        OpKind.expectTx,
        OpKind.completeTx,
        OpKind.arriveDrop,
        OpKind.store,
        OpKind.fetchAdd,
        OpKind.syncNamed,
        OpKind.arriveNamed,
        OpKind.syncCluster,
        OpKind.alloc,
        OpKind.free,
        OpKind.relinquish,
        OpKind.exit,
        OpKind.wait,
        OpKind.load,
        OpKind.compute,
      ] as const),
    ),
  })
  .map(({ role, id, amount, kind }) => {
    const isOnPool = kind === OpKind.alloc || kind === OpKind.free || kind === OpKind.relinquish;
    const fields = {
      role,
      target: isOnPool ? 0 : id,
      barriers: [id],
      arrivals: amount,
      lanes: 1,
      threads: 2,
      bytes: amount * 16,
      stored: amount,
      amount,
      units: amount,
      writes: isOnPool ? [id] : [],
    };
    return [kind, fields];
  });

test('property: every word that an instruction changes is listed', () => {
  const sequences = fc.array(instructions, { maxLength: 20 });
  fc.assert(
    fc.property(sequences, (sequence) => {
      const bench = new Bench({
        roleCtas: [0, 0],
        barriers: barriersOf([2, 1]),
        cells: [0, 5],
        buffers: 2,
        pools: [{ capacity: 3, buffers: [0, 1] }],
      });
      const { machine, words } = bench;
      for (const [kind, fields] of sequence) {
        const before = words.slice();
        machine.journal.clear();
        if (bench.enabled(kind, fields)) bench.issue(kind, fields);
        const listed = new Set(machine.journal.words.subarray(0, machine.journal.length));
        const changed = [...words.keys()].filter((at) => words[at] !== before[at]);
        assert.deepEqual(
          changed.filter((at) => !listed.has(at)),
          [],
          `operation ${kind}`,
        );
      }
    }),
  );
});

test('L02: the end of a role is listed', () => {
  const { machine, words } = new Bench({});
  machine.endRole(words, 1);
  assert.ok(
    machine.journal.words.subarray(0, machine.journal.length).includes(machine.layout.ctas + 1),
  );
});
