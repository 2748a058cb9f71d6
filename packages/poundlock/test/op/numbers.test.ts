// Every number of an operation or a declaration is checked: nothing is rounded, wrapped or converted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alloc,
  arrive,
  arriveDrop,
  arriveNamed,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  cell,
  choose,
  completeTx,
  compute,
  count,
  expectTx,
  fetchAdd,
  init,
  join,
  kernel,
  launch,
  mma,
  pipeline,
  pool,
  role,
  spawn,
  store,
  syncNamed,
  tma,
  tryWait,
  UNITS,
  wait,
  waitGroup,
  waitParity,
  type Barrier,
  type Cell,
  type Kernel,
  type Op,
  type Pool,
} from 'poundlock';
import { check } from 'poundlock/check';
import { postWait } from '@poundlock/core/dialect';
import type { OpName } from '@poundlock/core/internal/op';
import { registers, setMaxRegisters } from '../../../core/src/program/operations.ts';

/** What is no number of anything: the last two are what JavaScript can pass in its place. */
const BAD = [
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
  ['0.5', 0.5],
  ['1.0000000000000002', 1 + Number.EPSILON],
  ['2147483648', 2 ** 31],
  ['4294967297', 2 ** 32 + 1],
  ['-4294967296', -(2 ** 32)],
  ['"1"', '1'],
  ['1n', 1n],
] as const;

interface Declared {
  readonly bar: Barrier;
  readonly value: Cell;
  readonly memory: Pool;
}
type Use = (declared: Declared, bad: number) => Iterable<Op, unknown, number> | void;
type Cases = Readonly<Record<string, Use>>;

/** By operation: each of its numbers, with the words that its error has. */
const OPERATIONS = {
  init: { 'the count of init()': ({ bar }, bad) => init(bar, bad) },
  invalidate: {},
  wait: {
    'the phase of wait()': ({ bar }, bad) => wait(bar, bad),
    'the phase of postWait()': ({ bar }, bad) => postWait(bar, bad),
  },
  waitParity: { 'the parity of waitParity()': ({ bar }, bad) => waitParity(bar, bad) },
  waitStage: {},
  tryWait: { 'the phase of tryWait()': ({ bar }, bad) => tryWait(bar, bad) },
  tryWaitStage: {},
  arrive: {
    'the count of arrive()': ({ bar }, bad) => arrive(bar, { count: bad }),
    'the bytes of arrive()': ({ bar }, bad) => arrive(bar, { bytes: bad }),
    lanes: ({ bar }, bad) => arrive(bar, { lanes: bad }),
    'a CTA that is reached': ({ bar }, bad) => arrive(bar, { cta: bad }),
  },
  expectTx: { 'the bytes of expectTx()': ({ bar }, bad) => expectTx(bar, bad) },
  completeTx: { 'the bytes of completeTx()': ({ bar }, bad) => completeTx(bar, bad) },
  arriveDrop: { 'the count of arriveDrop()': ({ bar }, bad) => arriveDrop(bar, bad) },
  asyncCopy: {
    'the bytes of asyncCopy()': ({ bar }, bad) =>
      asyncCopy(UNITS.tma, { into: [], bar, bytes: bad }),
    'the value of asyncCopy()': ({ bar, value }, bad) =>
      asyncCopy(UNITS.tma, { into: [], bar, bytes: 1, cell: value, value: bad }),
    'the ctaGroup of asyncCopy()': ({ bar }, bad) =>
      asyncCopy(UNITS.tma, { into: [], bar, bytes: 1, ctaGroup: bad as 1 }),
  },
  asyncUse: { 'the cycles of asyncUse()': (_, bad) => asyncUse(UNITS.mma, { cycles: bad }) },
  commit: {},
  waitGroup: {
    'the groups that waitGroup() leaves open': (_, bad) => waitGroup(UNITS.mma, bad),
  },
  syncNamed: {
    'the number of a named barrier': (_, bad) => syncNamed(bad, 1),
    'the threads of syncNamed()': (_, bad) => syncNamed(1, bad),
  },
  arriveNamed: {
    'the number of a named barrier': (_, bad) => arriveNamed(bad, 1),
    'the threads of arriveNamed()': (_, bad) => arriveNamed(1, bad),
  },
  syncCluster: {},
  read: {},
  write: {},
  fence: {},
  store: { 'the value of store()': ({ value }, bad) => store(value, bad) },
  load: {},
  fetchAdd: { 'the amount of fetchAdd()': ({ value }, bad) => fetchAdd(value, bad) },
  tryClaim: {},
  compute: { 'the cycles of compute()': (_, bad) => compute(bad) },
  alloc: { 'the units of alloc()': ({ memory }, bad) => alloc(memory, bad) },
  free: {},
  relinquish: {},
  choose: { 'the answers of choose()': (_, bad) => choose(bad) },
  more: {},
  spawn: { 'the role of spawn()': (_, bad) => spawn(bad) },
  join: { 'the role of join()': (_, bad) => join(bad) },
  exit: {},
  own: {},
  use: {},
  disown: {},
  step: {},
  loop: {},
  stage: {},
  arriveCluster: {},
  waitCluster: {},
  giveRegisters: {
    'the registers of setMaxRegisters()': (_, bad) => setMaxRegisters('dec', bad),
  },
  takeRegisters: {
    'the registers of setMaxRegisters()': (_, bad) => setMaxRegisters('inc', bad),
  },
  launchDependents: {},
  waitGrids: {},
} satisfies Readonly<Record<OpName, Cases>>;

/** Numbers of declarations, each with the words that its error has. */
const DECLARATIONS: Readonly<Record<string, (bad: number) => unknown>> = {
  'the count of barrier b': (bad) => barrier('b', { count: bad }),
  'the bytes of buffer b': (bad) =>
    bad < 2 ** 53 && bad > 2 ** 30 ? never() : buffer('b', { bytes: bad }),
  'the initial value of cell c': (bad) => cell('c', bad),
  'the capacity of pool p': (bad) => pool('p', { capacity: bad }),
  'the buffers of pool p': (bad) => pool('p', { capacity: 8, buffers: bad }),
  items: (bad) => count(bad, 'items'),
  'the registers of a thread': (bad) => registers({ perThread: bad, threads: 1 }),
  'the threads of registers()': (bad) => registers({ perThread: 168, threads: bad }),
  'the ctas of launch()': (bad) => launch({ ctas: bad }),
  'the ptx of launch()': (bad) => launch({ ptx: `v${String(bad)}` }),
  'the lanes of role r': (bad) => role('r', { lanes: bad }, function* () {}),
  'the cta of role r': (bad) => role('r', { cta: bad }, function* () {}),
  'the stages of pipeline ab': (bad) => pipeline('ab', { stages: bad, bytes: 8 }),
  'the bytes of pipeline ab': (bad) => pipeline('ab', { stages: 1, bytes: bad }),
  'the producers of pipeline ab': (bad) => pipeline('ab', { stages: 1, bytes: 8, producers: bad }),
  'the consumers of pipeline ab': (bad) => pipeline('ab', { stages: 1, bytes: 8, consumers: bad }),
};

/** A size of more than 32 bits is a size of host memory. */
function never(): never {
  throw new TypeError('the bytes of buffer b may be that many');
}

async function messageOf(target: Kernel): Promise<string> {
  try {
    const { verdict } = await check(target);
    return `accepted: ${verdict}`;
  } catch (error) {
    assert.equal((error as Error).name, 'InputError', String(error));
    const { message, position } = error as Error & { position?: { line: number } };
    assert.ok(position !== undefined, `${message} has a place`);
    return message;
  }
}

for (const [name, cases] of Object.entries<Cases>(OPERATIONS)) {
  for (const [words, make] of Object.entries(cases)) {
    test(`${name}: ${words} is checked`, async () => {
      for (const [shown, bad] of BAD) {
        const target = kernel('bad', {}, () => {
          const bar = barrier('bar');
          registers({ perThread: 168, threads: 1 });
          const declared = { bar, value: cell('value'), memory: pool('memory', { capacity: 8 }) };
          return [
            role('acts', function* () {
              const operation = make(declared, bad as number);
              if (operation !== undefined) yield* operation as Generator<Op, unknown, number>;
            }),
          ];
        });
        const message = await messageOf(target);
        assert.ok(message.includes(words), `${shown}: ${message}`);
        assert.ok(message.includes(`not ${shown}`), message);
      }
    });
  }
}

for (const [words, make] of Object.entries(DECLARATIONS)) {
  test(`${words} is checked`, async () => {
    for (const [shown, bad] of BAD) {
      const target = kernel('bad', {}, () => {
        make(bad as number);
        return [role('idle', function* () {})];
      });
      const message = await messageOf(target);
      assert.ok(message.includes(words), `${shown}: ${message}`);
    }
  });
}

test('the bytes of a stage are checked where they are expected', async () => {
  for (const [shown, bad] of BAD) {
    const target = kernel('bad', {}, () => {
      const ab = pipeline('ab', { stages: 1, bytes: 8 });
      return [
        role('load', function* () {
          using slot = yield* ab.produce();
          tma.expect(slot, bad as number);
        }),
        role('mma', function* () {
          using full = yield* ab.consume();
          mma.issue(full);
        }),
      ];
    });
    const message = await messageOf(target);
    assert.match(message, /bytes/, shown);
    assert.ok(message.includes(`not ${shown}`), message);
  }
});

test('parameters are finite numbers; fractions are left to what uses them', async () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -0]) {
    const byDefault = kernel('bad', { x: bad }, () => [role('idle', function* () {})]);
    await assert.rejects(
      check(byDefault),
      /the default of x in kernel bad must be a finite number/,
    );
    const whole = kernel('good', { x: 1 }, () => [role('idle', function* () {})]);
    await assert.rejects(check(whole, { params: { x: bad } }), /parameter x must be a number/);
  }
  const half = kernel('half', { x: 0.5 }, ({ x }) => [
    role('idle', function* () {
      yield* compute(x * 4);
    }),
  ]);
  assert.equal((await check(half)).verdict, 'certified');
});
