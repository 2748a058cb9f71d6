// advise for roles with choices, for a line that several roles run, and where nothing is to say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arrive,
  barrier,
  compute,
  count,
  kernel,
  mma,
  pipeline,
  role,
  tma,
  wait,
  type Kernel,
} from 'poundlock';
import { advise } from '../../src/advise/index.ts';
import { MODELS } from '../../src/simulate/index.ts';
import threeRoles from '../../../../examples/three-roles.ts';

const model = MODELS.h200;

/** A ring whose consumer tests before it waits. */
function trying(): Kernel {
  return kernel('trying', { stages: 1, tiles: 6 }, ({ stages, tiles }) => {
    const ab = pipeline('ab', { stages, bytes: 1024 });
    return [
      role('load', function* () {
        for (let tile = 0; tile < tiles; tile++) {
          using slot = yield* ab.produce();
          tma.load(slot);
        }
        yield* ab.drain();
      }),
      role('use', function* () {
        for (let tile = 0; tile < tiles; tile++) {
          if (!(yield* ab.tryWaitProducer())) yield* compute(20);
          using slot = yield* ab.consume();
          mma.issue(slot, [], { cycles: 400 });
          yield* mma.waitGroup(0);
        }
      }),
    ];
  });
}

test('a role with a choice: numbers of stages are compared, and one line says what is not', async () => {
  const { proposals, limit, current } = await advise(trying(), { model });
  assert.match(
    limit!,
    /^only numbers of stages are compared: tryWaitStage in role use is a choice/,
  );
  assert.match(limit!, /choices\.test\.ts:\d+:\d+/);
  assert.deepEqual(new Set(proposals.map(({ kind }) => kind)), new Set(['stages']));
  assert.match(proposals[0]!.change, /^stages=\d+: .* \([\d,]{4,} B\)$/);
  assert.ok(current.totalCycles > 0);
});

test('a role that reads a word which another role writes has stages to compare', async () => {
  const { proposals, limit } = await advise(threeRoles, { model });
  assert.match(limit!, /: load in role epilogue is a choice/);
  const changes = proposals.map(({ change }) => change);
  assert.match(changes.join('\n'), /^stages=\d+: .* \([\d,]{5,} B\)$/m);
});

test('a kernel with choices that is wrong is refused', async () => {
  const wrong = kernel('wrong', {}, () => {
    const full = barrier('full');
    return [
      role('use', function* () {
        yield* wait(full, 0);
      }),
    ];
  });
  await assert.rejects(() => advise(wrong, { model }), /deadlock/);
});

test('a program without handles has no proposal for them', async () => {
  const plain = kernel('plain', {}, () => {
    const full = barrier('full');
    return [
      role('load', function* () {
        arrive(full);
      }),
      role('use', function* () {
        yield* wait(full, 0);
      }),
    ];
  });
  const { proposals, limit } = await advise(plain, { model });
  assert.deepEqual([proposals, limit], [[], null]);
});

test('a release that already follows the last use is no proposal', async () => {
  const tight = kernel('tight', {}, () => {
    const ab = pipeline('ab', { stages: 2 });
    return [
      role('load', function* () {
        const slot = yield* ab.acquireProducer();
        slot.arrive();
        slot.release();
      }),
      role('use', function* () {
        const tile = yield* ab.acquireConsumer();
        tile.release();
      }),
    ];
  });
  const { proposals } = await advise(tight, { model });
  assert.equal(proposals.filter(({ kind }) => kind === 'raii').length, 0);
});

test('a release at a line that several roles run is moved in all of them, once', async () => {
  const shared = kernel('shared', { consumers: 3 }, ({ consumers }) => {
    const ab = pipeline('ab', { stages: 2, bytes: 1024, consumers });
    const items = count(8);
    return [
      role('load', function* () {
        while (yield* items.more()) {
          using slot = yield* ab.produce();
          tma.load(slot);
        }
        yield* ab.drain();
      }),
      ...Array.from({ length: consumers }, (_, at) =>
        role(`use${at}`, function* () {
          while (yield* items.more()) {
            using tile = yield* ab.consume();
            mma.issue(tile, [], { cycles: 100 });
            yield* mma.waitGroup(0);
            yield* compute(300);
          }
        }),
      ),
    ];
  });
  const { proposals } = await advise(shared, { model });
  const earlier = proposals.filter(({ kind }) => kind === 'earlier');
  for (const { change } of earlier) assert.match(change, /in use0, use1, use2 \(/);
  assert.ok(earlier.some(({ speedup, verdict }) => speedup > 1.01 && verdict === 'certified'));
  // Once for the line, with the last legal position and the next one, which is forbidden.
  assert.equal(earlier.length, 2);
});
