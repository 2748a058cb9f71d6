// Every strategy sees the same states, and finds something wrong where another one does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check, STRATEGIES, type StrategyName } from '#src/check/index';
import { dullSearch, randomProgram, toKernel } from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from '../fuzz/runs.ts';
import { modelKernel } from '../conformance/verdict-of.ts';

const NAMES = Object.keys(STRATEGIES) as StrategyName[];
const MAX_STATES = 20_000;
/** Programs whose states the dull search can count in no time. */
const FEW = 300;

test('strategies agree on random programs', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED}`);
  const counted = { certified: 0, counterexample: 0 };
  await fc.assert(
    fc.asyncProperty(randomProgram, fc.integer(), async (program, seed) => {
      const dull = dullSearch(program, FEW);
      if (dull.verdict === 'skipped') return;
      const kernel = toKernel(program);
      const plain = await check(kernel, { engine: 'search' });
      for (const strategy of NAMES) {
        const options = { strategy, seed, maxStates: MAX_STATES } as const;
        const { verdict, stats } = await check(kernel, options);
        // A program that is wrong early may have no end.
        if (verdict === 'inconclusive' && dull.verdict === 'counterexample') continue;
        assert.equal(verdict, dull.verdict, strategy);
        if (verdict === 'certified') assert.equal(stats.states, plain.stats.states, strategy);
        counted[dull.verdict]++;
      }
    }),
    sized(SEED, RUNS / 10),
  );
  t.diagnostic(JSON.stringify(counted));
  assert.ok(counted.certified > 0 && counted.counterexample > 0);
});

test('a schedule that was not searched breadth first is not called shortest', async () => {
  const params = { S: 3, T: 7, BUG_NODRAIN: true };
  const [plain] = (await check(await modelKernel('m1'), { params, engine: 'search' })).findings;
  const [deep] = (await check(await modelKernel('m1'), { params, strategy: 'dfs' })).findings;
  assert.equal(plain!.rule, 'missing-drain');
  assert.ok(plain!.notes.every((note) => !note.includes('shorter')));
  assert.ok(deep!.trace!.length >= plain!.trace!.length);
  assert.match(deep!.notes.at(-1)!, /there may be a shorter one/);
});

test('equal seeds draw the same schedule', async () => {
  const kernel = await modelKernel('m3');
  const params = { S: 2, T: 5, P: 1, C: 2, ECNT: 1 };
  const replayOf = async (seed: number) => {
    const { findings } = await check(kernel, { params, strategy: 'random', seed });
    return findings[0]!.replayToken;
  };
  assert.equal(await replayOf(1), await replayOf(1));
  const others = await Promise.all([2, 3, 4, 5, 6].map(replayOf));
  assert.ok(new Set(others).size > 1);
});
