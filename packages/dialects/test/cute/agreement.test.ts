// tier: deep
// Participants, counted states and states of one bit agree on random rings: three ways to count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from 'poundlock/check';
import { kernel, read, role, write } from 'poundlock';
import type { Kernel, Op } from 'poundlock';
import { advance, Agent, CooperativeGroup, PipelineAsync } from '@poundlock/dialects/cute';
import { makeConsumerStartState, makeProducerStartState } from '@poundlock/dialects/cute';
import type { Pipeline } from '@poundlock/dialects/cute';

const RUNS = Number(process.env['POUNDLOCK_FUZZ_RUNS'] ?? 120);
/** The counts at the end hold for these programs. */
const SEED = 20_261_120;

/** Who signals a stage: all threads, one of them, all of them twice; or the next stage as well. */
const SIGNALS = ['once', 'one-lane', 'twice', 'next'] as const;
type SignalWord = (typeof SIGNALS)[number];

interface Shape {
  readonly stages: number;
  readonly producers: number;
  readonly consumers: number;
  readonly lanes: number;
  readonly fills: readonly SignalWord[];
  readonly empties: readonly SignalWord[];
  readonly tail: boolean;
}

/** Mostly as many arrivals as threads, and mostly once: else few rings are right. */
const shapes = fc
  .record({
    stages: fc.integer({ min: 1, max: 3 }),
    lanes: fc.constantFrom(1, 1, 2),
    missing: fc.constantFrom([0, 0], [0, 0], [0, 0], [1, 0], [0, 1], [1, 1]),
    sides: fc.tuple(signals(), signals()),
    tail: fc.boolean(),
  })
  .map(({ stages, lanes, missing, sides: [fills, empties], tail }): Shape => {
    const [producers, consumers] = missing.map((more) => lanes + more);
    return { stages, producers: producers!, consumers: consumers!, lanes, fills, empties, tail };
  });

function signals(): fc.Arbitrary<SignalWord[]> {
  const word = fc.oneof(
    { weight: 8, arbitrary: fc.constant<SignalWord>('once') },
    { weight: 1, arbitrary: fc.constantFrom(...SIGNALS) },
  );
  return fc.array(word, { maxLength: 5 });
}

type Side = (ab: Pipeline, shape: Shape) => Generator<Op, void, number>;

function ringOf(shape: Shape, fill: Side, empty: Side): Kernel {
  return kernel('ring', {}, () => {
    const { stages: numStages, producers, consumers, lanes } = shape;
    const ab = PipelineAsync.create('ab', {
      numStages,
      producerGroup: new CooperativeGroup(Agent.Thread, producers),
      consumerGroup: new CooperativeGroup(Agent.Thread, consumers),
    });
    const both: [string, Side][] = [
      ['fill', fill],
      ['empty', empty],
    ];
    // The ring of the participants is declared with the kernel, independent of its users.
    ab.makeParticipants();
    return both.map(([name, side]) =>
      role(name, { lanes }, function* () {
        yield* side(ab, shape);
      }),
    );
  });
}

/** By participants, with the handle where the stage is not the one that the role stands at. */
function* fillBy(ab: Pipeline, { fills, tail }: Shape): Generator<Op, void, number> {
  const producer = ab.makeProducer();
  for (const signal of fills) {
    const handle = yield* producer.acquire();
    write(handle.buffer());
    if (signal === 'one-lane') handle.commit({ lanes: 1 });
    if (signal === 'next') producer.advance();
    if (signal !== 'one-lane') yield* producer.commit();
    if (signal === 'twice') yield* producer.commit();
    if (signal === 'next') handle.commit();
    if (signal !== 'next') producer.advance();
  }
  if (tail) yield* producer.tail();
}

function* emptyBy(ab: Pipeline, { empties }: Shape): Generator<Op, void, number> {
  const consumer = ab.makeConsumer();
  for (const signal of empties) {
    const handle = yield* consumer.wait();
    read(handle.buffer());
    if (signal === 'one-lane') handle.release({ lanes: 1 });
    if (signal === 'next') consumer.advance();
    if (signal !== 'one-lane') yield* consumer.release();
    if (signal === 'twice') yield* consumer.release();
    if (signal === 'next') handle.release();
    if (signal !== 'next') consumer.advance();
  }
}

function fillWith(counted: boolean): Side {
  return function* (ab, { fills, tail }) {
    let state = makeProducerStartState(ab, { counted });
    for (const signal of fills) {
      yield* ab.producerAcquire(state);
      write(ab.buffers(state)[0]!);
      if (signal === 'one-lane') ab.producerCommit(state, { lanes: 1 });
      if (signal === 'next') ab.producerCommit(advance(state));
      if (signal !== 'one-lane') ab.producerCommit(state);
      if (signal === 'twice') ab.producerCommit(state);
      state = advance(state);
    }
    if (tail) yield* ab.producerTail(state);
  };
}

function emptyWith(counted: boolean): Side {
  return function* (ab, { empties }) {
    let state = makeConsumerStartState(ab, { counted });
    for (const signal of empties) {
      yield* ab.consumerWait(state);
      read(ab.buffers(state)[0]!);
      if (signal === 'one-lane') ab.consumerRelease(state, { lanes: 1 });
      if (signal === 'next') ab.consumerRelease(advance(state));
      if (signal !== 'one-lane') ab.consumerRelease(state);
      if (signal === 'twice') ab.consumerRelease(state);
      state = advance(state);
    }
  };
}

const verdictOf = async (target: Kernel, engine: 'auto' | 'search') => {
  const { verdict, findings } = await check(target, { engine });
  return { verdict, rule: findings.find(({ severity }) => severity === 'error')?.rule };
};

test('participants and counted states give one verdict, and states of one bit no worse', async (t) => {
  const seen = { certified: 0, counterexample: 0, inconclusive: 0 };
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const ring = ringOf(shape, fillBy, emptyBy);
      const counted = ringOf(shape, fillWith(true), emptyWith(true));
      const bit = ringOf(shape, fillWith(false), emptyWith(false));
      const [first, ...others] = await Promise.all([
        verdictOf(counted, 'search'),
        verdictOf(counted, 'auto'),
        verdictOf(ring, 'search'),
        verdictOf(ring, 'auto'),
      ]);
      for (const other of others) {
        // With one stage the next one is the same: a handle is released twice, and states are not.
        if (other.rule !== 'double-release') assert.equal(other.verdict, first!.verdict);
        else assert.equal(shape.stages, 1);
      }
      seen[first!.verdict]++;
      for (const engine of ['search', 'auto'] as const) {
        const parity = await verdictOf(bit, engine);
        // A bit names no phase, so what only aliases is no finding of it.
        if (first!.verdict === 'certified') assert.equal(parity.verdict, 'certified');
        else if (parity.verdict === 'certified') assert.match(first!.rule!, /^false-(pass|block)$/);
      }
      // One side may keep a bit, and the other one a register.
      const mixed = await verdictOf(ringOf(shape, fillBy, emptyWith(false)), 'search');
      const isHandles = mixed.rule === 'double-release' && shape.stages === 1;
      if (first!.verdict === 'certified' && !isHandles) assert.equal(mixed.verdict, 'certified');
    }),
    { seed: SEED, numRuns: RUNS },
  );
  t.diagnostic(JSON.stringify(seen));
  assert.ok(seen.certified > RUNS / 20 && seen.counterexample > RUNS / 20, JSON.stringify(seen));
});
