// Meetings that can not take place, explained: named barriers and the cluster barrier (N01, N02).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arriveNamed,
  buffer,
  kernel,
  read,
  role,
  syncCluster,
  syncNamed,
  type Kernel,
} from '#src/public';
import { findingOf, placesOf, textOf } from './explore.ts';

function meeting(first: number, second: number): Kernel {
  return kernel('meeting', {}, () => [
    role('one', { lanes: 32 }, function* () {
      arriveNamed(2, first);
    }),
    role('two', { lanes: 64 }, function* () {
      yield* syncNamed(2, second);
    }),
  ]);
}

test('N01: two roles that expect different counts, each with its own', () => {
  const found = findingOf(meeting(96, 128), 'named-barrier-mismatch');
  assert.match(found.message, /96 .*named barrier 2.*128|128 .*named barrier 2.*96/);
  assert.deepEqual(placesOf(found).toSorted(), [
    'one: arriveNamed(2, first);',
    'two: yield* syncNamed(2, second);',
  ]);
  assert.match(textOf(found), /one .*32 threads.* expects 96/);
  assert.match(textOf(found), /two .*64 threads.* expects 128/);
});

test('N01: more threads than one count takes', () => {
  const found = findingOf(meeting(80, 80), 'named-barrier-mismatch');
  assert.match(found.message, /named barrier 2.* 80/);
  assert.equal(found.labels.length, 1);
});

test('N02: a role that has ended while others stand at the cluster barrier', () => {
  const cluster = (reads: boolean): Kernel =>
    kernel('cluster', {}, () => {
      const tile = buffer('tile');
      return [
        role('meets', function* () {
          yield* syncCluster();
        }),
        role('idle', { cta: 1 }, function* () {
          if (reads) read(tile);
        }),
      ];
    });
  const found = findingOf(cluster(false), 'divergent-exit');
  assert.match(found.message, /^meets waits .*idle/);
  assert.equal(placesOf(found)[0], 'meets: yield* syncCluster();');
  assert.match(found.notes.join(), /idle /, 'it makes no operation to point at');
  const later = findingOf(cluster(true), 'divergent-exit', ({ agent }) => agent === 1);
  assert.deepEqual(placesOf(later), [
    'meets: yield* syncCluster();',
    'idle: if (reads) read(tile);',
  ]);
  assert.deepEqual(later.notes, []);
});
