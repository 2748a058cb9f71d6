// tier: deep
// The same protocol as a program and as PTX: the verdicts are the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import { asProgram } from './as-program.ts';
import { asPtx } from './as-ptx.ts';
import { protocols } from './protocol.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 100);
/** Rows without a fence say nothing of memory, as programs. */
const PROFILE = { memory: 'practice' } as const;
/** The counts at the end hold for these protocols. */
const SEED = 20_261_125;

test('a protocol as PTX has the verdict of the program', async (t) => {
  const counted: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(protocols, async (protocol) => {
      const program = await check(asProgram(protocol), PROFILE);
      const ptx = await check(asPtx(protocol), PROFILE);
      const [ours, theirs] = [program.findings[0], ptx.findings[0]];
      const key = program.verdict === 'counterexample' ? ours!.rule : program.verdict;
      counted[key] = (counted[key] ?? 0) + 1;
      const shown = `${ours?.message ?? ''} / ${theirs?.message ?? ptx.reason ?? ''}`;
      // Of several errors in one protocol each may be the first.
      assert.equal(ptx.verdict, program.verdict, shown);
    }),
    { seed: SEED, numRuns: RUNS },
  );
  t.diagnostic(JSON.stringify(counted));
  const memory = ['missing-proxy-fence', 'relaxed-signal'];
  for (const key of ['certified', 'deadlock', 'race', 'over-arrival', ...memory])
    assert.ok(counted[key]! > 0, `${key} ${JSON.stringify(counted)}`);
});
