// Warnings about final states: never lost with size, and of named barriers, too (M13).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import { MAX_SHOWN_MOVES } from '../../../src/check/leftovers.ts';
import {
  arrive,
  arriveNamed,
  barrier,
  kernel,
  role,
  syncNamed,
  wait,
  type Kernel,
} from 'poundlock';

const leftover: Kernel = kernel('leftover', { n: 2 }, ({ n }) => {
  const b = barrier('b', { count: 2 });
  return [
    role('x', function* () {
      arrive(b);
      for (let i = 0; i < n; i++) {
        yield* wait(b, i);
        arrive(b);
      }
    }),
    role('y', function* () {
      for (let i = 0; i < n; i++) {
        arrive(b);
        yield* wait(b, i);
      }
    }),
  ];
});

test('a barrier in the middle of a phase is a warning for any size', async () => {
  const long = Math.ceil(MAX_SHOWN_MOVES / 4) + 100;
  for (const n of [2, 3_000, 5_000, long, 60_000]) {
    const { verdict, findings } = await check(leftover, { params: { n } });
    assert.equal(verdict, 'certified');
    assert.equal(findings[0]?.rule, 'not-quiescent', `n=${n}`);
    // Of a schedule that is too long, only its end is kept: there is nothing to replay.
    assert.equal(findings[0].replayToken === undefined, n >= long);
    if (n < 60_000) assert.match(findings[0].message, /\bb\b.*\b1\b/);
  }
});

test('a named barrier that is half full at the end is a warning on every engine', async () => {
  const half = kernel('half', {}, () => [
    role('a', { lanes: 32 }, function* () {
      arriveNamed(1, 160);
    }),
    role('b', { lanes: 64 }, function* () {
      arriveNamed(1, 160);
      yield* syncNamed(2, 64);
    }),
  ]);
  for (const engine of ['auto', 'certify', 'search', 'reduced'] as const) {
    const { verdict, findings } = await check(half, { engine });
    assert.equal(verdict, 'certified');
    assert.deepEqual(
      findings.map(({ rule, severity }) => [rule, severity]),
      [['not-quiescent', 'warning']],
    );
    assert.match(findings[0]!.message, /\b96\b.*\b160\b.*\b1$/);
  }
});

test('a named barrier of number 0 and the first mbarrier are two warnings', async () => {
  const both = kernel('both', {}, () => {
    const b = barrier('b', { count: 2 });
    return [
      role('a', { lanes: 32 }, function* () {
        arrive(b);
        arriveNamed(0, 64);
      }),
    ];
  });
  for (const engine of ['auto', 'search', 'reduced'] as const) {
    const { findings } = await check(both, { engine });
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ['not-quiescent', 'not-quiescent'],
    );
  }
});
