// The open flights of a state: ways to list, number, copy and pack them, which must agree (U01-U04).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { FlightKind, type Flight, type OpenFlights } from '#src/machine/index';
import { Bench } from './bench.ts';

const NOTHING = {
  cta: 0,
  barrier: -1,
  bytes: 0,
  cell: -1,
  value: 0,
  cycles: 0,
  reads: [],
  proxy: 'async' as const,
  mayOutlive: false,
};

/** Work, signals and groups of two roles on two units, one in order and one in any order. */
const flights: fc.Arbitrary<Flight> = fc
  .record({
    kind: fc.constantFrom(...Object.values(FlightKind)),
    role: fc.nat(1),
    unit: fc.nat(1),
    buffer: fc.nat(2),
  })
  .map(({ kind, role, unit, buffer }) => {
    const isWork = kind === FlightKind.copy || kind === FlightKind.use;
    const writes = isWork ? [buffer] : [];
    const barrier = kind === FlightKind.copy || kind === FlightKind.signal ? buffer : -1;
    return { ...NOTHING, kind, role, unit, inOrder: unit === 1, writes, barrier };
  });

/** Flights to start, and after each one the draws that take some out again. */
const histories = fc.array(fc.record({ flight: flights, draw: fc.option(fc.nat()) }), {
  maxLength: 25,
});
type History = readonly { readonly flight: Flight; readonly draw: number | null }[];

/** Plays a history, and shows each state of it. */
function* statesOf(history: History): Generator<{ open: OpenFlights; words: Int32Array }> {
  const { machine, words } = new Bench({ buffers: 3 });
  const open = machine.openFlights;
  for (const { flight, draw } of history) {
    open.launch(words, machine.flights.intern(flight));
    const completable = completableIn(open, words);
    if (draw !== null && completable.length > 0) {
      open.remove(words, completable[draw % completable.length]!);
    }
    yield { open, words };
  }
}

/** The flights that can complete, each looked at by itself. */
function completableIn(open: OpenFlights, words: Int32Array): number[] {
  const all = Array.from({ length: open.count(words) }, (_, index) => index);
  return all.filter((index) => open.canComplete(words, index));
}

test('U02, U03, property: all that can complete, found in one pass and one by one', () => {
  fc.assert(
    fc.property(histories, (history) => {
      for (const { open, words } of statesOf(history)) {
        const out = new Int32Array(64);
        const end = open.listCompletable(words, out, 3);
        assert.deepEqual([...out.subarray(3, end)], completableIn(open, words));
      }
    }),
  );
});

test('property: the number of a move and the index of its flight are found from each other', () => {
  fc.assert(
    fc.property(histories, (history) => {
      for (const { open, words } of statesOf(history)) {
        for (const index of completableIn(open, words)) {
          const { unit } = open.flightAt(words, index);
          const option = open.optionOf(words, unit, index);
          assert.equal(open.completableOf(words, unit, option), index);
        }
        assert.equal(open.completableOf(words, 0, 99), -1, 'there are not so many');
      }
    }),
  );
});

test('property: packed and unpacked, or copied over any other state, flights are the same', () => {
  fc.assert(
    fc.property(histories, histories, (history, other) => {
      const state = [...statesOf(history)].at(-1);
      const stale = [...statesOf(other)].at(-1);
      if (state === undefined || stale === undefined) return;
      const { open, words } = state;
      const packed = new Int32Array(64);
      const end = open.pack(words, packed, 1);
      assert.equal(end, 1 + Math.ceil((open.count(words) + 1) / 2), 'two numbers in a word');
      const unpacked = stale.words.slice();
      open.unpack(packed, 1, unpacked);
      const copied = stale.words.slice();
      open.copy(words, copied);
      const at = open.wordsFor(-1);
      for (const again of [unpacked, copied]) {
        assert.deepEqual(again.subarray(at), words.subarray(at));
      }
      assert.equal(open.usedWords(words), open.wordsFor(open.count(words)));
    }),
  );
});

test('U04, property: a group is open iff work before it in its queue is', () => {
  fc.assert(
    fc.property(histories, (history) => {
      for (const { open, words } of statesOf(history)) {
        const all = Array.from({ length: open.count(words) }, (_, at) => open.flightAt(words, at));
        for (const [index, { kind, role, unit }] of all.entries()) {
          if (kind !== FlightKind.group) continue;
          const before = all.slice(0, index).filter((one) => {
            const isWork = one.kind === FlightKind.copy || one.kind === FlightKind.use;
            return isWork && one.role === role && one.unit === unit;
          });
          assert.ok(before.length > 0, 'a group that nothing holds open is gone');
          assert.ok(!open.canComplete(words, index), 'and it never completes by itself');
        }
        for (const role of [0, 1]) {
          for (const unit of [0, 1]) {
            const groups = all.filter((one) => {
              return one.kind === FlightKind.group && one.role === role && one.unit === unit;
            });
            assert.equal(open.openGroups(words, role, unit), groups.length);
          }
        }
      }
    }),
  );
});

test('M11: copies are known by the barrier that their bytes go to', () => {
  const { machine, words } = new Bench({ buffers: 1 });
  const open = machine.openFlights;
  const copy = { ...NOTHING, kind: FlightKind.copy, role: 0, unit: 0, inOrder: false };
  open.launch(words, machine.flights.intern({ ...copy, barrier: 4, writes: [0] }));
  const signal = { ...copy, kind: FlightKind.signal, barrier: 5, writes: [] };
  open.launch(words, machine.flights.intern(signal));
  assert.ok(open.hasBytesTo(words, 4));
  assert.ok(!open.hasBytesTo(words, 5), 'a signal brings an arrival, and no bytes');
});
