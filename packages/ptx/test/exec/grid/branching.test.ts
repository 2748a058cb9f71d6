// Blocks that go on by what they find in words of global memory: the verdict is compared with a
// search of all orders that shares no code with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { errorOf, launchOf, ptxOf, WORDS } from './branching.ts';
import type { Action, Blocks } from './branching.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 120);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_127);

const word = fc.nat(WORDS - 1);
const often = fc.nat(3).map((number) => number > 0);
const than = fc.nat(2);
const name = fc.constantFrom('eq' as const, 'ne' as const, 'ge' as const);
const value = fc.constantFrom(1, 1, 1, 2, 2, 0, null);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constantFrom('load' as const, 'store' as const),
      data: fc.constantFrom(0, 0, 0, 1, null),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('set' as const), word, value, isRelease: often }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constantFrom('add' as const, 'exch' as const, 'cas' as const),
      word,
      compare: fc.constantFrom(0, 0, 1),
      value,
      isAcquire: often,
      isRelease: often,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('look' as const), word, isAcquire: often }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('wait' as const),
      word,
      isAcquire: often,
      test: name,
      than,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('test' as const),
      skip: fc.integer({ min: 1, max: 3 }),
      test: name,
      than,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ op: 'fence' as const }) },
);

const WRITING = new Set(['set', 'add', 'exch', 'cas']);
const programs: fc.Arbitrary<Blocks> = fc
  .array(fc.array(action, { minLength: 2, maxLength: 6 }), { minLength: 2, maxLength: 3 })
  .filter((blocks) => {
    const all = blocks.flat();
    const written = new Set(
      all.flatMap((one) => (WRITING.has(one.op) && 'word' in one ? [one.word] : [])),
    );
    const looks = all.filter((one) => one.op === 'look' || one.op === 'wait');
    // What no block writes may be written from outside of the grid.
    return looks.length > 0 && looks.every((one) => written.has(one.word));
  });

function verdictOf(blocks: Blocks): ReturnType<typeof check> {
  const [text, launch] = [ptxOf(blocks), launchOf(blocks)];
  const ptx = { file: 'branching.ptx', text };
  return check(ptxKernel({ ptx, launch: { file: 'l.json', text: launch } }));
}

test('no verdict about blocks that go on by what they find is wrong', async () => {
  const counts = { certified: 0, counterexample: 0, inconclusive: 0 };
  const property = fc.asyncProperty(programs, async (blocks) => {
    const error = errorOf(blocks);
    const { verdict, findings } = await verdictOf(blocks);
    counts[verdict]++;
    if (verdict === 'certified') assert.equal(error, null);
    if (verdict === 'counterexample') assert.notEqual(error, null, findings[0]!.message);
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
  assert.ok(counts.inconclusive < RUNS / 2, JSON.stringify(counts));
  assert.ok(counts.certified > RUNS / 20, JSON.stringify(counts));
});

const both = { isAcquire: true, isRelease: true };
const CASES: readonly (readonly [string, Blocks])[] = [
  [
    'a store at what a comparison found',
    [
      [
        { op: 'cas', word: 1, compare: 0, value: 1, isAcquire: true, isRelease: false },
        { op: 'store', data: null },
      ],
      [
        { op: 'add', word: 1, compare: 0, value: 1, ...both },
        { op: 'store', data: 0 },
      ],
    ],
  ],
  [
    'a store at what an exchange found',
    [
      [
        { op: 'load', data: 0 },
        { op: 'cas', word: 0, compare: 0, value: 1, ...both },
      ],
      [
        { op: 'exch', word: 0, compare: 0, value: 1, ...both },
        { op: 'store', data: null },
      ],
    ],
  ],
  [
    'a store at what an addition found',
    [
      [
        { op: 'add', word: 0, compare: 0, value: 1, ...both },
        { op: 'store', data: null },
      ],
      [{ op: 'exch', word: 0, compare: 0, value: 2, isAcquire: false, isRelease: true }],
      [{ op: 'store', data: 0 }],
    ],
  ],
  [
    'a load at what an addition found',
    [
      [
        { op: 'add', word: 0, compare: 0, value: 1, ...both },
        { op: 'load', data: null },
        { op: 'look', word: 0, isAcquire: false },
      ],
      [
        { op: 'add', word: 0, compare: 0, value: 1, ...both },
        { op: 'store', data: 1 },
      ],
    ],
  ],
  [
    'a store where a comparison that changes nothing finds an addition',
    [
      [
        { op: 'cas', word: 0, compare: 0, value: 0, isAcquire: false, isRelease: false },
        { op: 'test', skip: 1, test: 'ne', than: 0 },
        { op: 'store', data: 0 },
      ],
      [
        { op: 'add', word: 0, compare: 0, value: 1, ...both },
        { op: 'look', word: 0, isAcquire: false },
        { op: 'load', data: 0 },
      ],
    ],
  ],
  [
    'a store where an addition finds what a comparison may have changed',
    [
      [
        { op: 'add', word: 1, compare: 0, value: 1, ...both },
        { op: 'test', skip: 1, test: 'ne', than: 0 },
        { op: 'store', data: 0 },
      ],
      [
        { op: 'cas', word: 1, compare: 0, value: 1, isAcquire: false, isRelease: false },
        { op: 'look', word: 1, isAcquire: false },
        { op: 'load', data: 0 },
      ],
    ],
  ],
];

for (const [title, blocks] of CASES)
  test(`${title} is not taken to be apart from all others`, async () => {
    assert.equal(errorOf(blocks), 'race');
    const { verdict, findings, reason } = await verdictOf(blocks);
    assert.notEqual(verdict, 'certified');
    assert.match(
      findings[0]?.message ?? reason!,
      /data|is what blocks find in words|the order of the blocks decides/,
    );
  });
