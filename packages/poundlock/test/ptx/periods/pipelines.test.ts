// What is proved of pipelines of warps for all numbers of rounds is what runs of single ones do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, property } from 'fast-check';
import { everyNumberOf, requirePredicted } from './every-number.ts';
import { pipelineKernel, pipelines, threadsOf } from './pipelines.ts';

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
