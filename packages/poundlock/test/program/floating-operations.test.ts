// Rule P13: an operation that is created is performed, by the role that created it, before it ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '@poundlock/core/internal/base';
import { CATALOGUE } from '@poundlock/core/internal/op';
import { check } from '#src/check/index';
import { exportKernel } from '#src/export/index';
import { advise } from '#src/advise/index';
import { MODELS, simulate } from '#src/simulate/index';
import {
  alloc,
  arrive,
  arriveCluster,
  barrier,
  cell,
  choose,
  compute,
  count,
  end,
  fetchAdd,
  join,
  kernel,
  load,
  loop,
  mma,
  pipeline,
  pool,
  registers,
  role,
  setMaxRegisters,
  syncCluster,
  syncNamed,
  tryWait,
  wait,
  waitCluster,
  waitGrids,
  waitParity,
  type Kernel,
  type Op,
  type Operation,
} from 'poundlock';
import { placesOf } from '../../../core/test/system/explore.ts';

/** Everything that a call of an operation may name. */
interface Scene {
  readonly bar: ReturnType<typeof barrier>;
  readonly flag: ReturnType<typeof cell>;
  readonly ring: ReturnType<typeof pipeline>;
  readonly items: ReturnType<typeof count>;
  readonly memory: ReturnType<typeof pool>;
}

type Call = (scene: Scene) => Operation<unknown> | Generator<Op, unknown, number>;

/** A call for every operation of the catalogue that programs write `yield*` before. */
const CALLS: Readonly<Record<string, readonly Call[]>> = {
  wait: [({ bar }) => wait(bar, 0)],
  waitParity: [({ bar }) => waitParity(bar, 0)],
  waitStage: [
    ({ ring }) => ring.produce(),
    ({ ring }) => ring.acquireProducer(),
    ({ ring }) => ring.waitConsumer(),
    ({ ring }) => ring.producerSignalAndStep(),
    ({ ring }) => ring.drain(),
  ],
  tryWait: [({ bar }) => tryWait(bar, 0)],
  tryWaitStage: [({ ring }) => ring.tryWaitConsumer(), ({ ring }) => ring.tryWaitProducer()],
  waitGroup: [() => mma.waitGroup(0)],
  syncNamed: [() => syncNamed(1, 1)],
  syncCluster: [() => syncCluster()],
  load: [({ flag }) => load(flag)],
  fetchAdd: [({ flag }) => fetchAdd(flag, 1)],
  tryClaim: [({ ring }) => ring.tryClaim()],
  compute: [() => compute(10)],
  alloc: [({ memory }) => alloc(memory, 32)],
  choose: [() => choose(2)],
  more: [({ items }) => items.more()],
  join: [() => join(1)],
  loop: [
    () =>
      loop<null, null>(null, function* () {
        return end(null);
      }),
  ],
  stage: [({ ring }) => ring.producerStage()],
  takeRegisters: [() => setMaxRegisters('inc', 168)],
  waitCluster: [arrivedAtCluster],
  waitGrids: [() => waitGrids()],
};

/** The second half of a cluster barrier, after the first. */
function arrivedAtCluster(): ReturnType<Call> {
  arriveCluster();
  return waitCluster();
}

/** A program whose role makes one call, and performs what it returns if `performs`. */
function one(call: Call, performs: boolean): Kernel {
  return kernel('one', {}, () => {
    const bar = barrier('bar');
    const flag = cell('flag', 0);
    const ring = pipeline('ring', { stages: 1, advance: 'acquire' });
    const items = count(1);
    const memory = pool('memory', { capacity: 32 });
    registers({ perThread: 168, threads: 2 });
    const scene = { bar, flag, ring, items, memory };
    return [
      role('caller', function* () {
        arrive(bar);
        const created = call(scene);
        if (performs) yield* created;
      }),
      role('other', function* () {
        if (call === arrivedAtCluster) arriveCluster();
        yield* compute(1);
      }),
    ];
  });
}

const floatingIn = async (one: Kernel): Promise<number> => {
  const { findings } = await check(one);
  return findings.filter(({ rule }) => rule === 'floating-op').length;
};

test('P13: the table has every operation that is written with yield*', () => {
  const yielded = CATALOGUE.filter(({ yields }) => yields).map(({ name }) => name);
  assert.deepEqual(Object.keys(CALLS).toSorted(), yielded.toSorted());
});

for (const [name, calls] of Object.entries(CALLS)) {
  test(`P13: ${name} that is created and not performed is an error that names its line`, async () => {
    for (const call of calls) {
      const broken = one(call, false);
      const { verdict, findings } = await check(broken);
      assert.equal(verdict, 'counterexample');
      assert.equal(findings[0]!.rule, 'floating-op');
      assert.equal(findings[0]!.primary.role, 'caller');
      assert.match(findings[0]!.primary.file, /floating-operations\.test\.ts$/);
      const { line } = findings[0]!.primary;
      const refused = (error: unknown): boolean => {
        return error instanceof InputError && error.position?.line === line;
      };
      assert.throws(() => simulate(broken, { model: MODELS.h200 }), refused);
      assert.throws(() => exportKernel(broken, 'promela'), refused);
      await assert.rejects(() => advise(broken, { model: MODELS.h200 }), refused);
      assert.equal(await floatingIn(one(call, true)), 0);
    }
  });
}

/** A role with the body of a test, and one that arrives at its barrier. */
function withBody(body: (bar: Scene['bar']) => Generator<Op, void, number>): Kernel {
  return kernel('body', {}, () => {
    const bar = barrier('bar');
    return [
      role('arrives', function* () {
        arrive(bar);
      }),
      role('body', function* () {
        yield* body(bar);
      }),
    ];
  });
}

const VERDICTS: readonly [string, (bar: Scene['bar']) => Generator<Op, void, number>, number][] = [
  [
    'stored and performed later',
    function* (bar) {
      const later = wait(bar, 0);
      yield* compute(10);
      yield* later;
    },
    0,
  ],
  [
    'a list that is performed in its order',
    function* (bar) {
      const all = [wait(bar, 0), waitParity(bar, 0), wait(bar, 0)];
      for (const each of all) yield* each;
    },
    0,
  ],
  [
    'performed twice',
    function* (bar) {
      const again = wait(bar, 0);
      yield* again;
      yield* again;
    },
    0,
  ],
  [
    'returned by a helper function',
    function* (bar) {
      const make = (): Operation<void> => wait(bar, 0);
      yield* make();
    },
    0,
  ],
  [
    'created before a loop and performed in its rounds',
    function* (bar) {
      const again = wait(bar, 0);
      yield* loop(0, function* (round) {
        yield* again;
        return round === 3 ? end(null) : round + 1;
      });
    },
    0,
  ],
  [
    'created before a loop and performed after it',
    function* (bar) {
      const later = wait(bar, 0);
      yield* loop(0, function* (round) {
        yield* compute(1);
        return round === 3 ? end(null) : round + 1;
      });
      yield* later;
    },
    0,
  ],
  [
    'created before a loop and never performed',
    function* (bar) {
      wait(bar, 0);
      yield* loop(0, function* (round) {
        yield* compute(1);
        return round === 3 ? end(null) : round + 1;
      });
    },
    1,
  ],
  [
    'created in a round of a loop',
    function* (bar) {
      yield* loop(0, function* (round) {
        if (round === 2) wait(bar, 0);
        yield* compute(1);
        return round === 3 ? end(null) : round + 1;
      });
    },
    1,
  ],
  [
    'the same object forgotten once and performed once',
    function* (bar) {
      waitParity(bar, 0);
      yield* waitParity(bar, 0);
    },
    1,
  ],
  [
    'the condition of an if',
    function* (bar) {
      if (tryWait(bar, 0)) yield* compute(1);
    },
    1,
  ],
  [
    'after a choice, on one way alone',
    function* (bar) {
      const way = yield* choose(2);
      const later = wait(bar, 0);
      if (way === 0) yield* later;
    },
    1,
  ],
];

for (const [what, body, expected] of VERDICTS) {
  test(`P13: ${what}: ${expected === 0 ? 'no finding' : 'a finding'}`, async () => {
    assert.equal(await floatingIn(withBody(body)), expected);
  });
}

test('P13: an endless role is judged at the end of each round', async () => {
  const endless = kernel('endless', {}, () => {
    const ring = pipeline('ring', { stages: 2 });
    return [
      role('load', function* () {
        yield* loop(null, function* () {
          const slot = yield* ring.acquireProducer();
          slot.arrive();
          slot.release();
          return null;
        });
      }),
      role('use', function* () {
        yield* loop(null, function* () {
          mma.waitGroup(0);
          using _tile = yield* ring.consume();
          return null;
        });
      }),
    ];
  });
  const { findings } = await check(endless);
  assert.equal(findings[0]!.rule, 'floating-op');
});

test('P13: of a role that waits for ever, a deadlock shows what it has not performed', async () => {
  const stuck = kernel('stuck', {}, () => {
    const [a, b] = [barrier('a'), barrier('b')];
    return [
      role('one', function* () {
        wait(a, 0);
        yield* wait(b, 0);
        arrive(a);
      }),
      role('two', function* () {
        yield* wait(a, 0);
        arrive(b);
      }),
    ];
  });
  const [finding] = (await check(stuck)).findings;
  assert.equal(finding!.rule, 'deadlock');
  assert.equal(placesOf(finding!).at(-1), 'one: wait(a, 0);');
});

test('P13: outside of a role there are no operations, and none of another role', async () => {
  const atKernel = kernel('at-kernel', {}, () => {
    const bar = barrier('bar');
    const early = wait(bar, 0);
    return [
      role('use', function* () {
        yield* early;
      }),
    ];
  });
  await assert.rejects(() => check(atKernel), /wait\(\) must be called inside a role's body/);
  let shared: Operation<void> | undefined;
  const foreign = kernel('foreign', {}, () => {
    const bar = barrier('bar');
    return [
      role('makes', function* () {
        arrive(bar);
        shared = wait(bar, 0);
        yield* compute(1);
      }),
      role('performs', function* () {
        yield* compute(1);
        if (shared !== undefined) yield* shared;
      }),
    ];
  });
  await assert.rejects(async () => {
    const { findings } = await check(foreign);
    assert.ok(findings.length > 0);
    throw new InputError('performed by the role that creates it');
  }, /performed by the role that creates it/);
});

test('P13: a role that creates operations without end is refused at its line', async () => {
  const endless = kernel('no-end', {}, () => {
    const items = count(4);
    return [
      role('load', function* () {
        let rounds = 0;
        while (items.more()) rounds++;
        yield* compute(rounds);
      }),
    ];
  });
  await assert.rejects(() => check(endless), /write yield\* before more\(\)/);
});

test('a result that is used without yield* is one line: its call, its place, what to write', async () => {
  const gemm = (use: (ring: ReturnType<typeof pipeline>) => void) =>
    kernel('gemm', {}, () => {
      const ring = pipeline('ring', { stages: 1, bytes: 16 });
      return [
        role('load', function* () {
          use(ring);
        }),
      ];
    });
  const uses: readonly [string, (ring: ReturnType<typeof pipeline>) => void][] = [
    [
      'produce()',
      (ring) => {
        using slot = ring.produce() as unknown as Disposable;
        void slot;
      },
    ],
    ['consume()', (ring) => mma.issue(ring.consume() as never)],
    [
      'acquireProducer()',
      (ring) => (ring.acquireProducer() as never as { release(): void }).release(),
    ],
  ];
  for (const [call, use] of uses) {
    await assert.rejects(check(gemm(use)), (error) => {
      assert.ok(error instanceof InputError);
      assert.match(error.message, /^role load /);
      assert.ok(error.message.includes(` ${call} `), error.message);
      assert.match(error.position?.file ?? '', /floating-operations/);
      return true;
    });
  }
});

test('an error of the program itself stays what it is', async () => {
  const broken = kernel('broken', {}, () => [
    role('load', function* () {
      (undefined as unknown as { x(): void }).x();
    }),
  ]);
  await assert.rejects(check(broken), /role load threw: Cannot read properties of undefined/);
});
