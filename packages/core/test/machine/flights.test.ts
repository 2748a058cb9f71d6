// Asynchronous work of real programs: what can complete when, groups, signals, pairs (U01-U07).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { BoundError, InvariantError } from '#src/base/index';
import { MAX_FLIGHTS, MAX_UNITS } from '#src/machine/index';
import { agentOf, type Move, type System } from '#src/system/index';
import {
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  cell,
  commit,
  commitGroup,
  expectTx,
  kernel,
  role,
  UNITS,
  waitGroup,
  type Kernel,
  type Op,
  type Unit,
} from '#src/public';
import { statesOf, systemOf } from '../system/explore.ts';

type Body = () => Generator<Op, void, number>;

/** Cells tell the order: work `i` of a kernel writes cell `i`, and the buffer of its own. */
const WORKS = 3;

/** Every order in which flights of a kernel land, each as the buffers that they write. */
function ordersOf(target: Kernel): Set<string> {
  const { system } = systemOf(target);
  const orders = new Set<string>();
  for (const { moves, path, words } of statesWithPaths(system)) {
    if (moves.length === 0 && system.isFinal(words)) orders.add(landingsOf(system, path).join(' '));
  }
  return orders;
}

/** All paths, not only one to each state. */
function* statesWithPaths(system: System) {
  const list = new Int32Array(1 << 16);
  const stack: { words: Int32Array; path: readonly Move[] }[] = [
    { words: system.initial(), path: [] },
  ];
  for (let state = stack.pop(); state !== undefined; state = stack.pop()) {
    const { words, path } = state;
    const count = system.moves(words, list);
    const moves = Array.from(list.subarray(0, count));
    yield { words, path, moves };
    for (const move of moves) {
      const next = words.slice();
      system.apply(next, move);
      // Roles of these programs end before their work does (L03).
      const others = system.symptoms.filter(({ rule }) => rule !== 'exit-with-open-flight');
      assert.deepEqual(others, []);
      stack.push({ words: next, path: [...path, move] });
    }
  }
}

/** What each landing of a path wrote, replayed from the start: `0`, or `signal`. */
function landingsOf(system: System, path: readonly Move[]): string[] {
  const words = system.initial();
  const { flights, layout } = system.machine;
  const openIds = (): number[] => [
    ...words.subarray(layout.flights + 1, layout.flights + 1 + words[layout.flights]!),
  ];
  return path.flatMap((move) => {
    const before = openIds();
    system.apply(words, move);
    if (agentOf(move) < system.roles) return [];
    for (const id of openIds()) before.splice(before.indexOf(id), 1);
    // Groups that are complete now go with the work that they waited for.
    return before
      .map((id) => flights.flights[id]!)
      .filter(({ kind }) => kind !== 3)
      .map(({ writes, barrier: bar }) => (bar >= 0 ? 'signal' : String(writes[0])));
  });
}

function works(unit: Unit, after: (bufferAt: number) => Generator<Op, void, number>): Kernel {
  return kernel('works', {}, () => {
    const buffers = Array.from({ length: WORKS }, (_, at) => buffer(`b${at}`));
    return [
      role('issuer', function* () {
        for (const [at, one] of buffers.entries()) {
          asyncUse(unit, { writes: [one] });
          yield* after(at);
        }
      }),
    ];
  });
}

function* nothing(): Generator<Op, void, number> {}

test('U01: work of an any-order unit completes in every order', () => {
  assert.equal(ordersOf(works(UNITS.bulk, nothing)).size, 6);
});

test('U02: work of an in-order unit completes in the order of issue', () => {
  assert.deepEqual([...ordersOf(works(UNITS.mma, nothing))], ['0 1 2']);
});

test('U02: in-order units keep the order of each role, not one between roles', () => {
  const target = kernel('two', {}, () => {
    const buffers = ['a', 'b', 'c', 'd'].map((name) => buffer(name));
    const body = (first: number): Body =>
      function* () {
        asyncUse(UNITS.mma, { writes: [buffers[first]!] });
        asyncUse(UNITS.mma, { writes: [buffers[first + 1]!] });
      };
    return [role('one', body(0)), role('two', body(2))];
  });
  const orders = [...ordersOf(target)];
  assert.ok(orders.every((order) => order.indexOf('0') < order.indexOf('1')));
  assert.ok(orders.every((order) => order.indexOf('2') < order.indexOf('3')));
  assert.equal(orders.length, 6, 'every interleaving of two queues of two');
});

test('U03: a signal completes after the earlier work, and does not wait for later work', () => {
  const target = kernel('signal', {}, () => {
    const [first, second] = [buffer('first'), buffer('second')];
    const done = barrier('done');
    return [
      role('issuer', function* () {
        asyncUse(UNITS.bulk, { writes: [first] });
        commit(UNITS.bulk, done);
        asyncUse(UNITS.bulk, { writes: [second] });
      }),
    ];
  });
  const orders = [...ordersOf(target)].toSorted();
  assert.deepEqual(orders, ['0 1 signal', '0 signal 1', '1 0 signal']);
});

test('U04: a group is open while work before it is under way, and no longer', () => {
  const target = kernel('groups', {}, () => {
    const [first, second] = [buffer('first'), buffer('second')];
    const seen = cell('seen');
    return [
      role('issuer', function* () {
        commitGroup(UNITS.mma); // nothing is open: complete at once
        asyncUse(UNITS.mma, { writes: [first] });
        commitGroup(UNITS.mma);
        asyncUse(UNITS.mma, { writes: [second], group: true });
        yield* waitGroup(UNITS.mma, 1);
        asyncCopy(UNITS.bulk, { into: [], cell: seen, value: 1 });
        yield* waitGroup(UNITS.mma, 0);
        yield* waitGroup(UNITS.bulk, 0);
      }),
    ];
  });
  const { system } = systemOf(target);
  for (const { path, moves } of statesOf(system)) {
    const landed = path.filter((move) => agentOf(move) === system.roles + 1).length;
    const issued = path.filter((move) => agentOf(move) === 0).length;
    // Moves 0 to 3 post; the waits are the fifth move, and the seventh.
    if (issued === 4)
      assert.equal(
        moves.some((move) => agentOf(move) === 0),
        landed >= 1,
      );
    if (issued === 6)
      assert.equal(
        moves.some((move) => agentOf(move) === 0),
        landed === 2,
      );
  }
});

test('U01: a copy writes its cell in every CTA that it reaches', () => {
  const target = kernel('cells', {}, () => {
    const flag = cell('flag', 3);
    return [
      role('issuer', function* () {
        asyncCopy(UNITS.clc, { into: [], cell: flag, value: 9, ctas: [0, 1] });
      }),
      role('other', { cta: 1 }, function* () {}),
    ];
  });
  const { system } = systemOf(target);
  const { cells } = system.machine.layout;
  const values = new Set<string>();
  for (const { words } of statesOf(system))
    values.add([...words.subarray(cells, cells + 2)].join());
  assert.deepEqual([...values].toSorted(), ['3,3', '3,9', '9,3', '9,9']);
});

test('U05: more flights than the bound are refused by name', () => {
  const target = kernel('many', {}, () => {
    const tile = buffer('tile');
    return [
      role('issuer', function* () {
        for (let i = 0; i <= MAX_FLIGHTS; i++) asyncUse(UNITS.bulk, { reads: [tile] });
      }),
    ];
  });
  const { system } = systemOf(target);
  const words = system.initial();
  for (let i = 0; i < MAX_FLIGHTS; i++) system.apply(words, 0);
  assert.throws(
    () => system.apply(words, 0),
    (thrown) => thrown instanceof BoundError && /max-flights/.test(thrown.message + thrown.bound),
  );
});

test('U06: with ctaGroup 2 the bytes of a pair count on its even CTA', () => {
  const bytesOf = (ctaGroup: 1 | 2): number[] => {
    const target = kernel('pair', {}, () => {
      const [full, tile] = [barrier('full', { count: 9 }), buffer('tile')];
      return [
        role('load', function* () {
          expectTx(full, 64, { ctas: [0, 1] });
          asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: 32, ctas: [0, 1], ctaGroup });
          commitGroup(UNITS.tma);
          yield* waitGroup(UNITS.tma, 0);
        }),
        role('peer', { cta: 1 }, function* () {
          yield* waitGroup(UNITS.tma, 0);
        }),
      ];
    });
    const { system } = systemOf(target);
    // The peer must not end before the bytes have come.
    const final = [...statesOf(system)].find(({ words, symptoms }) => {
      return symptoms.length === 0 && system.isFinal(words);
    })!;
    return [0, 1].map((id) => final.words[system.machine.barrierAt(id) + 2]!);
  };
  assert.deepEqual(bytesOf(1), [32, 32]);
  assert.deepEqual(bytesOf(2), [0, 64]);
});

test('U07: work touches its buffers in every CTA that it reaches, as one flight', () => {
  const target = kernel('pair', {}, () => {
    const tile = buffer('tile');
    return [
      role('issuer', function* () {
        asyncUse(UNITS.mma, { reads: [tile], ctas: [0, 1] });
      }),
      role('peer', { cta: 1 }, function* () {}),
    ];
  });
  const { system } = systemOf(target);
  [...statesOf(system)].forEach(({ words }) => {
    assert.ok(words[system.machine.layout.flights]! <= 1);
  });
  assert.deepEqual(
    system.machine.flights.flights.map(({ reads }) => reads),
    [[0, 1]],
  );
});

test('equal sets of open work are equal states, in whatever order it was issued', () => {
  const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 });
  const openAfter = (issue: readonly number[]): string => {
    const target = kernel('set', {}, () => {
      const all = [0, 1, 2, 3].map((at) => buffer(`b${at}`));
      return [
        role('issuer', function* () {
          for (const at of issue) asyncUse(UNITS.bulk, { writes: [all[at]!] });
        }),
      ];
    });
    const { system } = systemOf(target);
    const words = system.initial();
    for (let i = 0; i < issue.length; i++) system.apply(words, 0);
    const { flights } = system.machine.layout;
    const ids = [...words.subarray(flights + 1, flights + 1 + words[flights]!)];
    return ids.map((id) => system.machine.flights.flights[id]!.writes).join(' ');
  };
  fc.assert(fc.property(order, (issue) => assert.equal(openAfter(issue), '0 1 2 3')));
});

test('equal flights are one entry of the table, and it knows a bounded number of units', () => {
  const { system } = systemOf(works(UNITS.tma, nothing));
  const { flights } = system.machine;
  const [first] = [...statesOf(system)].length > 0 ? flights.flights : [];
  const known = flights.flights.length;
  assert.equal(flights.intern({ ...first! }), 0);
  assert.equal(flights.intern({ ...first!, bytes: 1 }), known);
  assert.throws(() => flights.intern({ ...first!, unit: MAX_UNITS }), InvariantError);
});
