// tier: deep
// The same program in two notations: parity and counter barriers, repetitions and loops.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import {
  MAX_DULL_STATES,
  dullSearch,
  lengthOf,
  randomProgram,
  toKernel,
  type DullProgram,
  type DullResult,
} from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from './runs.ts';
import { inMode, mayLoop, waitsByPhase, withLoops } from './variants.ts';

interface Summary {
  readonly dull: DullResult;
  readonly verdict: string;
  readonly length: number;
}

/** `null` for a program that is too large. */
async function summaryOf(program: DullProgram): Promise<Summary | null> {
  const dull = dullSearch(program, MAX_DULL_STATES);
  if (dull.verdict === 'skipped') return null;
  const result = await check(toKernel(program), { memory: 'none', engine: 'search' });
  return { dull, verdict: result.verdict, length: lengthOf(result) };
}

test('parity and counter barriers agree unless a phase is mistaken for another (M10)', async () => {
  const phased = randomProgram.filter(waitsByPhase);
  await fc.assert(
    fc.asyncProperty(phased, async (program) => {
      const parity = await summaryOf(inMode(program, 'parity'));
      const counter = await summaryOf(inMode(program, 'counter'));
      if (parity === null || counter === null) return;
      const { rules } = parity.dull;
      if (!rules.has('false-pass') && !rules.has('false-block')) {
        assert.deepEqual([counter.verdict, counter.length], [parity.verdict, parity.length]);
        return;
      }
      // Up to the first mistake both do the same. A livelock is reported where it begins, though.
      const isEarlier = counter.length >= 0 && counter.length < parity.length;
      assert.ok(!isEarlier || counter.dull.rules.has('deadlock'));
    }),
    sized(SEED, RUNS / 4),
  );
});

test('a repetition and a loop agree (P06)', async () => {
  await fc.assert(
    fc.asyncProperty(randomProgram.filter(mayLoop), async (program) => {
      const plain = await summaryOf(program);
      const looped = await summaryOf(withLoops(program));
      if (plain === null || looped === null) return;
      // O04: a round's end reports what otherwise only the role's end does. R10: steps around the
      // whole ring are reported where no loop lies between an acquire and its release.
      if (looped.dull.rules.has('leaked-stage') || plain.dull.rules.has('release-order')) return;
      assert.deepEqual([looped.verdict, looped.length], [plain.verdict, plain.length]);
    }),
    sized(SEED, RUNS / 4),
  );
});
