// Claims against checks of the text from which the instructions are deleted.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Necessity, SynchronizationAdvice } from '@poundlock/core/internal/finding';
import { reviewSynchronization } from '#src/advise/synchronization/review';
import type { PtxKernelOptions } from '@poundlock/ptx/internal/kernel/kernel';
import { optionsOf, ptxOf, races, type Part } from './kernels.ts';
import { placesOf, verdictOf, withOpenGroups, withoutPlaces } from './deletion.ts';

const PART: fc.Arbitrary<Part> = fc.oneof(
  fc.constant<Part>({ kind: 'barrier' }),
  fc.record({
    kind: fc.constantFrom<'store' | 'load'>('store', 'load'),
    slot: fc.integer({ min: 0, max: 2 }),
    shift: fc.integer({ min: 0, max: 1 }),
  }),
);

/** Whether what makes an instruction needed is what `check` follows, too. */
function isOfCheck(rule: string | null, why: string | null): boolean {
  return rule !== null && !(why ?? '').includes('global memory');
}

/** Deletions of several instructions that are tried of each kernel. */
const MAX_SUBSETS = 31;

/** Compares all claims of a kernel with checks of its text; returns how many there were. */
async function compare(options: PtxKernelOptions): Promise<number> {
  const { instructions } = await reviewSynchronization(options, {});
  return refute(options, instructions);
}

/** Fails where a check of the text without an instruction refutes a claim. */
async function refute(
  options: PtxKernelOptions,
  instructions: readonly SynchronizationAdvice[],
): Promise<number> {
  const { text } = options.ptx;
  const free = instructions.filter(({ verdict }) => verdict === 'unnecessary');
  let without = withoutPlaces(text, free.flatMap(placesOf));
  assert.equal(await verdictOf(options, without), 'certified', 'all together');
  // A reader may delete any of them.
  for (let set = 1; set < Math.min(2 ** free.length - 1, MAX_SUBSETS + 1); set++) {
    const some = free.filter((_, bit) => ((set >> bit) & 1) === 1);
    const part = withoutPlaces(text, some.flatMap(placesOf));
    const lines = some.map(({ ptxLine }) => ptxLine).join(', ');
    assert.equal(await verdictOf(options, part), 'certified', `PTX lines ${lines}`);
  }
  for (const advice of instructions) {
    const { verdict, rule, why, change, ptxLine } = advice;
    const places = placesOf(advice);
    const alone = await verdictOf(options, withoutPlaces(text, places));
    if (verdict === 'unnecessary' || verdict === 'alternative')
      assert.equal(alone, 'certified', `${verdict} in PTX line ${ptxLine}`);
    if (verdict === 'necessary' && isOfCheck(rule, why))
      assert.notEqual(alone, 'certified', `${verdict} in PTX line ${ptxLine}: ${why ?? ''}`);
    if (verdict === 'weaker')
      without = withOpenGroups(without, places, Number(/\d+/.exec(change!)));
  }
  assert.equal(await verdictOf(options, without), 'certified', 'with weaker waits');
  return instructions.length;
}

test('random kernels: what is called unnecessary can be deleted, what is needed can not', async () => {
  let claims = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(PART, { minLength: 3, maxLength: 9 }), async (parts) => {
      fc.pre(!races(parts));
      claims += await compare(optionsOf(ptxOf(parts)));
    }),
    { numRuns: 15 },
  );
  assert.ok(claims > 0);
});

test('a kernel with copies, mbarriers and fences', async () => {
  const read = (name: string) => {
    const file = new URL(`../../../../../examples/ptx/${name}`, import.meta.url);
    return { file: name, text: readFileSync(file, 'utf8') };
  };
  const options = { ptx: read('pipe.sm90a.ptx'), launch: read('pipe.launch.json') };
  assert.ok((await compare(options)) > 8);
});

test('a wrong claim is refuted', async () => {
  const STORE: Part = { kind: 'store', slot: 0, shift: 0 };
  const LOAD: Part = { kind: 'load', slot: 0, shift: 1 };
  const BARRIER: Part = { kind: 'barrier' };
  const options = optionsOf(ptxOf([STORE, BARRIER, BARRIER, LOAD, BARRIER]));
  const { instructions } = await reviewSynchronization(options, {});
  assert.deepEqual(
    instructions.map(({ verdict }) => verdict),
    ['unnecessary', 'alternative', 'unnecessary'],
  );
  const claimed = (verdicts: readonly Necessity[]) =>
    instructions.map((advice, at) => ({ ...advice, verdict: verdicts[at]! }));
  // Both of a pair; one that is needed as an alternative; one that is free as needed.
  for (const verdicts of [
    ['unnecessary', 'unnecessary', 'unnecessary'],
    ['unnecessary', 'unnecessary', 'undecided'],
  ] as const)
    await assert.rejects(refute(options, claimed(verdicts)), /together/);
  const needed = optionsOf(ptxOf([STORE, BARRIER, LOAD]));
  const review = await reviewSynchronization(needed, {});
  const wrong = review.instructions.map((one) => ({ ...one, verdict: 'alternative' as const }));
  await assert.rejects(refute(needed, wrong), /alternative in PTX line/);
  const free = instructions.map((one) => ({ ...one, verdict: 'necessary' as const, rule: 'race' }));
  await assert.rejects(refute(options, free), /necessary in PTX line/);
});
