// Claims against checks of the text from which the instructions are deleted.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { reviewSynchronization } from '#src/advise/index';
import type { PtxKernelOptions } from '#src/ptx/kernel';
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

/** Compares all claims of a kernel with checks of its text; returns how many there were. */
async function compare(options: PtxKernelOptions): Promise<number> {
  const { text } = options.ptx;
  const { instructions } = await reviewSynchronization(options, {});
  const free = instructions.filter(({ verdict }) => verdict === 'unnecessary');
  let without = withoutPlaces(text, free.flatMap(placesOf));
  assert.equal(await verdictOf(options, without), 'certified', 'all together');
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
