// Blocks that go on as the order of the blocks decides: the verdict is compared with a search of all
// orders that shares no code with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { errorOf, launchOf, ptxOf, WORDS } from './protocol.ts';
import type { Operation, Protocol } from './protocol.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_125);

const word = fc.nat(WORDS - 1);
const often = fc.nat(3).map((number) => number > 0);
const access = fc.record({ op: fc.constantFrom('load' as const, 'store' as const), data: word });
const value = fc.integer({ min: 1, max: 2 });
const skip = fc.integer({ min: 1, max: 3 });
const orders = { isAcquire: often, isRelease: often };

/** Operations whose words are of one use each: 0 is drawn from, 1 is polled. */
const ticket = fc.record({
  op: fc.constant('ticket' as const),
  flag: fc.constant(0),
  value,
  ...orders,
  skip,
});
const look = fc.record({
  op: fc.constant('look' as const),
  flag: fc.constant(1),
  value,
  ...orders,
  skip,
});
const add = fc.record({
  op: fc.constantFrom('add' as const, 'add' as const, 'add' as const, 'set' as const),
  flag: fc.constant(1),
  value: fc.constantFrom(1, 1, 2),
  isRelease: often,
});
const poll = fc.record({
  op: fc.constant('poll' as const),
  flag: fc.constant(1),
  value,
  isEqual: fc.constant(false),
  isAcquire: often,
});
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: access },
  { weight: 2, arbitrary: ticket },
  { weight: 2, arbitrary: look },
  { weight: 2, arbitrary: add },
  { weight: 1, arbitrary: poll },
  { weight: 1, arbitrary: fc.constant({ op: 'fence' as const }) },
);

/** Blocks of operations, of which some decide. */
function protocolsOf(each: fc.Arbitrary<Operation>, maxLength: number): fc.Arbitrary<Protocol> {
  return fc
    .array(fc.array(each, { minLength: 2, maxLength }), { minLength: 2, maxLength: 3 })
    .filter((blocks) => {
      const all = blocks.flat();
      // What no block writes may be written from outside of the grid.
      const written = new Set(
        all.flatMap((one) => (WRITING.has(one.op) && 'flag' in one ? [one.flag] : [])),
      );
      return all.every((one) => !READING.has(one.op) || !('flag' in one) || written.has(one.flag));
    })
    .filter((blocks) => blocks.flat().some(({ op }) => DECIDING.has(op)));
}

const READING = new Set<string>(['look', 'poll', 'try']);
const WRITING = new Set<string>(['add', 'set', 'ticket', 'cas', 'exch', 'or']);
const DECIDING = new Set<string>(['ticket', 'look', 'try']);

/** The same, with exchanges, loads that give up, and words of all uses. */
const swap = fc.record({
  op: fc.constantFrom('cas' as const, 'cas' as const, 'exch' as const, 'or' as const),
  flag: word,
  compare: fc.nat(1),
  value,
  ...orders,
  skip: fc.nat(3),
});
const trying = fc.record({
  op: fc.constant('try' as const),
  flag: word,
  value,
  isAcquire: often,
  skip,
});
const anyWord = (each: fc.Arbitrary<Operation>): fc.Arbitrary<Operation> =>
  fc.tuple(each, word).map(([one, flag]) => ({ ...one, flag }));
const mixed: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: access },
  { weight: 2, arbitrary: anyWord(ticket) },
  { weight: 2, arbitrary: anyWord(look) },
  { weight: 2, arbitrary: anyWord(add) },
  { weight: 2, arbitrary: swap },
  { weight: 1, arbitrary: trying },
  { weight: 1, arbitrary: anyWord(poll) },
  { weight: 1, arbitrary: fc.constant({ op: 'fence' as const }) },
);

/** Compares verdicts about random protocols with a search of all orders. */
async function compare(protocols: fc.Arbitrary<Protocol>): Promise<void> {
  const counts = { certified: 0, counterexample: 0, inconclusive: 0 };
  const property = fc.asyncProperty(protocols, async (protocol) => {
    const error = errorOf(protocol);
    const [text, launch] = [ptxOf(protocol), launchOf(protocol)];
    const ptx = { file: 'choices.ptx', text };
    const result = await check(ptxKernel({ ptx, launch: { file: 'l.json', text: launch } }));
    const { verdict } = result;
    counts[verdict]++;
    if (verdict === 'certified') assert.equal(error, null);
    if (verdict === 'counterexample') assert.notEqual(error, null, result.findings[0]!.message);
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
  assert.ok(counts.inconclusive < RUNS / 2, JSON.stringify(counts));
  assert.ok(counts.certified > RUNS / 20, JSON.stringify(counts));
}

test('no verdict about what the order of blocks decides is wrong', () =>
  compare(protocolsOf(operation, 6)));

test('no verdict about words of all uses is wrong', () => compare(protocolsOf(mixed, 5)));

test('a value that only another order of the additions shows is not passed over', async () => {
  const protocol: Protocol = [
    [
      { op: 'store', data: 0 },
      { op: 'add', flag: 1, value: 1, isRelease: true },
    ],
    [{ op: 'add', flag: 1, value: 2, isRelease: true }],
    [
      { op: 'look', flag: 1, value: 2, isAcquire: true, isRelease: false, skip: 1 },
      { op: 'load', data: 0 },
    ],
  ];
  assert.equal(errorOf(protocol), 'race');
  const [text, launch] = [ptxOf(protocol), launchOf(protocol)];
  const ptx = { file: 'choices.ptx', text };
  const { verdict } = await check(ptxKernel({ ptx, launch: { file: 'l.json', text: launch } }));
  assert.notEqual(verdict, 'certified');
});

test('a value that was overwritten before a wait is not found behind it', async () => {
  const add = { op: 'add' as const, value: 1, isRelease: true };
  const poll = { op: 'poll' as const, flag: 0, isEqual: false, isAcquire: true };
  const look = {
    op: 'look' as const,
    flag: 1,
    value: 1,
    isAcquire: true,
    isRelease: false,
    skip: 1,
  };
  const protocol: Protocol = [
    [
      { ...add, flag: 1 },
      { ...add, flag: 0 },
    ],
    [{ ...poll, value: 1 }, look, { ...add, flag: 0 }],
    [{ ...poll, value: 2 }],
  ];
  assert.equal(errorOf(protocol), null);
  const [text, launch] = [ptxOf(protocol), launchOf(protocol)];
  const ptx = { file: 'choices.ptx', text };
  const { verdict } = await check(ptxKernel({ ptx, launch: { file: 'l.json', text: launch } }));
  assert.notEqual(verdict, 'counterexample');
});

test('choices of several warps come in another order than they were given in', async () => {
  const ticket = { op: 'ticket' as const, flag: 0, value: 1, isAcquire: false, isRelease: false };
  const look = { ...ticket, op: 'look' as const, flag: 1, skip: 1 };
  const load: Operation = { op: 'load', data: 0 };
  const poll: Operation = { op: 'poll', flag: 1, value: 2, isEqual: false, isAcquire: false };
  const protocol: Protocol = [
    [{ ...ticket, skip: 1 }, load, look],
    [{ op: 'add', flag: 1, value: 1, isRelease: false }],
    [look, { ...ticket, skip: 1 }, load, { ...ticket, skip: 1 }, poll],
  ];
  assert.equal(errorOf(protocol), 'deadlock');
  const [text, launch] = [ptxOf(protocol), launchOf(protocol)];
  const ptx = { file: 'choices.ptx', text };
  const { verdict } = await check(ptxKernel({ ptx, launch: { file: 'l.json', text: launch } }));
  assert.notEqual(verdict, 'certified');
});

test('what an atomic access answers is not known where its word is not understood', async () => {
  const ticket = { op: 'ticket' as const, flag: 0, value: 1, isAcquire: false, isRelease: false };
  const look = { ...ticket, op: 'look' as const, flag: 1, skip: 2 };
  const add = { op: 'add' as const, flag: 1, isRelease: false };
  const protocol: Protocol = [
    [
      { ...add, value: 1 },
      { ...add, value: 2 },
    ],
    [
      { ...ticket, skip: 1 },
      { op: 'load', data: 0 },
      { op: 'load', data: 0 },
    ],
    [look, { ...ticket, skip: 1 }, { op: 'store', data: 0 }, { ...ticket, skip: 1 }],
  ];
  assert.equal(errorOf(protocol), 'race');
  const [text, launch] = [ptxOf(protocol), launchOf(protocol)];
  const ptx = { file: 'choices.ptx', text };
  const { verdict } = await check(ptxKernel({ ptx, launch: { file: 'l.json', text: launch } }));
  assert.notEqual(verdict, 'certified');
});

test('a load that leads to a wait for more is not a part of the wait', async () => {
  const look = { op: 'look' as const, flag: 1, isAcquire: true, isRelease: false, skip: 1 };
  const protocol: Protocol = [
    [{ op: 'add', flag: 1, value: 1, isRelease: true }],
    [
      { ...look, value: 1 },
      { ...look, value: 2 },
      { op: 'poll', flag: 1, value: 2, isEqual: false, isAcquire: true },
    ],
  ];
  assert.equal(errorOf(protocol), 'deadlock');
  const [text, launch] = [ptxOf(protocol), launchOf(protocol)];
  const ptx = { file: 'choices.ptx', text };
  const { verdict } = await check(ptxKernel({ ptx, launch: { file: 'l.json', text: launch } }));
  assert.notEqual(verdict, 'certified');
});
