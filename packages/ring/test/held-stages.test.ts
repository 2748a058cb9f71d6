// The held stages that a ring reports, and the releases that it accepts, against a model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createRing, RingMisuse, type HeldStages, type RingStage } from '#src/public';

const SIDES = ['producer', 'consumer'] as const;
type Side = (typeof SIDES)[number];

/** A step of one side: takes a stage, or releases, or cancels the n-th of those it ever took. */
const steps = fc.array(
  fc.tuple(
    fc.constantFrom(...SIDES),
    fc.constantFrom('take', 'take', 'release', 'cancel', 'batch'),
    fc.nat(40),
  ),
  { maxLength: 80 },
);

/** Stages in ascending order, by side. */
function heldBySide(held: readonly HeldStages[]): Record<Side, number[]> {
  const of = (side: Side): number[] =>
    held
      .filter((one) => one.side === side)
      .flatMap(({ stages }) => [...stages])
      .sort((a, b) => a - b);
  return { producer: of('producer'), consumer: of('consumer') };
}

/** A ring with one producer has counters, one with two has barriers. */
const shapes = fc.constantFrom({}, { producers: 2 });

test('what is held is what was taken and not released, in any order of releases', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), shapes, steps, (stages, shape, all) => {
      const ring = createRing({ stages, bytes: 4, ...shape });
      const ends = { producer: ring.producer(), consumer: ring.consumer() };
      const held: Record<Side, RingStage[]> = { producer: [], consumer: [] };
      for (const [side, what, number] of all) {
        const mine = held[side];
        if (what === 'take') {
          const tile = ends[side].tryAcquire();
          if (tile !== undefined) mine.push(tile);
        } else if (what === 'batch' && mine.length === 0 && side === 'producer') {
          if (ring.items().inFlight > 0 || held.consumer.length > 0 || shape.producers === 2) {
            continue;
          }
          const batch = ends.producer.acquireBatchSync(1 + (number % stages));
          batch.release();
          assert.throws(() => batch.release(), RingMisuse);
        } else if (mine.length > 0 && (what === 'release' || side === 'producer')) {
          const [tile] = mine.splice(number % mine.length, 1);
          if (what === 'cancel') tile!.cancel();
          else tile!.release();
          assert.throws(() => tile!.release(), /does not hold/);
        }
        const expected = (of: Side): number[] =>
          held[of].map(({ index }) => index).sort((a, b) => a - b);
        assert.deepEqual(heldBySide(ring.held()), {
          producer: expected('producer'),
          consumer: expected('consumer'),
        });
      }
    }),
    { numRuns: 300 },
  );
});
