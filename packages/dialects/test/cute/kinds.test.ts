// tier: deep
// Each kind of pipeline: how many arrivals complete a phase, and who makes them, in which CTAs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import {
  asyncCopy,
  asyncUse,
  end,
  fence,
  kernel,
  loop,
  mma,
  read,
  role,
  tma,
  UNITS,
  write,
} from 'poundlock';
import type { Kernel } from 'poundlock';
import { Agent, CooperativeGroup, cutlass, makeConsumerStartState } from '@poundlock/dialects/cute';
import { makeProducerStartState, PipelineAsync, PipelineAsyncUmma } from '@poundlock/dialects/cute';
import { PipelineClcFetchAsync } from '@poundlock/dialects/cute';
import { PipelineTmaAsync, PipelineTmaUmma, PipelineUmmaAsync } from '@poundlock/dialects/cute';
import type { Pipeline } from '@poundlock/dialects/cute';
import { rulesOf } from '../../../poundlock/test/kernels.ts';
import { visibleSteps } from './visible-steps.ts';

const threads = (size: number) => new CooperativeGroup(Agent.Thread, size);
const LANES = 64;
const oneStage = { numStages: 1, bytes: 16 };

/** One stage, filled and emptied once, by roles of 64 threads each, without a handle. */
function once(create: () => Pipeline): Kernel {
  return kernel('once', {}, () => {
    const ab = create();
    return [
      role('fill', { lanes: LANES }, function* () {
        const state = makeProducerStartState(ab);
        yield* ab.producerAcquire(state);
        ab.producerCommit(state);
      }),
      role('empty', { lanes: LANES }, function* () {
        const state = makeConsumerStartState(ab);
        yield* ab.consumerWait(state);
        ab.consumerRelease(state);
      }),
    ];
  });
}

const fullTimes = (times: number) => `arrive ${times} times on ab.full[0]`;
const emptyTimes = (times: number) => `arrive ${times} times on ab.empty[0]`;

test('PipelineAsync: every thread that commits or releases arrives', () => {
  const steps = visibleSteps(
    once(() =>
      PipelineAsync.create('ab', {
        numStages: 1,
        producerGroup: threads(LANES),
        consumerGroup: new CooperativeGroup(Agent.Warp, 2),
      }),
    ),
  );
  assert.deepEqual(steps.fill!.slice(1), [fullTimes(64)]);
  assert.deepEqual(steps.empty!.slice(1), [emptyTimes(64)]);
});

test('PipelineAsyncUmma and PipelineUmmaAsync: one side commits to the tensor core', () => {
  const filled = visibleSteps(
    once(() => PipelineAsyncUmma.create('ab', { numStages: 1, producerGroup: threads(LANES) })),
  );
  assert.deepEqual(filled.fill!.slice(1), [fullTimes(64)]);
  assert.deepEqual(filled.empty!.slice(1), ['commit to ab.empty[0]']);
  const emptied = visibleSteps(
    once(() => PipelineUmmaAsync.create('ab', { numStages: 1, consumerGroup: threads(LANES) })),
  );
  assert.deepEqual(emptied.fill!.slice(1), ['commit to ab.full[0]']);
  assert.deepEqual(emptied.empty!.slice(1), [emptyTimes(64)]);
});

/** As {@link once}, with one TMA thread and copies. */
function copied(create: () => Pipeline, lanes: number): Kernel {
  return kernel('copied', {}, () => {
    const ab = create();
    return [
      role('load', function* () {
        const state = makeProducerStartState(ab);
        yield* ab.producerAcquire(state);
        ab.tmaLoad(state);
        ab.producerCommit(state); // does nothing
        ab.producerCommit(state);
        yield* ab.producerTail({ ...state, phase: 0 });
      }),
      role('empty', { lanes }, function* () {
        const state = makeConsumerStartState(ab);
        yield* ab.consumerWait(state);
        for (const one of ab.buffers(state)) read(one);
        ab.consumerRelease(state);
      }),
    ];
  });
}

test('PipelineTmaAsync: an acquire expects the bytes; one lane of each warp arrives', () => {
  const create = () =>
    PipelineTmaAsync.create('ab', {
      numStages: 1,
      bytes: { a: 16, b: 48 },
      consumerGroup: threads(LANES),
      enableMulticastSignaling: true,
    });
  const { load, empty } = visibleSteps(copied(create, LANES));
  assert.deepEqual(load!.slice(1, 4), [
    'arrive on ab.full[0], expecting 64 B',
    'start a copy of 16 B into ab[0].a',
    'start a copy of 48 B into ab[0].b',
  ]);
  assert.equal(empty!.at(-1), emptyTimes(2));
});

test('the same class of C++: every consumer thread arrives', () => {
  const create = () =>
    cutlass.PipelineTmaAsync.create('ab', { stages: 1, bytes: 64, numConsumers: LANES });
  const { empty } = visibleSteps(copied(create, LANES));
  assert.equal(empty!.at(-1), emptyTimes(64));
});

test('PipelineTmaUmma and PipelineTmaUmmaAsync: a release is a commit', () => {
  for (const create of [
    () => PipelineTmaUmma.create('ab', oneStage),
    () => cutlass.PipelineTmaUmmaAsync.create('ab', { stages: 1, bytes: 16 }),
  ]) {
    assert.equal(visibleSteps(copied(create, LANES)).empty!.at(-1), 'commit to ab.empty[0]');
  }
});

test('PipelineTransactionAsync: bytes are expected by themselves, and the threads arrive', async () => {
  const transaction = kernel('transaction', {}, () => {
    const c = cutlass.PipelineTransactionAsync.create('c', {
      stages: 1,
      bytes: 16,
      producerArvCount: 32,
    });
    return [
      role('load', { lanes: 32 }, function* () {
        const state = makeProducerStartState(c);
        yield* c.producerAcquire(state);
        c.producerExpectTransaction(state);
        c.tmaLoad(state);
        c.producerCommit(state);
      }),
      role('use', function* () {
        const state = makeConsumerStartState(c);
        yield* c.consumerWait(state);
        for (const one of c.buffers(state)) read(one);
      }),
    ];
  });
  assert.deepEqual(visibleSteps(transaction).load!.slice(1), [
    'expect 16 B on c.full[0]',
    'start a copy of 16 B into c[0]',
    'arrive 32 times on c.full[0]',
  ]);
  assert.equal((await check(transaction, { engine: 'search' })).verdict, 'certified');
});

test('in a cluster of 2 × 3, a stage is released to its row and its column', () => {
  const cluster = kernel('cluster', {}, () => {
    const ab = PipelineTmaAsync.create('ab', {
      numStages: 1,
      bytes: 16,
      ctaLayoutVmnk: [1, 2, 3, 1],
      consumerGroup: threads(32),
      enableMulticastSignaling: true, // one arrival of each of 2 + 3 - 1 CTAs
    });
    return Array.from({ length: 6 }, (_, cta) =>
      role(`cta${cta}`, { cta, lanes: 32 }, function* () {
        const state = makeProducerStartState(ab);
        yield* ab.producerAcquire(state);
        ab.tmaLoad(state);
        yield* ab.consumerWait(makeConsumerStartState(ab));
        for (const one of ab.buffers(state)) read(one);
        ab.consumerRelease(state);
        yield* ab.producerTail({ ...state, phase: 0 });
      }),
    );
  });
  const released = Object.values(visibleSteps(cluster)).map((steps) => {
    const release = steps.find((step) => step.includes('on ab.empty'))!;
    return [...release.matchAll(/CTA (\d)/g)].map(([, cta]) => Number(cta));
  });
  assert.deepEqual(released, [
    [0, 1, 2, 4],
    [0, 1, 3, 5],
    [0, 2, 3, 4],
    [1, 2, 3, 5],
    [0, 2, 4, 5],
    [1, 3, 4, 5],
  ]);
});

test('without a multicast along the rows, only the column is signaled', () => {
  const column = kernel('column', {}, () => {
    const ab = PipelineTmaUmma.create('ab', {
      ...oneStage,
      ctaLayoutVmnk: [1, 2, 2, 1],
      mcastModeMn: [0, 1],
      consumerGroup: threads(2),
    });
    return [0, 1, 2, 3].map((cta) =>
      role(`cta${cta}`, { cta }, function* () {
        const state = makeProducerStartState(ab);
        yield* ab.producerAcquire(state);
        ab.tmaLoad(state);
        yield* ab.consumerWait(makeConsumerStartState(ab));
        ab.consumerRelease(state);
        yield* ab.producerTail({ ...state, phase: 0 });
      }),
    );
  });
  const commits = Object.values(visibleSteps(column)).map((steps) => steps.at(-2));
  assert.match(commits[0]!, /CTA 0 and .*CTA 1/);
  assert.match(commits[3]!, /CTA 2 and .*CTA 3/);
});

/** A scheduler in CTA 0 that fetches twice for two CTAs; its commit is a mistake. */
const fetches = (commits: boolean): Kernel =>
  kernel('fetches', {}, () => {
    const clc = PipelineClcFetchAsync.create('clc', {
      numStages: 1,
      bytes: 16,
      ctaLayoutVmnk: [1, 2, 1, 1],
      consumerGroup: threads(2 * 32),
    });
    const [producer, consumer] = clc.makeParticipants();
    const scheduler = role('scheduler', function* () {
      for (let fetch = 0; fetch < 2; fetch++) {
        const handle = yield* producer.acquireAndAdvance();
        const bar = handle.barrier;
        asyncCopy(UNITS.clc, { into: handle.buffers, bar, bytes: 16, ctas: [0, 1] });
        if (commits) handle.commit();
      }
      yield* producer.tail();
    });
    const workers = [0, 1].map((cta) =>
      role(`worker${cta}`, { cta, lanes: 32 }, function* () {
        for (let fetch = 0; fetch < 2; fetch++) {
          const handle = yield* consumer.waitAndAdvance();
          read(handle.buffer());
          handle.release();
        }
      }),
    );
    return [scheduler, ...workers];
  });

test('PipelineClcFetchAsync expects the response in every CTA, and is released in CTA 0', async () => {
  const { scheduler, worker1 } = visibleSteps(fetches(false));
  assert.equal(
    scheduler![1],
    'arrive on clc.full[0] of CTA 0 and clc.full[0] of CTA 1, expecting 16 B',
  );
  assert.equal(worker1![2], 'arrive 32 times on clc.empty[0] of CTA 0');
  for (const engine of ['certify', 'search'] as const) {
    assert.equal((await check(fetches(false), { engine })).verdict, 'certified', engine);
  }
});

test('a commit of a CLC fetch expects the response again', async () => {
  assert.deepEqual(await rulesOf(fetches(true)), ['over-arrival']);
});

/** One stage through a pair of CTAs, in the words of either library. */
const pairs = (ab: () => Pipeline, acc: () => Pipeline): Kernel =>
  kernel('pairs', {}, () => {
    const [input, output] = [ab(), acc()];
    const [full, empty] = [makeConsumerStartState(input), makeProducerStartState(input)];
    const loads = [0, 1].map((cta) =>
      role(`load${cta}`, { cta }, function* () {
        yield* input.producerAcquire(empty);
        input.tmaLoad(empty, { ctaGroup: 2 });
        yield* input.producerTail({ ...empty, phase: 0 });
      }),
    );
    const multiply = role('mma', function* () {
      yield* input.consumerWait(full);
      asyncUse(UNITS.mma, {
        reads: input.buffers(full),
        writes: output.buffers(empty),
        ctas: [0, 1],
      });
      input.consumerRelease(full);
      output.producerCommit(empty);
      yield* output.producerTail({ ...empty, phase: 0 });
    });
    const epilogues = [0, 1].map((cta) =>
      role(`epilogue${cta}`, { cta, lanes: 32 }, function* () {
        yield* output.consumerWait(full);
        for (const one of output.buffers(full)) read(one);
        output.consumerRelease(full);
      }),
    );
    return [...loads, multiply, ...epilogues];
  });

for (const [words, kernelOf] of [
  [
    'CuTe DSL',
    pairs(
      () =>
        PipelineTmaUmma.create('ab', {
          numStages: 1,
          bytes: 16,
          txCount: 32,
          ctaLayoutVmnk: [2, 1, 1, 1],
        }),
      () =>
        PipelineUmmaAsync.create('acc', {
          numStages: 1,
          consumerGroup: threads(2 * 32),
          ctaLayoutVmnk: [2, 1, 1, 1],
        }),
    ),
  ],
  [
    'CUTLASS C++',
    pairs(
      () =>
        cutlass.PipelineTmaUmmaAsync.create('ab', {
          stages: 1,
          bytes: 16,
          transactionBytes: 32,
          clusterShape: [2, 1],
          atomThrShape: 2,
        }),
      () =>
        cutlass.PipelineUmmaAsync.create('acc', {
          stages: 1,
          consumerArvCount: 2 * 32,
          clusterShape: [2, 1],
          atomThrShape: 2,
        }),
    ),
  ],
] as const) {
  test(`${words}: the leader of a pair expects, multiplies and is signaled for both`, async () => {
    const { load0, load1, mma: multiply, epilogue1 } = visibleSteps(kernelOf);
    const expects = (steps: string[] | undefined) =>
      steps!.filter((step) => step.includes('expecting'));
    assert.deepEqual(expects(load0), ['arrive on ab.full[0] of CTA 0, expecting 32 B']);
    assert.deepEqual(expects(load1), []);
    const both = (name: string) => `commit to ${name}[0] of CTA 0 and ${name}[0] of CTA 1`;
    assert.deepEqual(multiply!.slice(2, 4), [both('ab.empty'), both('acc.full')]);
    assert.equal(epilogue1!.at(-1), 'arrive 32 times on acc.empty[0] of CTA 0');
    for (const engine of ['certify', 'search'] as const) {
      assert.equal((await check(kernelOf, { engine })).verdict, 'certified', engine);
    }
  });
}

test('threads fill a stage for a pair at its leader', () => {
  for (const create of [
    () => PipelineAsyncUmma.create('ab', { numStages: 1, ctaLayoutVmnk: [2, 1, 1, 1] }),
    () =>
      cutlass.PipelineUmmaConsumerAsync.create('ab', {
        stages: 1,
        clusterShape: [2, 1],
        atomThrShape: 2,
      }),
  ]) {
    const fills = kernel('fills', {}, () => {
      const ab = create();
      return [
        role('peer', { cta: 1 }, function* () {
          const state = makeProducerStartState(ab);
          ab.producerCommit(state);
          yield* ab.producerTail({ ...state, phase: 0 });
        }),
        role('mma', function* () {
          const state = makeConsumerStartState(ab);
          yield* ab.consumerWait(state);
          ab.consumerRelease(state);
          yield* ab.producerTail(state);
        }),
      ];
    });
    const { peer, mma: multiply } = visibleSteps(fills);
    assert.equal(peer![0], 'arrive on ab.full[0] of CTA 0');
    assert.equal(multiply![1], 'commit to ab.empty[0] of CTA 0 and ab.empty[0] of CTA 1');
  }
});

test('invalid counts are reported in one line', async () => {
  const rejected: [() => unknown, RegExp][] = [
    [
      () => threads(0),
      /the size of a CooperativeGroup must be a whole number from 1 to \d+, not 0/,
    ],
    [() => new CooperativeGroup('team' as never), /must be thread or warp, not 'team'/],
    [
      () => PipelineTmaAsync.create('ab', { ...oneStage, enableMulticastSignaling: true }),
      /the consumerGroup of ab must be whole warps of 32 threads, not 1/,
    ],
    [
      () => PipelineTmaAsync.create('ab', { ...oneStage, ctaLayoutVmnk: [1, 0, 1, 1] }),
      /each size of a cluster/,
    ],
    [
      () => PipelineTmaAsync.create('ab', { ...oneStage, ctaLayoutVmnk: [3, 1, 1, 1] }),
      /work as one/,
    ],
    [() => PipelineAsync.create('ab', { numStages: 0 }), /the stages of pipeline ab/],
    [
      () => PipelineTmaUmma.create('ab', { ...oneStage, mcastModeMn: [0, 0] }),
      /the CTAs that a stage is multicast to/,
    ],
  ];
  for (const [call, message] of rejected) {
    const bad = kernel('bad', {}, () => {
      call();
      return [role('only', function* () {})];
    });
    await assert.rejects(check(bad), message);
  }
});

test('a whole kernel of the four SM100 kinds is certified by both engines', async () => {
  const chain = kernel('chain', { tiles: 2 }, ({ tiles }) => {
    const [raw, rawUser] = PipelineTmaAsync.create('raw', oneStage).makeParticipants();
    const [ab, abUser] = PipelineAsyncUmma.create('ab', { numStages: 1 }).makeParticipants();
    const [acc, accUser] = PipelineUmmaAsync.create('acc', { numStages: 1 }).makeParticipants();
    return [
      role('load', function* () {
        for (let tile = 0; tile < tiles; tile++) tma.copy(yield* raw.acquireAndAdvance());
        yield* raw.tail();
      }),
      role('transform', function* () {
        yield* loop(0, function* (tile) {
          if (tile === tiles) return end(null);
          const from = yield* rawUser.waitAndAdvance();
          const to = yield* ab.acquireAndAdvance();
          read(from.buffer());
          write(to.buffer());
          fence('proxy.async');
          from.release();
          to.commit();
          return tile + 1;
        });
        yield* ab.tail();
      }),
      role('mma', function* () {
        for (let tile = 0; tile < tiles; tile++) {
          const from = yield* abUser.waitAndAdvance();
          const to = yield* acc.acquireAndAdvance();
          mma.issue(from, to.buffers);
          from.release();
          to.commit();
        }
        yield* acc.tail();
      }),
      role('epilogue', function* () {
        for (let tile = 0; tile < tiles; tile++) {
          const from = yield* accUser.waitAndAdvance();
          read(from.buffer());
          from.release();
        }
      }),
    ];
  });
  for (const engine of ['certify', 'search'] as const) {
    const { verdict, findings } = await check(chain, { engine, accept: ['loop-state'] });
    assert.deepEqual([verdict, findings], ['certified', []], engine);
  }
});
