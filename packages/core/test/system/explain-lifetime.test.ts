// Barriers, memory and CTAs that are not there yet or not any more, explained (M01, M02, A02, L02).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alloc,
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  cell,
  exit,
  free,
  init,
  invalidate,
  kernel,
  load,
  mma,
  pipeline,
  pool,
  read,
  role,
  store,
  UNITS,
  wait,
  type Kernel,
} from '#src/public';
import { findingOf, placesOf, rulesOf, textOf } from './explore.ts';

/** A role arrives in another CTA, whose own role does `last` and ends. */
function remote(last: () => void, hasRing = false): Kernel {
  return kernel('remote', {}, () => {
    const done = barrier('done');
    if (hasRing) pipeline('ab', { stages: 1 });
    return [
      role('sender', function* () {
        arrive(done, { cta: 1 });
      }),
      role('leaver', { cta: 1 }, function* () {
        last();
      }),
    ];
  });
}

test('L02: a CTA ends with the last of its roles', () => {
  const found = findingOf(
    remote(() => {}),
    'missing-drain',
  );
  assert.match(found.message, /^CTA 1 can end before sender arrives on done of CTA 1$/);
  assert.deepEqual(placesOf(found), ['sender: arrive(done, { cta: 1 });']);
  assert.match(found.helps.join(), /leaver .*done of CTA 1/);
});

test('L02: a CTA that exits is labeled where it does, and so is what its last role did', () => {
  const found = findingOf(
    remote(() => exit()),
    'missing-drain',
    ({ at }) => at === 1,
  );
  assert.match(textOf(found), /leaver .*CTA 1 here/);
  assert.deepEqual(placesOf(found), [
    'sender: arrive(done, { cta: 1 });',
    'leaver: remote(() => exit()),',
  ]);
  const target = kernel('lasts', {}, () => {
    const [done, tile] = [barrier('done'), buffer('tile')];
    return [
      role('sender', function* () {
        arrive(done, { cta: 1 });
      }),
      role('one', { cta: 1 }, function* () {
        read(tile);
      }),
      role('two', { cta: 1 }, function* () {
        read(tile);
      }),
    ];
  });
  const lasts = findingOf(target, 'missing-drain');
  assert.match(lasts.helps.join(), /the last of one and two/);
  assert.deepEqual(placesOf(lasts).slice(1), ['one: read(tile);', 'two: read(tile);']);
});

test('R04: where there is a ring, the help is to drain it', () => {
  const found = findingOf(
    remote(() => {}, true),
    'missing-drain',
  );
  assert.match(found.helps.join(), /ring\.drain\(\)/);
});

test('L02: a buffer of a CTA that has exited', () => {
  const target = kernel('buffer', {}, () => {
    const tile = buffer('tile');
    return [
      role('worker', function* () {
        asyncUse(UNITS.mma, { writes: [tile] });
        exit();
      }),
    ];
  });
  const found = findingOf(target, 'missing-drain');
  assert.match(found.message, /^CTA 0 can end before worker's MMA writes tile$/);
  assert.deepEqual(placesOf(found), [
    'worker: asyncUse(UNITS.mma, { writes: [tile] });',
    'worker: exit();',
  ]);
});

test('M02: a role that stands at a wait for an invalidated barrier', () => {
  const target = kernel('gone', {}, () => {
    const done = barrier('done');
    return [
      role('waiter', function* () {
        yield* wait(done, 0);
      }),
      role('owner', function* () {
        invalidate(done);
      }),
    ];
  });
  const found = findingOf(target, 'missing-drain');
  assert.match(found.message, /waiter .*done.* invalidated/);
  assert.deepEqual(placesOf(found), ['waiter: yield* wait(done, 0);', 'owner: invalidate(done);']);
  assert.match(found.helps.join(), /owner .*waiter .*done/);
});

test('M02: a barrier that is used before another role has initialized it', () => {
  const target = kernel('early', {}, () => {
    const full = barrier('full', { count: 0 });
    const flag = cell('flag');
    return [
      role('maker', function* () {
        yield* load(flag);
        init(full, 1);
      }),
      role('user', function* () {
        arrive(full);
      }),
    ];
  });
  const found = findingOf(target, 'uninitialised-barrier');
  assert.match(found.message, /user .*full/);
  assert.deepEqual(placesOf(found), ['user: arrive(full);', 'maker: init(full, 1);']);
  assert.match(found.helps.join(), /syncCluster/);
});

test('M02: a copy may complete on its barrier just before its CTA ends', () => {
  for (const isInvalidated of [false, true]) {
    const target = kernel('last copy', {}, () => {
      const full = barrier('full', { count: 0 });
      const tile = buffer('tile');
      return [
        role('copier', function* () {
          if (isInvalidated) init(full, 1);
          asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: 16 });
          if (isInvalidated) invalidate(full);
        }),
      ];
    });
    const found = findingOf(target, isInvalidated ? 'missing-drain' : 'uninitialised-barrier');
    assert.match(found.message, /copier's copy .*full/);
  }
});

test('M02: standing at a wait is reaching, even before the first move', () => {
  const target = kernel('standing', {}, () => {
    const full = barrier('full', { count: 0 });
    return [
      role('waiter', function* () {
        yield* wait(full, -1);
      }),
    ];
  });
  const found = findingOf(target, 'uninitialised-barrier');
  assert.equal(found.replayToken, '');
  assert.deepEqual(placesOf(found), ['waiter: yield* wait(full, -1);']);
});

test('M01: a live barrier that is initialized again', () => {
  const target = kernel('again', {}, () => {
    const full = barrier('full');
    return [
      role('maker', function* () {
        init(full, 1);
      }),
    ];
  });
  const found = findingOf(target, 'uninitialised-barrier');
  assert.match(found.message, /maker initiali[sz]es full/);
  assert.deepEqual(found.helps, []);
});

/** A buffer of a pool that a role frees while another one may still use it. */
function shared(use: 'read' | 'work' | 'free'): Kernel {
  return kernel('memory', {}, () => {
    const tmem = pool('tmem', { capacity: 64, buffers: 1 });
    const taken = cell('taken');
    const [out] = tmem.buffers;
    return [
      role('owner', function* () {
        const got = yield* alloc(tmem, 64);
        store(taken, 1);
        free(got);
      }),
      role('other', function* () {
        if ((yield* load(taken)) === 0) return;
        if (use === 'read') read(out!);
        else if (use === 'work') mma.issue([], [out!]);
        else free(out!);
      }),
    ];
  });
}

test('A02: memory that is touched after it was freed by another role', () => {
  const found = findingOf(shared('read'), 'tmem-use-after-free');
  assert.match(
    found.message,
    /^owner frees tmem\[0\] without waiting for other, which can still read it$/,
  );
  assert.deepEqual(placesOf(found), [
    'owner: free(got);',
    "other: if (use === 'read') read(out!);",
  ]);
  assert.match(found.helps.join(), /owner .*other/);
});

test('A02: work under way that touches memory as it completes', () => {
  const found = findingOf(shared('work'), 'tmem-use-after-free');
  assert.match(
    found.message,
    /^owner frees tmem\[0\] without waiting for other's MMA, which can still write it$/,
  );
});

test('A02: memory that is freed twice', () => {
  const found = findingOf(shared('free'), 'tmem-double-free');
  assert.match(found.message, /(owner|other) frees tmem\[0\]/);
  assert.equal(found.labels.length, 1);
  assert.deepEqual(found.helps, []);
});

test('A02: memory that was never allocated', () => {
  const target = kernel('never', {}, () => {
    const tmem = pool('tmem', { capacity: 64, buffers: 1 });
    return [
      role('owner', function* () {
        read(tmem.buffers[0]!);
      }),
    ];
  });
  const found = findingOf(target, 'tmem-use-after-free');
  assert.match(found.message, /owner .*tmem\[0\].* is not allocated/);
  assert.deepEqual(found.labels, []);
  assert.deepEqual(rulesOf(target), ['tmem-use-after-free']);
});
