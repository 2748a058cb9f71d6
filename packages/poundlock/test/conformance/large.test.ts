// tier: deep
// The mutants that SPIN has judged when small keep their verdicts when large, without a search.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from '#src/check/index';
import { FEW_STATES } from '#src/check/options';
import { verdicts } from './spin-table.ts';
import { modelKernel, type Params } from './verdict-of.ts';

/** Sizes at which the states of most of these programs are beyond counting. */
const SIZES: Readonly<Record<string, Params>> = {
  m1: { S: 12, T: 100 },
  m1a: { S: 12, T: 100 },
  m2: { S1: 12, S2: 4, K: 16, T: 15 },
  m3: { S: 12, T: 100 },
  // More stages than consumers are another program: its tickets do not alias.
  m4: { T: 30 },
};

/** Hybrid proofs of the right dynamic schedulers pass through about so many states. */
const MAX_STATES = FEW_STATES + 10_000;

suite('large', { concurrency: 2 }, () => {
  for (const { model, variant, params, verdict } of verdicts()) {
    test(`${model} ${variant} is ${verdict === 'PASS' ? 'right' : 'wrong'}`, async () => {
      const kernel = await modelKernel(model);
      const large = { ...params, ...SIZES[model] };
      const { verdict: ours, findings, stats } = await check(kernel, { params: large });
      assert.equal(ours, verdict === 'PASS' ? 'certified' : 'counterexample');
      assert.ok(stats.states < MAX_STATES, `${stats.states} states`);
      if (ours === 'certified') return;
      const { rule, replayToken: replay } = findings[0]!;
      const again = await check(kernel, { params: large, replay: replay! });
      assert.ok(again.findings.some((finding) => finding.rule === rule));
    });
  }
});
