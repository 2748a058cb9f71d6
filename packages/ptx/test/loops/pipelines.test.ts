// tier: deep
// What is proved of pipelines of warps for all numbers of rounds is what runs of single ones do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, property } from 'fast-check';
import { everyNumberOf, requirePredicted } from './every-number.ts';
import { pipelineKernel, pipelines, threadsOf, type Pipeline } from './pipelines.ts';

/** Numbers around those at which rounds begin to differ. */
const NUMBERS = [4, 5, 6, 7, 8, 9, 10, 11, 14, 17, 32, 33, 34, 41, 42, 66, 77, 78, 79, 151, 152];
/** Kernels that are compared; more of them with `RUNS` in the environment. */
const RUNS = Number(process.env['RUNS'] ?? 16);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

test('what is proved of warps, lanes and mbarriers holds for each number that is run', () => {
  let proofs = 0;
  const all = property(pipelines, (pipeline) => {
    const kernel = everyNumberOf(pipelineKernel(pipeline), threadsOf(pipeline));
    const periods = kernel.find();
    if (periods === null || periods.unproved !== null) return;
    proofs++;
    requirePredicted(kernel, periods, NUMBERS);
  });
  holds(all, { numRuns: RUNS, seed: SEED });
  assert.ok(proofs > RUNS / 8, `${proofs} of ${RUNS} are proved`);
});

const TRIED: Pipeline = {
  stages: 2,
  counter: 'wrap',
  readers: 1,
  writing: 'first',
  waiting: 'all',
  tries: 'once',
  release: 'all',
  meeting: 'none',
  inner: 'one',
  extras: [{ warp: 1, when: 'tried', what: 'store', constant: 1 }],
};

test('a try before a wait is the wait, unless what it changes shows in a later round', () => {
  for (const tries of ['once', 'held', 'twice', 'late', 'other'] as const) {
    const periods = everyNumberOf(pipelineKernel({ ...TRIED, tries }), 64).find();
    const expected = {
      late: 'what is tried again may not be the same in all rounds',
      other: 'which way it goes may not be the same in all rounds',
    };
    assert.ok(periods !== null, tries);
    const why = tries === 'late' || tries === 'other' ? expected[tries] : undefined;
    assert.equal(periods.unproved?.why, why, tries);
  }
});

/** Elements of a round, and the rounds of the launch from which periods are looked for. */
const BLOCK = 32;
const ROUNDS = 5;

test('what is proved of numbers of elements that rounds take in blocks holds for each', () => {
  const all = property(pipelines, (pipeline) => {
    const text = pipelineKernel(pipeline).replace('[n];', '[n]; shr.u32 %r4, %r4, 5;');
    const kernel = everyNumberOf(text, threadsOf(pipeline));
    const periods = kernel.findBlocks(BLOCK * ROUNDS);
    if (periods === null) return;
    const ofRest = NUMBERS.map((rounds) => rounds * BLOCK).filter((n) => {
      return (n - periods.from) % periods.step === 0;
    });
    requirePredicted(kernel, periods, ofRest);
  });
  holds(all, { numRuns: RUNS, seed: SEED });
});
