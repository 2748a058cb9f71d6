// Races explained: both accesses, and what let the later party in (S01, S02, U01-U03).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  cell,
  fetchAdd,
  kernel,
  mma,
  namedBarrier,
  pipeline,
  read,
  role,
  store,
  syncNamed,
  tma,
  UNITS,
  wait,
  waitParity,
  write,
  type Kernel,
} from '#src/public';
import { findingOf, placesOf, rulesOf, textOf } from './explore.ts';

test('S02: two roles that nothing orders', () => {
  const target = kernel('plain', {}, () => {
    const tile = buffer('tile');
    return [
      role('reader', function* () {
        read(tile);
      }),
      role('writer', function* () {
        write(tile);
      }),
    ];
  });
  const found = findingOf(target, 'race');
  assert.match(found.message, /^writer can write tile while reader reads it/);
  assert.deepEqual(placesOf(found), ['writer: write(tile);', 'reader: read(tile);']);
  assert.equal(found.notes.length, 3, 'neither has waited for anything');
  assert.equal(found.replayToken, '', 'both are next at the start');
});

test('S02: two readers are no race, and neither is one agent with itself', () => {
  const target = kernel('readers', {}, () => {
    const tile = buffer('tile');
    return [
      role('one', function* () {
        read(tile);
      }),
      role('two', function* () {
        read(tile);
        read(tile);
      }),
    ];
  });
  assert.deepEqual(rulesOf(target), []);
});

test('S02: two writers, each with the wait that let it in', () => {
  const target = kernel('writers', {}, () => {
    const [tile, go] = [buffer('tile'), barrier('go', { count: 2 })];
    return [
      role('starter', function* () {
        arrive(go);
        arrive(go);
      }),
      role('one', function* () {
        yield* wait(go, 0);
        write(tile);
      }),
      role('two', function* () {
        yield* waitParity(go, 1);
        write(tile);
      }),
    ];
  });
  const found = findingOf(target, 'race');
  assert.match(found.message, /(one|two) can write tile while (one|two) writes it/);
  const texts = textOf(found);
  assert.match(texts, /starter completed go phase 0 here, .* the last of its 2 arrivals/);
  assert.match(texts, /two.* go .*fresh/);
  assert.deepEqual(placesOf(found).slice(2).toSorted(), [
    'one: yield* wait(go, 0);',
    'starter: arrive(go);',
    'two: yield* waitParity(go, 1);',
  ]);
});

test('S02, U02: work that still reads a stage which its role has given back', () => {
  const target = kernel('early', {}, () => {
    const ab = pipeline('ab', { stages: 1, bytes: 16 });
    return [
      role('load', function* () {
        for (let i = 0; i < 2; i++) {
          using slot = yield* ab.produce();
          tma.load(slot);
        }
      }),
      role('use', function* () {
        for (let i = 0; i < 2; i++) {
          using tile = yield* ab.consume();
          mma.issue(tile);
        }
      }),
    ];
  });
  const found = findingOf(target, 'race');
  assert.match(
    found.message,
    /^use arrives on ab.empty\[0\] while .* still reads ab\[0\], and load's copy can write it/,
  );
  assert.deepEqual(placesOf(found).slice(0, 2), ['tma: tma.load(slot);', 'mma: mma.issue(tile);']);
  assert.match(textOf(found), /use completed ab\.empty\[0\] phase 0 here/);
  assert.match(found.helps.join(), /use .*ab\[0\] .*waitGroup\(0\)/);
});

test('U01: two copies of one unit into one buffer', () => {
  const target = kernel('copies', {}, () => {
    const tile = buffer('tile');
    return [
      role('one', function* () {
        asyncCopy(UNITS.tma, { into: [tile] });
      }),
      role('two', function* () {
        asyncCopy(UNITS.tma, { into: [tile] });
      }),
    ];
  });
  const found = findingOf(target, 'race');
  assert.match(found.message, /one's copy .*two's copy|two's copy .*one's copy/);
  assert.equal(new Set(found.labels.concat(found.primary).map(({ line }) => line)).size, 2);
});

test('U02: in-order work of one role does not race with what is behind it', () => {
  const target = (unit: (typeof UNITS)[keyof typeof UNITS]): Kernel =>
    kernel('order', {}, () => {
      const tile = buffer('tile');
      return [
        role('work', function* () {
          asyncUse(unit, { writes: [tile] });
          asyncUse(unit, { reads: [tile] });
        }),
      ];
    });
  assert.deepEqual(rulesOf(target(UNITS.mma)), []);
  assert.ok(rulesOf(target(UNITS.bulk)).includes('race'));
});

test('S02: a role that reads what its own copy still writes', () => {
  const target = kernel('own', {}, () => {
    const [tile, other] = [buffer('tile'), buffer('other')];
    return [
      role('work', function* () {
        asyncCopy(UNITS.tma, { into: [tile] });
        read(other);
        read(tile);
      }),
    ];
  });
  const found = findingOf(target, 'race');
  assert.match(found.message, /^work reads tile while its own copy may still write it$/);
  assert.deepEqual(placesOf(found), [
    'tma: asyncCopy(UNITS.tma, { into: [tile] });',
    'work: read(tile);',
  ]);
});

test('S02: two roles that get one number, because a store sets the counter back', () => {
  const target = kernel('tickets', {}, () => {
    const next = cell('next');
    const tile = buffer('tile');
    const draw = function* () {
      if ((yield* fetchAdd(next, 1)) === 0) write(tile);
    };
    return [
      role('first', function* () {
        store(next, 0);
        yield* draw();
      }),
      role('second', draw),
    ];
  });
  const found = findingOf(target, 'race');
  assert.equal(
    found.message,
    'second can write tile while first writes it: both get 0 from next, ' +
      'because first writes 0 to it between',
  );
  assert.ok(placesOf(found).includes('first: store(next, 0);'));
});

test('S02: a role that meets others before its own work is over', () => {
  const target = kernel('met', {}, () => {
    const tile = buffer('tile');
    const block = namedBarrier('block', { id: 0, threads: 64 });
    return [
      role('work', { lanes: 32 }, function* () {
        asyncUse(UNITS.bulk, { writes: [tile] });
        yield* syncNamed(block);
      }),
      role('reader', { lanes: 32 }, function* () {
        yield* syncNamed(block);
        read(tile);
      }),
    ];
  });
  const text =
    /^work passes named barrier 0 while its .* still writes tile, and reader can read it$/;
  assert.match(findingOf(target, 'race').message, text);
});
