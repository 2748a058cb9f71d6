// tier: deep
// Random programs: what `check` says of memory is what all their executions show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checker } from '../fuzz/checker.ts';
import { RUNS, SEED } from '../fuzz/runs.ts';
import {
  compare,
  complaintOf,
  explore,
  isAgreed,
  randomProgram,
  sceneOf,
  type Agreement,
  type Faults,
} from '@poundlock/fuzz/internal/memory';

const PROFILES = ['practice', 'isa'] as const;
/** These are small. */
const PROGRAMS = RUNS * 2;
/** The searches take longer. */
const SEARCHED = Math.ceil(PROGRAMS / 10);

/** Rules about memory that random programs break. */
const RULES = [
  'aliased-buffers',
  'cta-not-begun',
  'exit-with-open-flight',
  'missing-drain',
  'missing-grid-dependency-wait',
  'missing-proxy-fence',
  'missing-tcgen05-fence',
  'missing-wgmma-fence',
  'race',
  'register-deadlock',
  'relaxed-signal',
  'scope-too-narrow',
  'shared-barrier-id',
  'unfenced-init',
  'unfenced-reuse',
  'unfenced-tensormap',
  'uninitialised-barrier',
  'unjoined-lanes',
];

test('check agrees with all executions of random programs', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED}, ${PROGRAMS} programs`);
  const counts: Record<Agreement, number> = {
    good: 0,
    bad: 0,
    unsound: 0,
    strict: 0,
    alarm: 0,
    undecided: 0,
  };
  const broken = new Set<string>();
  for (let k = 0; k < PROGRAMS; k++) {
    const program = randomProgram(SEED + k);
    for (const profile of PROFILES) {
      const compared = await compare(checker, program, profile);
      counts[compared.agreement]++;
      for (const rule of compared.rules) broken.add(rule);
      if (!isAgreed(compared)) assert.fail(await complaintOf(checker, program, profile));
    }
  }
  t.diagnostic(JSON.stringify(counts));
  const verdicts = PROGRAMS * PROFILES.length;
  assert.ok(counts.undecided < verdicts / 50, `${counts.undecided} are undecided`);
  assert.ok(counts.good > verdicts / 3 && counts.bad > verdicts / 5);
  if (PROGRAMS < 800) return;
  assert.deepEqual(
    RULES.filter((rule) => !broken.has(rule)),
    [],
  );
});

test('so do the searches', async () => {
  for (let k = 0; k < SEARCHED; k++) {
    const program = randomProgram(SEED - 1 - k);
    for (const [profile, engine] of [
      ['practice', 'reduced'],
      ['isa', 'search'],
    ] as const) {
      const compared = await compare(checker, program, profile, engine);
      if (!isAgreed(compared)) assert.fail(await complaintOf(checker, program, profile, engine));
    }
  }
});

/** Deliberate faults that random programs meet, and the most programs until they have. */
const MOST_PROGRAMS = 4_000;
const FAULTS: readonly (keyof Faults)[] = [
  'noAsyncProxy',
  'ignoresScopes',
  'relaxedCarriesMemory',
  'ignoresTensorFences',
  'ignoresReuse',
];

test('random programs show machines with faults', () => {
  const shown = new Set<keyof Faults>();
  for (let k = 0; k < MOST_PROGRAMS && shown.size < FAULTS.length; k++) {
    const scene = sceneOf(randomProgram(SEED + k));
    const isGood = (faults: Faults): boolean => {
      const options = { profile: 'isa', faults, mostStates: 20_000, stopsAtFirst: true } as const;
      return explore(scene, options).faults.size === 0;
    };
    // All of these faults hide something.
    if (isGood({})) continue;
    for (const fault of FAULTS) {
      if (!shown.has(fault) && isGood({ [fault]: true })) shown.add(fault);
    }
  }
  assert.deepEqual([...shown].toSorted(), FAULTS.toSorted());
});
