// tier: deep
// Random kernels as built: no certificate where some schedule goes wrong, no error where none does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareGroup,
  DISAGREEMENTS,
  GROUPS,
  type Agreement,
  type Group,
} from '@poundlock/fuzz/internal/ptx';
import { check } from 'poundlock/check';
import { ptxKernel } from 'poundlock/ptx';

/** What the verdicts of a group are still wrong about. */
interface Pending {
  readonly disagreements: readonly Agreement[];
  /** The part of the kernels without an error whose verdict may be inconclusive. */
  readonly inconclusive?: number;
}

const MAX_INCONCLUSIVE = 0.1;
/** Unknown data decides which of two stores sets a word that warps wait for. */
const STORED_EITHER_WAY = 0.2;
/** These lists only get shorter: what is listed and not seen any more fails, too. */
const PENDING: Readonly<Record<Group, Pending>> = {
  launch: { disagreements: [] },
  block: { disagreements: [] },
  time: { disagreements: [], inconclusive: STORED_EITHER_WAY },
  place: { disagreements: [] },
  machine: { disagreements: [], inconclusive: STORED_EITHER_WAY },
  data: { disagreements: [] },
  none: { disagreements: [], inconclusive: STORED_EITHER_WAY },
  global: { disagreements: [] },
};
/** The same for disagreements that no group has alone. */
const PENDING_IN_ALL: readonly Agreement[] = ['late lanes'];

const { FUZZ_RUNS, FUZZ_SEED } = process.env;
const USUAL = { runs: 800, seed: 20_261_129 };
const RUNS = Number(FUZZ_RUNS ?? USUAL.runs) / GROUPS.length;
const SEED = Number(FUZZ_SEED ?? USUAL.seed);
const isUsual = FUZZ_RUNS === undefined && FUZZ_SEED === undefined;

const seen = new Set<Agreement>();

for (const group of GROUPS)
  test(`verdicts about kernels with decisions from ${group} agree with all schedules`, async (t) => {
    const { counts, inconclusive, right, examples } = await compareGroup(
      (ptx, launch) =>
        check(
          ptxKernel({
            ptx: { file: 'kernel.ptx', text: ptx },
            launch: { file: 'launch.json', text: launch },
          }),
        ),
      group,
      { seed: SEED, runs: Math.ceil(RUNS), isShrinking: false },
    );
    t.diagnostic(`FUZZ_SEED=${SEED} ${JSON.stringify(counts)}`);
    const pending = PENDING[group];
    for (const each of DISAGREEMENTS) {
      if (counts[each]) seen.add(each);
      const isListed = pending.disagreements.includes(each);
      if (PENDING_IN_ALL.includes(each)) continue;
      if (!isListed) assert.equal(counts[each] ?? 0, 0, examples.get(each));
      else if (isUsual) assert.ok(counts[each], `no '${each}' any more: delete it from PENDING`);
    }
    const { inconclusive: most = MAX_INCONCLUSIVE } = pending;
    assert.ok(inconclusive <= right * most, `${inconclusive} of ${right} are inconclusive`);
    assert.ok(!isUsual || most === MAX_INCONCLUSIVE || inconclusive > right * MAX_INCONCLUSIVE);
    // About half of the kernels have an error, and few are not explored.
    if (RUNS < 100) return;
    assert.ok((counts.open ?? 0) < RUNS / 10 && right > RUNS / 4 && right < RUNS * 0.9);
  });

test('what no group has alone is still seen', (t) => {
  if (!isUsual) return t.skip('other kernels need not show it');
  for (const each of PENDING_IN_ALL) assert.ok(seen.has(each), `delete '${each}'`);
});
