// A named barrier whose count its threads do not make up is named with the threads that come.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import { arriveNamed, kernel, role, syncNamed } from 'poundlock';
import { headline, Sentences, wholeText } from './sentences.ts';

const shown = new Sentences('named-total');

const ID = 2;

/** Loads that arrive, and a role that waits for all of them. */
const meeting = (count: number, loads: number) =>
  kernel('meeting', {}, () => {
    const load = (index: number) =>
      role(`load${index}`, { lanes: 32 }, function* () {
        arriveNamed(ID, count);
      });
    const store = role('store', { lanes: 32 }, function* () {
      yield* syncNamed(ID, count);
    });
    return [...Array.from({ length: loads }, (_, index) => load(index)), store];
  });

test('a count for fewer roles than come is the cause, with the threads that come', async () => {
  const { findings } = await check(meeting(64, 4));
  assert.equal(findings[0]?.rule, 'shared-barrier-id');
  shown.expect('a count for fewer roles than come', wholeText(findings[0]));
});

test('a count that the threads make up is certified', async () => {
  for (const [count, loads] of [
    [64, 3],
    [64, 1],
    [160, 4],
  ] as const)
    assert.equal((await check(meeting(count, loads))).verdict, 'certified');
});

test('threads that wait at another named barrier are the ones that this one lacks', async () => {
  const group = (name: string, own: number) =>
    role(name, { lanes: 128 }, function* () {
      yield* syncNamed(own, 256);
    });
  const crossed = kernel('crossed', {}, () => [
    group('left', 1),
    group('right', 2),
    role('idle', { lanes: 32 }, function* () {}),
  ]);
  const { findings } = await check(crossed);
  assert.equal(findings[0]?.rule, 'deadlock');
  shown.expect('threads that wait at another named barrier', headline(findings[0]));
});

shown.expectNoOther();
