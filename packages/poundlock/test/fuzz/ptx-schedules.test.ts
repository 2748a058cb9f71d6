// tier: deep
// Every schedule of kernels whose answers are known: what random kernels are compared with is right.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exploreKernel, type Outcome } from '@poundlock/fuzz/internal/ptx';
import { CASES, readCases } from '../ptx/cases.ts';

/** Cases beyond what is interpreted: clusters, more states, or contents that the launch leaves open. */
const SKIPPED: ReadonlySet<string> = new Set([
  '35-bug.ptx',
  '35-fix.ptx',
  'blk-big.ptx',
  'clusterid.ptx',
  'grid-barrier-128.ptx',
  'reg-turns.ptx',
]);

/** What the schedules show where a rule reports it. */
const VERDICTS: Readonly<Record<string, Outcome['verdict']>> = {
  race: 'race',
  deadlock: 'stuck',
  'register-deadlock': 'stuck',
  'uninitialised-barrier': 'misuse',
};

for (const { file, exit, kind, rule, why } of readCases()) {
  if (SKIPPED.has(file)) continue;
  test(`${file}: ${why}`, () => {
    const text = (name: string): string => readFileSync(join(CASES, name), 'utf8');
    const launch = text(file.replace(/ptx$/, 'launch.json'));
    const outcome = exploreKernel(text(file), launch);
    assert.notEqual(outcome.verdict, 'open', outcome.why);
    // The launch has one value of what `--every` asks for.
    if (kind === 'every') assert.equal(outcome.verdict, 'ends', outcome.why);
    else assert.equal(outcome.verdict === 'ends', exit === 0, outcome.why);
    if (rule !== undefined) {
      const shown = rule.map((each) => VERDICTS[each]);
      assert.ok(shown.includes(outcome.verdict), `${outcome.verdict}: ${outcome.why}`);
    }
  });
}
