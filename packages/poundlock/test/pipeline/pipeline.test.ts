// Every method of the pipeline does what the modelled library's does, on both backends.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from '#src/check/index';
import {
  arrive,
  end,
  kernel,
  loop,
  pipeline,
  read,
  role,
  syncCluster,
  tma,
  write,
} from 'poundlock';
import type { Kernel, PipelineOptions } from 'poundlock';
import { placesOf } from '../../../core/test/system/explore.ts';
import { rulesOf } from '../kernels.ts';
import { findingsOf, loads, ringOf, uses, type Part } from './ring.ts';

const MODES: Partial<PipelineOptions>[] = [
  { barriers: 'parity', advance: 'release' },
  { barriers: 'parity', advance: 'acquire' },
  { barriers: 'counter', advance: 'release' },
  { barriers: 'counter', advance: 'acquire' },
];

/** Producers and consumers of three tiles, each by another part of the interface. */
const PRODUCERS: Record<string, Part> = {
  produce: loads(3),
  *acquireProducer(ab) {
    for (let tile = 0; tile < 3; tile++) {
      const slot = yield* ab.acquireProducer();
      tma.load(slot);
      slot.release();
    }
  },
  *waitConsumer(ab) {
    for (let tile = 0; tile < 3; tile++) {
      const stage = yield* ab.waitConsumer();
      assert.equal(stage, tile % 2);
      for (const part of ab.buffers(stage)) write(part);
      arrive(ab.producerMbar(stage));
      ab.producerStep();
    }
  },
  *waitConsumerIfNeeded(ab) {
    for (let tile = 0; tile < 3; tile++) {
      const ready = yield* ab.tryWaitConsumer();
      const stage = yield* ab.waitConsumerIfNeeded(ready);
      for (const part of ab.buffers(stage)) write(part);
      arrive(ab.producerMbar(stage));
      ab.producerStep({ lanes: 1 });
    }
  },
  *producerStage(ab) {
    for (let tile = 0; tile < 3; tile++) {
      const stage = yield* ab.producerStage();
      assert.equal(stage, tile % 2);
      yield* ab.waitConsumer();
      for (const part of ab.buffers(stage)) write(part);
      arrive(ab.producerMbar(stage));
      ab.producerStep();
    }
  },
  *producerSignalAndStep(ab) {
    for (let tile = 0; tile < 3; tile++) yield* ab.producerSignalAndStep();
  },
};

const CONSUMERS: Record<string, Part> = {
  consume: uses(3),
  *acquireConsumer(ab) {
    for (let tile = 0; tile < 3; tile++) {
      const full = yield* ab.acquireConsumer();
      read(full.buffer());
      full.release();
    }
  },
  *releaseWithoutSignal(ab) {
    for (let tile = 0; tile < 3; tile++) {
      const full = yield* ab.acquireConsumer();
      read(full.buffer());
      full.arrive();
      full.releaseWithoutSignal();
    }
  },
  *consumeExplicit(ab) {
    for (let tile = 0; tile < 3; tile++) {
      using full = yield* ab.consumeExplicit();
      read(full.buffer());
      arrive(full.mbar());
    }
  },
  *waitProducer(ab) {
    for (let tile = 0; tile < 3; tile++) {
      const stage = yield* ab.waitProducer();
      for (const part of ab.buffers(stage)) read(part);
      arrive(ab.consumerMbar(stage));
      ab.consumerStep();
    }
  },
  *waitProducerIfNeeded(ab) {
    for (let tile = 0; tile < 3; tile++) {
      const ready = yield* ab.tryWaitProducer();
      const stage = yield* ab.waitProducerIfNeeded(ready);
      for (const part of ab.buffers(stage)) read(part);
      arrive(ab.consumerMbar(stage));
      ab.consumerStep();
    }
  },
  *consumerStage(ab) {
    yield* loop(0, function* (tile) {
      if (tile === 3) return end(null);
      const stage = yield* ab.consumerStage();
      assert.equal(stage, tile % 2);
      yield* ab.consumerSignalAndStep();
      return tile + 1;
    });
  },
  *consumerSignalAndStep(ab) {
    for (let tile = 0; tile < 3; tile++) yield* ab.consumerSignalAndStep();
  },
};

suite('methods', { concurrency: 4 }, () => {
  for (const mode of MODES) {
    for (const [producing, producer] of Object.entries(PRODUCERS)) {
      for (const [consuming, consumer] of Object.entries(CONSUMERS)) {
        const name = `${producing} to ${consuming}, ${mode.barriers}, advance at ${mode.advance}`;
        test(name, async () => {
          const drained: Part = function* (ab) {
            yield* producer(ab);
            yield* ab.drain();
          };
          const { verdict, findings } = await check(ringOf(drained, consumer, mode));
          assert.deepEqual(findings, []);
          assert.equal(verdict, 'certified');
        });
      }
    }
  }
});

test('lanes count where every calling thread arrives', async () => {
  const group = { lanes: 32, producers: 32, consumers: 32 };
  const signals: Part = function* (ab) {
    for (let tile = 0; tile < 3; tile++) yield* ab.producerSignalAndStep();
  };
  for (const consumer of ['consume', 'acquireConsumer', 'consumerSignalAndStep']) {
    assert.deepEqual(await rulesOf(ringOf(signals, CONSUMERS[consumer]!, group)), [], consumer);
  }
});

test('as many lanes arrive as are asked for, and no more than there are', async () => {
  const some: Part = function* (ab) {
    using full = yield* ab.consumeExplicit();
    full.arrive({ lanes: 4 });
  };
  const sameBarrier: Part = function* (ab) {
    arrive(ab.consumerMbar(yield* ab.waitProducer()), { lanes: 4 });
    ab.consumerStep();
  };
  const four = { lanes: 32, consumers: 4 };
  for (const part of [some, sameBarrier]) {
    assert.deepEqual(await rulesOf(ringOf(loads(1), part, four)), []);
    await assert.rejects(check(ringOf(loads(1), part, { lanes: 2 })), /lanes must be at most 2/);
  }
});

function initialized(producers: number, counts: Partial<PipelineOptions>, synced: boolean): Kernel {
  return kernel('initialized', {}, () => {
    const ab = pipeline('ab', { stages: 2, bytes: 16, ...counts });
    return [
      role('load', function* () {
        ab.initMbars(producers, 1);
        if (synced) yield* syncCluster();
        yield* loads(3)(ab);
      }),
      role('use', function* () {
        if (synced) yield* syncCluster();
        yield* uses(3)(ab);
      }),
    ];
  });
}

test('M01: initMbars makes a pipeline without counts ready, once all roles are synchronized', async () => {
  const none = { producers: 0, consumers: 0 };
  assert.deepEqual(await rulesOf(initialized(1, none, true)), []);
  assert.equal((await rulesOf(initialized(1, none, false)))[0], 'uninitialised-barrier');
});

test('M01: a pipeline that is ready must not be initialized again', async () => {
  assert.equal((await rulesOf(initialized(1, {}, true)))[0], 'uninitialised-barrier');
});

test('initMbars takes the counts of both sides', async () => {
  await assert.rejects(check(initialized(0, { producers: 0, consumers: 0 }, true)), /from 1 to/);
  const half = ringOf(loads(1), uses(1), { producers: 0 });
  await assert.rejects(
    check(half),
    /the producers of pipeline ab must be .* from 1 to [0-9]+, not 0/,
  );
});

test('R09: roles may each have a copy', async () => {
  const copied = kernel('copied', {}, () => {
    const ab = pipeline('ab', { stages: 2, bytes: 16 });
    const [mine, yours] = [ab.copy(), ab.copy('yours')];
    assert.deepEqual([mine.name, yours.name], ['ab.copy', 'yours']);
    return [
      role('load', function* () {
        yield* loads(5)(mine);
        yield* mine.drain();
      }),
      role('use', function* () {
        yield* uses(5)(yours);
      }),
    ];
  });
  assert.deepEqual(await rulesOf(copied), []);
});

test('R09: a kernel with copies closes, however long it runs', async () => {
  const endless = (tiles: number) =>
    kernel('endless', {}, () => {
      const ab = pipeline('ab', { stages: 2, bytes: 16 });
      const copy = ab.copy();
      const part = (name: string, through: Part) =>
        role(name, function* () {
          yield* loop(0, function* (round) {
            if (round === tiles) return end(null);
            yield* through(name === 'load' ? ab : copy);
            return tiles === Infinity ? 0 : round + 1;
          });
        });
      return [part('load', loads(1)), part('use', uses(1))];
    });
  const { findings, stats } = await check(endless(Infinity), { maxStates: 2_000 });
  assert.equal(findings[0]?.rule, 'deadlock');
  assert.ok(stats.states < 200, `${stats.states} states`);
});

test('a stage that is not there is refused', async () => {
  const wrong = ringOf(loads(1), function* (ab) {
    arrive(ab.consumerMbar(2));
  });
  await assert.rejects(check(wrong), /pipeline ab has stages 0 to 1, not 2/);
  const part = ringOf(loads(1), function* (ab) {
    read((yield* ab.acquireConsumer()).buffer('c'));
  });
  await assert.rejects(check(part), /pipeline ab has no part c/);
});

test('R08: a skipped wait reports what it was for', async () => {
  const skips = ringOf(loads(1), function* (ab) {
    yield* ab.waitProducerIfNeeded(true);
  });
  const [found] = await findingsOf(skips);
  assert.equal(found?.rule, 'stale-try-token');
  assert.deepEqual(placesOf(found), ['use: yield* ab.waitProducerIfNeeded(true);']);
});
