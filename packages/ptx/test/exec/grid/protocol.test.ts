// Blocks that wait for one another: the verdict is compared with a search of all orders that shares
// no code with it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Validator, type Schema } from '@cfworker/json-schema';
import * as fc from 'fast-check';
import type { Kernel } from '@poundlock/core/internal/program';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { stepsKernel } from '#src/kernel/steps-kernel';
import { errorOf, launchOf, ptxOf, WORDS } from './protocol.ts';
import type { Operation, Protocol } from './protocol.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 80);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_123);
const SCHEMA = new URL('../../../../../docs/schema/steps.json', import.meta.url);

function kernelOf(protocol: Protocol): Kernel {
  const [text, launch] = [ptxOf(protocol), launchOf(protocol)];
  return ptxKernel({
    ptx: { file: 'protocol.ptx', text },
    launch: { file: 'launch.json', text: launch },
  });
}

const [word, isTrue] = [fc.nat(WORDS - 1), fc.boolean()];
const order = fc.nat(3).map((number) => number > 0);
const poll = fc.record({
  op: fc.constant('poll' as const),
  flag: word,
  value: fc.integer({ min: 1, max: 3 }),
  isEqual: isTrue,
  isAcquire: order,
});
const access = fc.record({ op: fc.constantFrom('load' as const, 'store' as const), data: word });
const write = fc.record({
  op: fc.constantFrom('add' as const, 'add' as const, 'set' as const),
  flag: word,
  value: fc.integer({ min: 1, max: 2 }),
  isRelease: order,
});
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: access },
  { weight: 3, arbitrary: write },
  { weight: 2, arbitrary: poll },
  { weight: 1, arbitrary: fc.constant({ op: 'fence' as const }) },
);
const block = fc.array(operation, { minLength: 1, maxLength: 5 });
const protocols = fc.array(block, { minLength: 2, maxLength: 4 }).filter((blocks) => {
  // What no block writes may be written from outside of the grid.
  const all = blocks.flat();
  const isWritten = (flag: number): boolean =>
    all.some((each) => (each.op === 'add' || each.op === 'set') && each.flag === flag);
  const polls = all.filter((each) => each.op === 'poll');
  return polls.length > 0 && polls.every((each) => isWritten(each.flag));
});

test('no verdict about random protocols is wrong, and most protocols are decided', async () => {
  const counts = { certified: 0, counterexample: 0, inconclusive: 0 };
  const property = fc.asyncProperty(protocols, async (protocol) => {
    const error = errorOf(protocol);
    const verdict = (await check(kernelOf(protocol))).verdict;
    counts[verdict]++;
    if (verdict === 'certified') assert.equal(error, null);
    if (verdict === 'counterexample') assert.notEqual(error, null);
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
  assert.ok(counts.inconclusive < RUNS / 2, JSON.stringify(counts));
  assert.ok(counts.certified > RUNS / 50, JSON.stringify(counts));
});

/** Blocks of which some draw a number and go on only as the last ones; words are the drawn one's. */
const drawing = fc
  .array(
    fc.record({
      before: fc.array(fc.oneof(access, fc.constant({ op: 'fence' as const })), { maxLength: 3 }),
      draws: fc.boolean(),
      isRelease: order,
      after: fc.array(fc.oneof(access, fc.constant({ op: 'fence' as const })), { maxLength: 3 }),
    }),
    { minLength: 2, maxLength: 4 },
  )
  .filter((blocks) => blocks.some(({ draws }) => draws))
  .map((blocks): Protocol =>
    blocks.map(({ before, draws, isRelease, after }) => {
      const draw: Operation[] = draws ? [{ op: 'draw', flag: 0, isRelease }] : [];
      return [...before, ...draw, ...after];
    }),
  );

test('no verdict about numbers that blocks draw is wrong, and nearly all are decided', async () => {
  let decided = 0;
  const property = fc.asyncProperty(drawing, async (protocol) => {
    const error = errorOf(protocol);
    const verdict = (await check(kernelOf(protocol))).verdict;
    if (verdict === 'certified') assert.equal(error, null);
    if (verdict === 'counterexample') assert.notEqual(error, null);
    if (verdict !== 'inconclusive') decided++;
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
  assert.ok(decided > 0.9 * RUNS, `${decided}`);
});

const [store, load]: Operation[] = [
  { op: 'store', data: 0 },
  { op: 'load', data: 0 },
];
const FENCE: Operation = { op: 'fence' };
const AGAIN: Operation = {
  op: 'look',
  flag: 0,
  value: 0,
  skip: 0,
  isAcquire: true,
  isRelease: false,
};

/** What a block does that a word is handed to, with the value `held`, and that hands it on. */
function relay(held: number): fc.Arbitrary<Operation[]> {
  const parts = { isAcquire: isTrue, isEqual: isTrue, isFenced: isTrue, isRelease: isTrue };
  const more = { looks: fc.nat(2), op: fc.constantFrom('load', 'store'), isSum: isTrue };
  const value = fc.integer({ min: 1, max: Math.max(1, held) });
  return fc.record({ ...parts, ...more, value }).map((one) => {
    const { isAcquire, isEqual, isFenced, isRelease, looks, op, isSum, value } = one;
    const poll: Operation = { op: 'poll', flag: 0, value, isEqual, isAcquire };
    return [
      ...(held > 0 ? [poll] : []),
      ...(held > 0 && looks === 0 ? [AGAIN] : []),
      { op, data: 0 },
      ...(isFenced ? [FENCE] : []),
      isSum
        ? { op: 'add', flag: 0, value: 1, isRelease }
        : { op: 'set', flag: 0, value: held + 1, isRelease },
    ];
  });
}

const relays = fc
  .tuple(relay(0), relay(1), relay(2))
  .map(([first, second, last]): Protocol => [first, second, last.slice(0, -1)]);

const flag = fc.constant(0);
const number = fc.integer({ min: 1, max: 3 });
const reading = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('poll' as const),
      flag,
      value: number,
      isEqual: isTrue,
      isAcquire: isTrue,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('look' as const),
      flag,
      value: number,
      skip: fc.nat(1),
      isAcquire: isTrue,
      isRelease: isTrue,
    }),
  },
);
const writing = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constantFrom('set' as const, 'add' as const),
      flag,
      value: number,
      isRelease: isTrue,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constantFrom('exch' as const, 'or' as const, 'cas' as const),
      flag,
      compare: fc.nat(2),
      value: number,
      skip: fc.nat(1),
      isAcquire: isTrue,
      isRelease: isTrue,
    }),
  },
);

/** An operation with a chance of as many in six. */
function often(chance: number, operation: fc.Arbitrary<Operation>): fc.Arbitrary<Operation[]> {
  return fc.tuple(fc.nat(5), operation).map(([number, each]) => (number < chance ? [each] : []));
}

/** Blocks that read one word and write it, one after the other. */
const exchanges = fc.array(
  fc
    .tuple(
      often(5, reading),
      often(3, fc.constant(FENCE)),
      often(2, reading),
      often(4, access),
      often(3, fc.constant(FENCE)),
      often(5, writing),
      often(2, writing),
    )
    .map((parts) => parts.flat()),
  { minLength: 2, maxLength: 4 },
);

for (const [name, protocol, share] of [
  ['one after the other', relays, 1 / 2],
  ['in any way', exchanges, 4 / 5],
] as const)
  test(`no verdict about a word that blocks hand on is wrong: ${name}`, async () => {
    const counts = { certified: 0, counterexample: 0, inconclusive: 0 };
    const property = fc.asyncProperty(protocol, async (blocks) => {
      const error = errorOf(blocks);
      const { verdict } = await check(kernelOf(blocks));
      counts[verdict]++;
      if (verdict === 'certified') assert.equal(error, null);
      if (verdict === 'counterexample') assert.notEqual(error, null);
    });
    await fc.assert(property, { seed: SEED, numRuns: 2 * RUNS });
    assert.ok(counts.certified > RUNS / 20, JSON.stringify(counts));
    assert.ok(counts.inconclusive < 2 * RUNS * share, JSON.stringify(counts));
  });

function add(isRelease = true): Extract<Operation, { readonly op: 'add' | 'set' }> {
  return { op: 'add', flag: 0, value: 1, isRelease };
}

function set(value: number, isRelease = true): ReturnType<typeof add> {
  return { op: 'set', flag: 0, value, isRelease };
}

const SWAP: Operation = {
  op: 'exch',
  flag: 0,
  compare: 0,
  value: 1,
  skip: 0,
  isAcquire: false,
  isRelease: true,
};

function until(value: number, isAcquire = true, isEqual = false): Operation {
  return { op: 'poll', flag: 0, value, isAcquire, isEqual };
}

const CASES: readonly (readonly [string, Protocol, RegExp | null])[] = [
  [
    'a flag',
    [
      [until(1), load!],
      [store!, set(1)],
    ],
    null,
  ],
  [
    'a relaxed signal behind a fence',
    [
      [until(1), load!],
      [store!, FENCE, add(false)],
    ],
    null,
  ],
  [
    'a load that acquires behind a relaxed poll',
    [
      [until(1, false), AGAIN, load!],
      [store!, set(1)],
    ],
    null,
  ],
  [
    'an exchange that acquires behind a relaxed poll',
    [
      [until(1, false), { ...SWAP, isAcquire: true }, load!],
      [store!, set(1)],
    ],
    null,
  ],
  [
    'a fence behind a relaxed poll',
    [
      [until(1, false), FENCE, load!],
      [store!, add()],
    ],
    null,
  ],
  [
    'a relaxed signal',
    [
      [until(1), load!],
      [store!, add(false)],
    ],
    /^relaxed-signal/,
  ],
  [
    'a relaxed poll',
    [
      [until(1, false), load!],
      [store!, add()],
    ],
    /^relaxed-signal/,
  ],
  [
    'the flag before the data',
    [
      [until(1), load!],
      [add(), store!],
    ],
    /^race: .* data\/4/,
  ],
  [
    'one signal too few',
    [
      [until(2), load!],
      [store!, add()],
    ],
    /^deadlock/,
  ],
  [
    'a barrier of three blocks, twice',
    [0, 1, 2].map((data): Operation[] => {
      const own: Operation = { op: 'store', data: data % WORDS };
      const turn = data === 0 ? [own] : [];
      return [...turn, add(), until(3), load!, add(), until(6), ...(data === 1 ? [store!] : [])];
    }),
    null,
  ],
  ['counts of two blocks', [[until(2), load!], [store!, add()], [add()]], null],
  ['a poll for one of two', [[until(1), load!], [store!, add()], [add()]], /./],
];

for (const [name, protocol, expected] of CASES)
  test(`${name}: the verdict, also from its steps`, async () => {
    const kernel = kernelOf(protocol);
    const result = await check(kernel);
    const [finding] = result.findings;
    const words = finding === undefined ? result.reason : `${finding.rule}: ${finding.message}`;
    assert.equal(errorOf(protocol) === null, expected === null);
    if (expected === null) assert.equal(result.verdict, 'certified', words);
    else assert.match(words ?? result.verdict, expected);
    const text = kernel.runText!({});
    const again = await check(stepsKernel({ file: 'steps.jsonl', text }));
    assert.equal(again.verdict, result.verdict);
    assert.equal(again.findings[0]?.message, finding?.message);
    const validator = new Validator(JSON.parse(readFileSync(SCHEMA, 'utf8')) as Schema, '2020-12');
    for (const line of text.trim().split('\n'))
      assert.deepEqual(validator.validate(JSON.parse(line)).errors, [], line);
  });

test('a fence that may not be executed: the verdict from its steps, too', async () => {
  const kernel = kernelOf(maybeFenced([]));
  for (const each of [kernel, stepsKernel({ file: 'steps.jsonl', text: kernel.runText!({}) })]) {
    const { verdict, reason } = await check(each);
    assert.equal(verdict, 'inconclusive');
    assert.match(reason!, /^unknown data decides whether this fence is executed/);
  }
});

test('a fence behind one that may not be executed', async () => {
  const protocol = maybeFenced([FENCE]);
  assert.equal(errorOf(protocol), null);
  assert.equal((await check(kernelOf(protocol))).verdict, 'certified');
});

test('a relaxed store that a poll may find instead of a release', async () => {
  const protocol = (isRelease: boolean): Protocol => [
    [store!, set(1)],
    [until(1, true, true), { op: 'set', flag: 0, value: 2, isRelease }],
    [until(1), load!],
  ];
  assert.deepEqual([errorOf(protocol(false)), errorOf(protocol(true))], ['race', null]);
  const { verdict, reason } = await check(kernelOf(protocol(false)));
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /the order of the blocks decides which of its values this poll sees/);
  assert.equal((await check(kernelOf(protocol(true)))).verdict, 'certified');
});

const SAME: Protocol = [
  [store!, set(3)],
  [{ ...AGAIN, value: 2, skip: 1 }, load!],
  [until(3, false), set(3)],
];
const NEVER: Protocol = [
  [{ ...AGAIN, value: 3, skip: 1 }, load!, add(false)],
  [until(2, false), FENCE, store!],
  [store!, FENCE, { ...add(false), value: 2 }],
];
const MISSED: Protocol = [
  [until(1, true, true), { ...SWAP, value: 3 }],
  [until(1), SWAP],
  [until(2), FENCE, set(3, false)],
  [{ ...add(), value: 2 }],
];

const TAKE: Operation = { op: 'take', flag: 0, isAcquire: true };
const STOLEN: Protocol = [
  [set(1, false), store!, { op: 'give', flag: 0, isRelease: true }],
  [TAKE, load!],
];

const FOUND: Protocol = [
  [store!, FENCE, set(3, false)],
  [{ ...AGAIN, isAcquire: false }, FENCE, until(3, false), store!],
];
const COUNTED: Protocol = [
  [{ ...SWAP, op: 'or' }],
  [{ ...SWAP, op: 'or', value: 2, skip: 1 }, store!],
  [{ op: 'try', flag: 0, value: 3, isAcquire: false, skip: 1 }, load!],
];
const maybeFenced = (more: readonly Operation[]): Protocol => [
  [store!, { ...AGAIN, isAcquire: false, value: 1, skip: 1 }, FENCE, ...more, set(3, false)],
  [until(3, false), FENCE, store!, add()],
];

for (const [name, protocol, error] of [
  ['a fence that may not be executed', maybeFenced([]), 'race'],
  ['a fence behind a load that need not have found it', FOUND, 'race'],
  ['a value that another order of the writes leaves', COUNTED, 'race'],
  ['a lock that is free before another block closes it', STOLEN, 'race'],
  ['a store of the value that a load has found', SAME, 'race'],
  ['a value that a word holds only behind the load', NEVER, null],
  ['a value that is replaced before all have found it', MISSED, 'deadlock'],
] as const)
  test(`what a load may find is not taken for a fact: ${name}`, async () => {
    assert.equal(errorOf(protocol), error);
    const { verdict } = await check(kernelOf(protocol));
    assert.notEqual(verdict, error === null ? 'counterexample' : 'certified');
  });
