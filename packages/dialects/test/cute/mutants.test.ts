// tier: deep
// One mistake in a correct kernel, at every possible call: each is found, or listed as harmless.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentRole } from '@poundlock/core/internal/program';
import { check } from 'poundlock/check';
import { asyncUse, buffer, fence, kernel, read, role, tma, UNITS, write } from 'poundlock';
import type { Kernel } from 'poundlock';
import {
  advance,
  Agent,
  CooperativeGroup,
  cutlass,
  makeConsumerStartState,
} from '@poundlock/dialects/cute';
import {
  makeProducerStartState,
  PipelineTmaAsync,
  PipelineTmaUmma,
} from '@poundlock/dialects/cute';
import { PipelineTmaStore, PipelineUmmaAsync } from '@poundlock/dialects/cute';

const TILES = 3;
const K_TILES = 2;

/** Whether the mistake `name` is made at this call of it; every role instance counts for itself. */
type Makes = (name: string) => boolean;

interface Mutant {
  readonly kernel: Kernel;
  /** Whether a run has come to the mistake. */
  isApplied: boolean;
}

/** The role that is being run; none while the kernel is. */
function runningName(): string {
  try {
    return currentRole('makes').role.name;
  } catch {
    return '';
  }
}

/** A kernel with one mistake: at call `at`, or at every call where that is −1. */
function mutantOf(
  build: (makes: Makes) => ReturnType<Kernel['build']>,
  mistake: string,
  at: number,
): Mutant {
  const mutant: { kernel: Kernel; isApplied: boolean } = {
    isApplied: false,
    kernel: kernel('mutant', {}, () => {
      const calls = new Map<string, number>();
      return build((name) => {
        const caller = runningName();
        const call = calls.get(caller) ?? 0;
        if (name === mistake) calls.set(caller, call + 1);
        const isIt = name === mistake && (at < 0 || call === at);
        mutant.isApplied ||= isIt;
        return isIt;
      });
    }),
  };
  return mutant;
}

/** The GEMM of CuTe DSL with mistakes. */
function dslGemm(makes: Makes) {
  const Input = makes('a pipeline for threads, not for the tensor core')
    ? PipelineTmaAsync
    : PipelineTmaUmma;
  const bytes = { a: 32, b: 32 };
  const txCount = makes('half of the bytes expected')
    ? 32
    : makes('bytes expected twice')
      ? 128
      : 64;
  const [abProducer, abConsumer] = Input.create('ab', {
    numStages: 2,
    bytes,
    txCount,
  }).makeParticipants();
  const arrivals = makes('a group too small') ? 3 : makes('a group too large') ? 5 : 4;
  const [accProducer, accConsumer] = PipelineUmmaAsync.create('acc', {
    numStages: makes('one accumulator less') ? 1 : 2,
    consumerGroup: new CooperativeGroup(Agent.Thread, arrivals),
  }).makeParticipants();
  const store = PipelineTmaStore.create({ numStages: makes('a store more in flight') ? 3 : 2 });
  const out = [buffer('c[0]'), buffer('c[1]')];

  const load = role('tma', function* () {
    for (let k = 0; k < TILES * K_TILES; k++) {
      const ab = yield* abProducer.acquireAndAdvance(makes('no wait for an empty stage'));
      if (makes('a stage acquired and forgotten')) yield* abProducer.acquireAndAdvance();
      if (makes('an advance too many')) abProducer.advance();
      if (!makes('a copy left out')) tma.copy(ab, 0);
      if (makes('a copy made twice')) tma.copy(ab, 0);
      tma.copy(ab, 1);
    }
    if (!makes('no tail of the loads')) yield* abProducer.tail();
  });
  const multiply = role('mma', function* () {
    for (let tile = 0; tile < TILES; tile++) {
      const acc = yield* accProducer.acquireAndAdvance(makes('no wait for an empty accumulator'));
      for (let k = 0; k < K_TILES; k++) {
        if (makes('a wait that does not advance')) yield* abConsumer.wait();
        const ab = yield* abConsumer.waitAndAdvance(makes('no wait for a full stage'));
        const isEarly = makes('a release before the work');
        const reads = ab.buffers;
        if (isEarly) ab.release();
        if (!makes('a multiplication left out')) {
          asyncUse(UNITS.mma, { reads, writes: acc.buffers });
        }
        if (makes('the next stage released')) yield* abConsumer.release();
        else if (!isEarly && !makes('no release')) ab.release();
        if (makes('a release twice')) ab.release();
      }
      if (!makes('no commit')) acc.commit();
      if (makes('a commit twice')) acc.commit();
    }
    if (!makes('no tail of the accumulators')) yield* accProducer.tail();
  });
  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    for (let tile = 0; tile < TILES; tile++) {
      const acc = yield* accConsumer.waitAndAdvance(makes('no wait for the accumulator'));
      const isEarly = makes('an accumulator released before it is read');
      const [accumulator] = acc.buffers;
      if (isEarly) acc.release({ lanes: 4 });
      read(accumulator!);
      if (!isEarly && !makes('an accumulator kept')) acc.release({ lanes: 4 });
      if (makes('a lane too many')) yield* accConsumer.release({ lanes: 1 });
      const c = out[tile % 2]!;
      write(c);
      fence('proxy.async');
      store.store([c]);
      if (!makes('a store without its group')) store.producerCommit();
      if (!makes('no wait for a store')) yield* store.producerAcquire();
    }
    if (!makes('no tail of the stores')) yield* store.producerTail();
  });
  return [load, multiply, epilogue];
}

/** The ping-pong GEMM of CUTLASS C++ with mistakes. */
function pingPong(makes: Makes) {
  const ab = cutlass.PipelineTmaAsync.create('ab', {
    stages: 2,
    bytes: 32,
    numConsumers: makes('a consumer too few counted') ? 1 : 2,
  });
  const order = cutlass.OrderedSequenceBarrier.create('order', {
    depth: 2,
    length: 2,
    groupSize: 2,
  });
  const shared = buffer('c');
  const load = role('load', function* () {
    let state = makes('a start without the flip')
      ? makeConsumerStartState(ab)
      : makeProducerStartState(ab);
    for (let k = 0; k < 4; k++) {
      if (!makes('no acquire')) yield* ab.producerAcquire(state);
      ab.tmaLoad(state);
      if (!makes('a write state not advanced')) state = advance(state);
    }
    if (!makes('no tail')) yield* ab.producerTail(state);
  });
  const math = (group: number) =>
    role(`math${group}`, { lanes: 2 }, function* () {
      const turns = order.group(group === 0 && makes('the turn of the other group') ? 1 : group);
      let state = advance(
        makeConsumerStartState(ab),
        makes('a start at the first tile') ? 0 : group,
      );
      for (let tile = group; tile < 4; tile += 2) {
        if (!makes('no turn to multiply')) yield* turns.wait();
        if (!makes('no wait for the tile')) yield* ab.consumerWait(state);
        read(ab.buffers(state)[0]!);
        if (makes('the next stage released')) ab.consumerRelease(advance(state));
        else if (!makes('no release')) ab.consumerRelease(state);
        if (makes('a release by one thread more')) ab.consumerRelease(state, { lanes: 1 });
        if (makes('a turn not passed on')) turns.advance();
        else yield* turns.arrive();
        if (!makes('no turn to store')) yield* turns.wait();
        write(shared);
        if (makes('a turn passed on twice')) yield* turns.arrive();
        yield* turns.arrive();
        state = advance(state, makes('only its own tiles passed') ? 1 : 2);
      }
    });
  return [load, math(0), math(1)];
}

/** Mutants that survive, at which calls, and why they are harmless; −1 is every call. */
const HARMLESS: Readonly<Record<string, string>> = {
  'dsl-gemm, one accumulator less @-1 0': 'slower, and right',
  'dsl-gemm, no wait for an empty stage @0 1': 'the first lap is empty',
  'dsl-gemm, no tail of the loads @-1 0': 'no other CTA signals',
  'dsl-gemm, no wait for an empty accumulator @0 1': 'the first lap is empty',
  'dsl-gemm, a release before the work @4 5': 'the last lap is not filled again',
  'dsl-gemm, a multiplication left out @-1 0 1 2 3 4 5': 'wrong numbers, right synchronisation',
  'dsl-gemm, no tail of the accumulators @-1 0': 'no other CTA signals',
  'dsl-gemm, an accumulator released before it is read @1 2': 'they are not filled again',
  'dsl-gemm, no wait for a store @0 2': 'the second buffer is free; the last is not used again',
  'dsl-gemm, a store without its group @2': 'the last store is open as the CTA ends (H7)',
  'dsl-gemm, no tail of the stores @-1 0': 'stores are open as the CTA ends (H7)',
  'ping-pong, no tail @-1 0': 'no other CTA signals',
  'ping-pong, no turn to multiply @-1 0': 'the groups read different stages: turns are for speed',
  'ping-pong, only its own tiles passed @1': 'the state is not used again',
};

const ofSource = (build: (makes: Makes) => unknown): string[] => {
  const found = [...String(build).matchAll(/makes\(\s*['"]([^'"]+)['"]\s*,?\s*\)/g)];
  return [...new Set(found.map(([, name]) => name!))];
};

for (const [name, build, calls] of [
  ['dsl-gemm', dslGemm, TILES * K_TILES],
  ['ping-pong', pingPong, 4],
] as const) {
  test(`${name} without a mistake is certified`, async () => {
    const { verdict, findings } = await check(mutantOf(build, '', 0).kernel);
    assert.deepEqual([verdict, findings], ['certified', []]);
  });

  for (const mistake of ofSource(build)) {
    test(`${name} with ${mistake}`, async (t) => {
      const survivors: number[] = [];
      const seen = new Map<string, number>();
      for (let at = -1; at < calls; at++) {
        const mutant = mutantOf(build, mistake, at);
        const { verdict, findings } = await check(mutant.kernel);
        if (!mutant.isApplied) continue;
        const rule = findings[0]?.rule ?? verdict;
        seen.set(rule, (seen.get(rule) ?? 0) + 1);
        if (findings.length === 0) survivors.push(at);
      }
      t.diagnostic([...seen].map(([rule, count]) => `${rule} ${count}`).join(', '));
      assert.ok(seen.size > 0 && !seen.has('inconclusive'));
      const key = `${name}, ${mistake} @`;
      const harmless = Object.keys(HARMLESS).filter((one) => one.startsWith(key));
      const expected = survivors.length === 0 ? [] : [`${key}${survivors.join(' ')}`];
      assert.deepEqual(harmless, expected);
    });
  }
}
