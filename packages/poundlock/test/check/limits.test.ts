// M14: bytes that an mbarrier cannot count are a finding, whichever engine decides; and wide states.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import {
  arrive,
  asyncCopy,
  barrier,
  cell,
  choose,
  completeTx,
  expectTx,
  fetchAdd,
  kernel,
  pipeline,
  role,
  tma,
  UNITS,
  wait,
  waitParity,
  type Kernel,
  type Op,
} from 'poundlock';

const MOST = 2 ** 20 - 1;
const ENGINES = ['auto', 'certify', 'reduced', 'search'] as const;

function* noOps(): Generator<Op, void, number> {}

/** A phase that `fill` expects and brings bytes in. */
function phase(fill: (full: ReturnType<typeof barrier>) => void, more = noOps): Kernel {
  return kernel('phase', {}, () => {
    const full = barrier('full');
    return [
      role('fill', function* () {
        fill(full);
        yield* more();
      }),
      role('use', function* () {
        yield* wait(full, 0);
      }),
    ];
  });
}

const copy = (bar: ReturnType<typeof barrier>, bytes: number): void =>
  asyncCopy(UNITS.tma, { into: [], bar, bytes });

const CASES: Readonly<Record<string, readonly [boolean, Kernel]>> = {
  'the most bytes are expected at once': [
    true,
    phase((full) => {
      arrive(full, { bytes: MOST });
      copy(full, MOST);
    }),
  ],
  'one more is expected at once': [false, phase((full) => arrive(full, { bytes: MOST + 1 }))],
  'one more is expected in parts': [
    false,
    phase((full) => {
      expectTx(full, MOST);
      expectTx(full, 1);
      copy(full, MOST);
      copy(full, 1);
      arrive(full);
    }),
  ],
  'two phases expect the most': [
    true,
    kernel('phases', {}, () => {
      const full = barrier('full');
      return [
        role('fill', function* () {
          for (let tile = 0; tile < 2; tile++) {
            arrive(full, { bytes: MOST });
            copy(full, MOST);
            yield* wait(full, tile);
          }
        }),
      ];
    }),
  ],
  'copies that may complete before their bytes are expected, within range': [
    true,
    phase((full) => {
      copy(full, MOST - 1);
      copy(full, 1);
      arrive(full, { bytes: MOST });
    }),
  ],
  'copies that may complete before their bytes are expected, out of range': [
    false,
    phase((full) => {
      copy(full, MOST - 1);
      copy(full, 2);
      expectTx(full, MOST - 1);
      expectTx(full, 2);
      arrive(full);
    }),
  ],
  'bytes that a role completes too early': [
    false,
    phase((full) => {
      completeTx(full, MOST);
      completeTx(full, 1);
    }),
  ],
  'sums that would wrap at 2^32': [
    false,
    phase((full) => {
      for (let part = 0; part < 4; part++) expectTx(full, 0x3fffffff);
      expectTx(full, 4);
      arrive(full);
    }),
  ],
  'a stage of a ring that is too large': [
    false,
    kernel('ring', {}, () => {
      const ab = pipeline('ab', { stages: 2, bytes: { a: MOST, b: 1 } });
      return [
        role('load', function* () {
          using slot = yield* ab.produce();
          tma.load(slot);
        }),
        role('mma', function* () {
          using full = yield* ab.consume();
          void full;
        }),
      ];
    }),
  ],
};

for (const [name, [isRight, target]] of Object.entries(CASES)) {
  test(`M14: ${name}`, async () => {
    for (const engine of ENGINES) {
      const { verdict, findings } = await check(target, { engine });
      if (isRight) assert.equal(verdict, 'certified', engine);
      else if (engine === 'certify') assert.notEqual(verdict, 'certified');
      else assert.deepEqual([verdict, findings[0]?.rule], ['counterexample', 'count-out-of-range']);
    }
  });
}

test('the message of a sum names the phase, the sum and every part', async () => {
  const { findings } = await check(CASES['one more is expected in parts']![1]);
  assert.match(findings[0]!.message, /phase 0 of full misses 1,048,576 B, .* 1,048,575 B at most/);
  assert.ok(findings[0]!.labels.length >= 1);
});

test('more moves than a state can have are inconclusive, and none is left out', async () => {
  const wide = kernel('wide', { n: 40_000 }, ({ n }) => {
    const bar = barrier('b');
    return [
      role('a', function* () {
        yield* choose(n);
      }),
      role('c', function* () {
        if ((yield* choose(n)) === n - 1) yield* waitParity(bar, 0);
      }),
    ];
  });
  for (const engine of ['search', 'reduced'] as const) {
    const { verdict, reason } = await check(wide, { engine });
    assert.equal(verdict, 'inconclusive');
    assert.match(reason ?? '', /the bound moves is 65536/);
  }
  const { findings } = await check(wide, { engine: 'search', params: { n: 200 } });
  assert.equal(findings[0]?.rule, 'deadlock');
});

test('a cell that leaves 32 bits is inconclusive, never another number', async () => {
  const sum = kernel('sum', {}, () => {
    const total = cell('total', 0x3fffffff);
    const bar = barrier('b');
    return [
      role('add', function* () {
        for (let turn = 0; turn < 2; turn++) yield* fetchAdd(total, 0x3fffffff);
        if ((yield* fetchAdd(total, 0)) < 0) yield* wait(bar, 0);
      }),
    ];
  });
  for (const engine of ENGINES) {
    const { verdict, reason } = await check(sum, { engine });
    assert.equal(verdict, 'inconclusive', engine);
    assert.match(reason ?? '', /the bound cell is 2147483647/);
  }
});
