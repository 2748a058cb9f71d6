// tier: deep
// Parity barriers and counters agree on random programs, wherever parity does not mislead.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '#src/check/index';
import type { CheckResult } from '@poundlock/core/internal/finding';
import { arrive, kernel, mma, pipeline, read, role, tma, write } from 'poundlock';
import type { Kernel, Op, ProducerConsumerPipeline } from 'poundlock';

const RUNS = Number(process.env['POUNDLOCK_FUZZ_RUNS'] ?? 150);
/** The counts at the end hold for these programs. */
const SEED = 20_261_120;
const MAX_STATES = 20_000;

const PRODUCES = ['load', 'write', 'signal', 'silent', 'twice', 'short', 'skip', 'drain'] as const;
const CONSUMES = ['consume', 'mma', 'early', 'silent', 'twice', 'signal', 'skip', 'hold'] as const;
type Produce = (typeof PRODUCES)[number];
type Consume = (typeof CONSUMES)[number];

interface Shape {
  readonly stages: number;
  readonly advance: 'release' | 'acquire';
  readonly consumers: number;
  readonly produce: readonly Produce[];
  readonly consume: readonly (readonly Consume[])[];
}

function* produce(ab: ProducerConsumerPipeline, what: Produce): Generator<Op, void, number> {
  switch (what) {
    case 'signal':
      return yield* ab.producerSignalAndStep();
    case 'drain':
      return yield* ab.drain();
    case 'skip':
      return ab.producerStep();
    default: {
      const slot = yield* ab.acquireProducer();
      if (what === 'load' || what === 'twice') tma.load(slot);
      if (what === 'write') write(slot.buffer());
      if (what === 'write' || what === 'twice') slot.arrive();
      if (what === 'short') {
        tma.expect(slot, 8);
        tma.copy(slot);
      }
      slot.release();
    }
  }
}

function* consume(ab: ProducerConsumerPipeline, what: Consume): Generator<Op, void, number> {
  switch (what) {
    case 'signal':
      return yield* ab.consumerSignalAndStep();
    case 'skip':
      arrive(ab.consumerMbar(yield* ab.consumerStage()));
      return ab.consumerStep();
    case 'early': {
      using full = yield* ab.consumeExplicit();
      full.arrive();
      read(full.buffer());
      return;
    }
    default: {
      const full = yield* ab.acquireConsumer();
      if (what === 'mma') {
        mma.issue(full);
        yield* mma.waitGroup(0);
      } else read(full.buffer());
      if (what === 'twice') full.arrive();
      if (what === 'silent') full.releaseWithoutSignal();
      else if (what !== 'hold') full.release();
    }
  }
}

function shapedKernel(shape: Shape, barriers: 'parity' | 'counter'): Kernel {
  return kernel('random', {}, () => {
    const { stages, advance, consumers } = shape;
    const ab = pipeline('ab', { stages, bytes: 16, advance, consumers, barriers });
    const consumer = (parts: readonly Consume[], index: number) =>
      role(`use${index}`, function* () {
        for (const part of parts) yield* consume(ab, part);
      });
    return [
      role('load', function* () {
        for (const part of shape.produce) yield* produce(ab, part);
      }),
      ...shape.consume.map(consumer),
    ];
  });
}

/** Mostly what a program should do, so that some of them are right. */
const mostly = <T>(usual: T, all: readonly T[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...all) },
  );

const shapes: fc.Arbitrary<Shape> = fc.record({
  stages: fc.integer({ min: 1, max: 3 }),
  advance: fc.constantFrom('release', 'acquire'),
  consumers: fc.integer({ min: 1, max: 2 }),
  produce: fc.array(mostly<Produce>('load', PRODUCES), { minLength: 1, maxLength: 5 }),
  consume: fc.array(
    fc.array(mostly<Consume>('consume', CONSUMES), { minLength: 1, maxLength: 5 }),
    {
      minLength: 1,
      maxLength: 2,
    },
  ),
});

/** Where the two backends may differ: those findings are about parity, counts or bytes. */
const DIVERGENT = new Set([
  'false-pass',
  'false-block',
  'late-pass',
  'over-arrival',
  'tx-mismatch',
]);

const rulesOf = ({ findings }: CheckResult): string[] =>
  findings.map(({ rule }) => rule).toSorted();

test('parity and counters agree wherever there is no alias, count or byte finding', async () => {
  let [same, divergent, certified] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const options = { maxStates: MAX_STATES };
      const parity = await check(shapedKernel(shape, 'parity'), options);
      const counter = await check(shapedKernel(shape, 'counter'), options);
      if (parity.verdict === 'inconclusive' || counter.verdict === 'inconclusive') return;
      const isDivergent = parity.findings.some(({ rule }) => DIVERGENT.has(rule));
      if (isDivergent) {
        divergent++;
        return;
      }
      same++;
      if (parity.verdict === 'certified') certified++;
      assert.equal(parity.verdict, counter.verdict);
      assert.deepEqual(rulesOf(parity), rulesOf(counter));
      assert.equal(parity.stats.states, counter.stats.states);
    }),
    { seed: SEED, numRuns: RUNS },
  );
  // The programs must be of all kinds for the comparison to say anything.
  assert.ok(certified > RUNS / 20, `${certified} certified`);
  assert.ok(divergent > RUNS / 20, `${divergent} divergent`);
  assert.ok(same > RUNS / 3, `${same} the same`);
});
