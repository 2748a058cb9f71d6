// Counts that a move gets wrong, explained: arrivals, bytes, and units of a pool (M11, M12, A01).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alloc,
  arrive,
  asyncCopy,
  barrier,
  buffer,
  commitGroup,
  completeTx,
  expectTx,
  kernel,
  mma,
  pool,
  read,
  relinquish,
  role,
  syncCluster,
  UNITS,
  type Kernel,
  waitGroup,
} from '#src/public';
import { findingOf, placesOf, rulesOf, textOf } from './explore.ts';

test('M12: an arrival too many shows those that came before it in the phase', () => {
  const target = kernel('twice', {}, () => {
    const full = barrier('full', { count: 1 });
    return [
      role('first', function* () {
        arrive(full, { bytes: 16 });
      }),
      role('second', function* () {
        arrive(full);
      }),
    ];
  });
  const found = findingOf(target, 'over-arrival', ({ agent }) => agent === 1);
  assert.match(found.message, /second arrives on full .*phase 0/);
  assert.deepEqual(placesOf(found), [
    'second: arrive(full);',
    'first: arrive(full, { bytes: 16 });',
  ]);
  assert.match(found.notes.join('\n'), /phase 0 of full .*1 arrival .*16 B/);
  assert.deepEqual(found.helps, []);
});

test('M12: an arrival that expects bytes is an arrival as well', () => {
  const target = kernel('expects', {}, () => {
    const full = barrier('full', { count: 2 });
    return [
      role('load', function* () {
        arrive(full, { count: 1, bytes: 16 });
        arrive(full, { count: 2, bytes: 16 });
      }),
    ];
  });
  const found = findingOf(target, 'over-arrival');
  assert.match(found.notes.join('\n'), /phase 0 of full .*2 arrivals .*only 1 of them/);
  assert.match(found.helps.join(), /expectTx/);
});

test('M12, U03: a signal of finished work is an arrival, and is shown where it was issued', () => {
  const target = kernel('signals', {}, () => {
    const [done, out] = [barrier('done', { count: 1 }), buffer('out')];
    return [
      role('work', function* () {
        mma.issue([], [out]);
        mma.commit(done);
        expectTx(done, 8);
        mma.commit(done);
      }),
    ];
  });
  const found = findingOf(target, 'over-arrival', ({ agent }) => agent > 0);
  assert.match(found.message, /work's commit arrives on done/);
  assert.deepEqual(placesOf(found), ['work: mma.commit(done);', 'work: mma.commit(done);']);
});

/** A copy of 64 B that a phase completes under, since only `expected` are expected of it. */
function tooFew(expected: number): Kernel {
  return kernel('mismatch', {}, () => {
    const full = barrier('full');
    const [one, two] = [buffer('one'), buffer('two')];
    return [
      role('load', function* () {
        arrive(full, { bytes: expected });
        asyncCopy(UNITS.tma, { into: [one], bar: full, bytes: 32 });
        asyncCopy(UNITS.tma, { into: [two], bar: full, bytes: 32 });
        commitGroup(UNITS.tma);
        yield* waitGroup(UNITS.tma, 0); // the CTA outlives its copies
      }),
    ];
  });
}

test('M11: a copy that completes a phase under another one', () => {
  const found = findingOf(tooFew(32), 'tx-mismatch');
  assert.match(found.message, /full completes phase 0 while 32 B/);
  const copy = (name: string): string =>
    `load: asyncCopy(UNITS.tma, { into: [${name}], bar: full, bytes: 32 });`;
  const [landed, late, expects] = placesOf(found);
  assert.deepEqual([landed, late].toSorted(), [copy('one'), copy('two')]);
  assert.equal(expects, 'load: arrive(full, { bytes: expected });');
  assert.match(found.helps.join(), /expect .*: 64 B, not 32 B/);
  assert.deepEqual(rulesOf(tooFew(64)), [], 'the help helps');
});

test('M11: a copy that names no buffer is said to go into none', () => {
  for (const buffers of [0, 1]) {
    const target = kernel('nowhere', {}, () => {
      const full = barrier('full');
      const others = Array.from({ length: buffers }, () => buffer('other'));
      return [
        role('load', function* () {
          for (const other of others) read(other);
          arrive(full, { bytes: 32 });
          asyncCopy(UNITS.tma, { into: [], bar: full, bytes: 32 });
          asyncCopy(UNITS.tma, { into: [], bar: full, bytes: 32 });
          commitGroup(UNITS.tma);
          yield* waitGroup(UNITS.tma, 0);
        }),
      ];
    });
    const found = findingOf(target, 'tx-mismatch');
    assert.doesNotMatch(textOf(found), /into|other/);
    assert.match(textOf(found), /this copy of 32 B is still in flight/);
  }
});

test('M11: an arrival that completes a phase under a copy', () => {
  const target = kernel('early', {}, () => {
    const [full, tile] = [barrier('full'), buffer('tile')];
    return [
      role('load', function* () {
        asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: 32 });
        arrive(full);
      }),
    ];
  });
  const found = findingOf(target, 'tx-mismatch');
  assert.deepEqual(placesOf(found), [
    'load: arrive(full);',
    'load: asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: 32 });',
  ]);
  assert.match(found.primary.text, /load completes phase 0/);
  assert.deepEqual(found.helps, [], 'nothing was expected: no number is wrong');
});

test('M04: bytes that a role completes itself bring a phase to its end', () => {
  const target = kernel('by-hand', {}, () => {
    const full = barrier('full');
    return [
      role('load', function* () {
        arrive(full, { bytes: 32 });
        completeTx(full, 32);
        completeTx(full, 8);
      }),
    ];
  });
  const found = findingOf(target, 'not-quiescent');
  assert.match(found.message, /8 B that it did not expect/);
  assert.deepEqual(placesOf(found), ['load: completeTx(full, 8);']);
});

test('A01: more than the capacity of a pool, and any units after it was relinquished', () => {
  const target = (units: number): Kernel =>
    kernel('pool', {}, () => {
      const tmem = pool('tmem', { capacity: 512 });
      return [
        role('work', function* () {
          yield* syncCluster();
          if (units <= 512) relinquish(tmem);
          yield* alloc(tmem, units);
        }),
        role('peer', { cta: 1 }, function* () {
          yield* syncCluster();
        }),
      ];
    });
  for (const units of [513, 8]) {
    const found = findingOf(target(units), 'capacity');
    assert.match(textOf(found), /work .*tmem.* 512/);
    assert.deepEqual(placesOf(found), ['work: yield* alloc(tmem, units);']);
  }
});
