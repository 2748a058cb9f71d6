// tier: deep
// Random kernels as built: no certificate where some schedule goes wrong, no error where none does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareGroup, DISAGREEMENTS, GROUPS, type Agreement } from '@poundlock/fuzz/internal/ptx';
import { check } from 'poundlock/check';
import { ptxKernel } from 'poundlock/ptx';

/** The part of the kernels without an error whose verdict may be inconclusive. */
const MAX_INCONCLUSIVE = 0.1;
/** Disagreements that are left: one that is not seen any more fails, too. */
const PENDING: readonly Agreement[] = ['late lanes'];

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
    for (const each of DISAGREEMENTS) {
      if (counts[each]) seen.add(each);
      if (!PENDING.includes(each)) assert.equal(counts[each] ?? 0, 0, examples.get(each));
    }
    const most = right * MAX_INCONCLUSIVE;
    assert.ok(inconclusive <= most, `${inconclusive} of ${right} are inconclusive`);
    // About half of the kernels have an error, and few are not explored.
    if (RUNS < 100) return;
    assert.ok((counts.open ?? 0) < RUNS / 10 && right > RUNS / 4 && right < RUNS * 0.9);
  });

test('what is pending is still seen', (t) => {
  if (!isUsual) return t.skip('other kernels need not show it');
  for (const each of PENDING) assert.ok(seen.has(each), `delete '${each}'`);
});
