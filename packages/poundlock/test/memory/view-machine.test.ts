// tier: deep
// The view machine, which shares no code with the engines, on the litmus list; and with a fault.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LITMUS, type LitmusRow } from './litmus/index.ts';
import { explore, sceneOf, type Faults, type ViewOptions } from '@poundlock/fuzz/internal/memory';

const PROFILES = ['practice', 'isa'] as const;

const isWanted = ({ want, isa = want }: LitmusRow, profile: ViewOptions['profile']): boolean =>
  (profile === 'isa' ? isa : want) === 'ok';

/** The verdicts that are not those of the list, as `P1 isa`. */
function wrong(options: Omit<ViewOptions, 'profile'>): string[] {
  return LITMUS.flatMap((row) => {
    const scene = sceneOf(row);
    return PROFILES.filter((profile) => {
      const { faults, isCut } = explore(scene, { ...options, profile });
      assert.ok(!isCut, `${row.id} has too many states`);
      return (faults.size === 0) !== isWanted(row, profile);
    }).map((profile) => `${row.id} ${profile}`);
  });
}

test('all executions of a litmus program are good where its verdict says so', () => {
  assert.deepEqual(wrong({}), []);
});

test('so they are where reads are known by level', () => {
  assert.deepEqual(wrong({ readsHaveLevels: true }), []);
});

/** Each deliberate fault, and how many of the 330 verdicts it changes. */
const FAULTS: Readonly<Record<keyof Faults, number>> = {
  noAsyncProxy: 21,
  ignoresScopes: 10,
  fencesAllWrites: 4,
  relaxedCarriesMemory: 30,
  ignoresTensorFences: 4,
  ignoresReuse: 22,
  readWaitsForWrites: 2,
  waitsForAllGroups: 2,
};

for (const [fault, count] of Object.entries(FAULTS)) {
  test(`the list shows a machine with the fault ${fault}`, () => {
    const changed = wrong({ faults: { [fault]: true } });
    assert.equal(changed.length, count, changed.join());
  });
}
