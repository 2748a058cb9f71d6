// Sleeping at once is tried where waits are long, kept where it is as fast, and given up where not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Trial } from '#src/spin-or-park';

/** Waits of one round. */
const ROUND = 32;

/**
 * By round: whether its waits slept. A stage takes `lookingMs` where waits look, and `sleepingMs`
 * where they sleep; a wait that looks does so `looks` times.
 */
function rounds(count: number, looks: number, lookingMs: number, sleepingMs: number): boolean[] {
  let now = 0;
  const trial = new Trial(() => now);
  let phase = 0x7fffff00;
  return Array.from({ length: count }, () => {
    const slept = trial.isSleeping;
    for (let wait = 0; wait < ROUND; wait++) {
      assert.equal(trial.isSleeping, slept, 'a round goes on as it began');
      now += slept ? sleepingMs : lookingMs;
      phase = (phase + 1) | 0;
      trial.waited(phase, slept ? 0 : looks);
    }
    return slept;
  });
}

const share = (slept: readonly boolean[]): number => slept.filter(Boolean).length / slept.length;

test('where waits are short, nobody sleeps', () => {
  assert.equal(share(rounds(1000, 4, 1, 0.1)), 0);
});

test('where sleeping is as fast, a thread looks now and then alone', () => {
  const slept = rounds(1000, 100, 1, 1);
  assert.ok(share(slept) > 0.95, `${share(slept)}`);
  // It would notice that looking has become better.
  assert.ok(slept.slice(100).includes(false));
});

test('where sleeping is slower, it is tried ever more rarely', () => {
  const slept = rounds(4000, 100, 1, 3);
  const tried = slept.flatMap((one, at) => (one ? [at] : []));
  assert.ok(tried.length >= 5 && tried.length <= 12, `${tried.length}`);
  assert.ok(
    tried.every((at) => !slept[at + 1]),
    'one round, and no more',
  );
  const gaps = tried.slice(1).map((at, index) => at - tried[index]!);
  assert.deepEqual(
    gaps,
    gaps.toSorted((a, b) => a - b),
  );
});
