// What is left over at the end of a program, explained: open phases and memory (M13, A03).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alloc,
  arrive,
  barrier,
  expectTx,
  free,
  kernel,
  pool,
  relinquish,
  role,
  type Kernel,
} from '#src/public';
import { findingOf, placesOf, rulesOf, textOf } from './explore.ts';

test('M13: a barrier in the middle of a phase, with who reached it last', () => {
  const target = kernel('open', {}, () => {
    const done = barrier('done', { count: 3 });
    return [
      role('one', function* () {
        arrive(done, { count: 2 });
        expectTx(done, 1_024);
      }),
    ];
  });
  const found = findingOf(target, 'not-quiescent');
  assert.equal(found.severity, 'warning');
  assert.match(found.message, /done .*2 arrivals.* 1,024 B/);
  assert.deepEqual(placesOf(found), ['one: expectTx(done, 1_024);']);
});

/** Allocates once, and does at the end what is listed. */
function tmemUser(...steps: readonly ('free' | 'relinquish')[]): Kernel {
  return kernel('tmem', {}, () => {
    const tmem = pool('tmem', { capacity: 64 });
    return [
      role('work', function* () {
        const got = yield* alloc(tmem, 32);
        if (steps.includes('relinquish')) relinquish(tmem);
        if (steps.includes('free')) free(got);
      }),
    ];
  });
}

test('A03: a pool that may still be allocated from', () => {
  const found = findingOf(tmemUser('free'), 'tmem-not-relinquished');
  assert.equal(found.severity, 'warning');
  assert.match(found.helps.join(), /relinquish\(tmem\)/);
  assert.deepEqual(placesOf(found), [
    'work: const got = yield* alloc(tmem, 32);',
    "work: if (steps.includes('free')) free(got);",
  ]);
});

test('A03: memory that was not freed is another matter', () => {
  const found = findingOf(tmemUser('relinquish'), 'tmem-not-relinquished');
  assert.match(textOf(found), /work frees? everything/);
  assert.deepEqual(placesOf(found), ['work: const got = yield* alloc(tmem, 32);']);
});

test('A03: freed and relinquished, in either order, leaves nothing', () => {
  assert.deepEqual(rulesOf(tmemUser('free', 'relinquish')), []);
});
