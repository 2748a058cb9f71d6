// Parking is tried where waits are long, continues where it is as fast, and stops where it is not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpinOrPark } from '#src/spin-or-park';

/** Waits of one round. */
const ROUND = 32;

/**
 * By round: whether its waits parked. A stage takes `spinningMs` where waits spin, and `parkingMs`
 * where they park; a spinning wait polls `polls` times.
 */
function rounds(count: number, polls: number, spinningMs: number, parkingMs: number): boolean[] {
  let now = 0;
  const trial = new SpinOrPark(() => now);
  let phase = 0x7fffff00;
  return Array.from({ length: count }, () => {
    const parked = trial.isParking;
    for (let wait = 0; wait < ROUND; wait++) {
      assert.equal(trial.isParking, parked, 'a round does not change its mode');
      now += parked ? parkingMs : spinningMs;
      phase = (phase + 1) | 0;
      trial.recordWait(phase, parked ? 0 : polls);
    }
    return parked;
  });
}

const share = (parked: readonly boolean[]): number => parked.filter(Boolean).length / parked.length;

test('where waits are short, no wait parks', () => {
  assert.equal(share(rounds(1000, 4, 1, 0.1)), 0);
});

test('where parking is as fast, spinning is measured now and then', () => {
  const parked = rounds(1000, 100, 1, 1);
  assert.ok(share(parked) > 0.95, `${share(parked)}`);
  // So a change in favor of spinning would be noticed.
  assert.ok(parked.slice(100).includes(false));
});

test('where parking is slower, it is tried ever more rarely', () => {
  const parked = rounds(4000, 100, 1, 3);
  const tried = parked.flatMap((one, at) => (one ? [at] : []));
  assert.ok(tried.length >= 5 && tried.length <= 12, `${tried.length}`);
  assert.ok(
    tried.every((at) => !parked[at + 1]),
    'one round, and no more',
  );
  const gaps = tried.slice(1).map((at, index) => at - tried[index]!);
  assert.deepEqual(
    gaps,
    gaps.toSorted((a, b) => a - b),
  );
});
