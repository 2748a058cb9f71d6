// A copy to several CTAs lands in one after the other: what goes wrong between two of its landings
// is found in the traces, with an order that shows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrive, asyncCopy, barrier, buffer, kernel, role, UNITS, wait } from '#src/public';
import { makeOp, OpKind } from '../../../core/src/op/index.ts';
import { Program, Resolver, Unfolding } from '../../../core/src/program/index.ts';
import { createSharedMemory } from '../../../ring/src/memory.ts';
import { mark, POISON } from '../../../ring/src/futex-word.ts';
import { wasmAtomicsFor } from '../../../ring/src/wasm-atomics.ts';
import { replayTraces } from '#src/run/conform';
import { Plan } from '#src/run/plan';
import { TargetChecks } from '#src/run/target-checks';
import { readTrace, TraceRecorder } from '#src/run/recorder';
import { Signals } from '#src/run/signals';
import { FutexWaiter } from '#src/run/futex-wait';
import { RunOver } from '#src/run/stop';
import { roleEnvironmentOf } from '#src/run/role-environment';
import { viewsOf } from '#src/run/views';
import { agentOf, layOutSystem, moveOf, System } from '../../../core/src/system/index.ts';

/** The peer, in CTA 1, ends as soon as the reader signals it, maybe too early. */
const early = kernel('early', {}, () => {
  const full = barrier('full', { count: 1 });
  const go = barrier('go', { count: 1 });
  const tile = buffer('tile', { bytes: 16 });
  const load = role('load', function* () {
    arrive(full, { bytes: 16 });
    asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: 16, ctas: [0, 1] });
    yield* wait(go, -1);
  });
  const reader = role('reader', function* () {
    yield* wait(full, 0);
    arrive(go, { cta: 1 });
  });
  const peer = role('peer', { cta: 1 }, function* () {
    arrive(full, { bytes: 16 });
    yield* wait(go, 0);
  });
  return [load, reader, peer];
});

/** What each role does, as an order that goes well shows it. */
function operationsOf(program: Program): { readonly kind: number; readonly target: number }[][] {
  const system = new System(program, (_, machine) => new Unfolding(program, machine));
  const words = system.initial();
  const moves = new Int32Array(100);
  const recorded = program.roles.map((): { kind: number; target: number }[] => []);
  while (!system.isFinal(words)) {
    const all = [...moves.subarray(0, system.moves(words, moves))];
    // The peer comes first, so that it is there as the copy lands.
    const move = all.find((one) => one === moveOf(2, 0)) ?? all.findLast((one) => one >= 0)!;
    const agent = agentOf(move);
    if (agent < program.roles.length) {
      const { kind, target } = system.steps.instruction(words[agent]!)!;
      recorded[agent]!.push({ kind, target });
    }
    system.apply(words, move);
    assert.deepEqual(system.symptoms, []);
  }
  return recorded;
}

test('a peer that ends between two landings of a copy is found, with a schedule', () => {
  const program = new Program(early, {});
  const [load, reader, peer] = operationsOf(program);
  const at = (operations: typeof load, times: readonly (readonly [number, number])[]) =>
    times.map(([begin, end], index) => ({ ...operations![index]!, answer: 0, begin, end }));
  const traces = [
    at(load, [
      [0, 2],
      [2, 20],
    ]),
    at(reader, [
      [3, 5],
      [5, 7],
    ]),
    at(peer, [
      [0, 1],
      [4, 9],
    ]),
  ] as unknown as Parameters<typeof replayTraces>[1];
  const none = traces.map(() => false);
  const { conforms, symptoms, path } = replayTraces(program, traces, none, true);
  assert.equal(conforms, true);
  assert.deepEqual(
    symptoms.map(({ rule }) => rule),
    ['missing-drain'],
  );
  // The path is a schedule: it can be made again, and shows the same.
  const system = new System(program, (_, machine) => new Unfolding(program, machine));
  const words = system.initial();
  for (const move of path) system.apply(words, move);
  assert.deepEqual(
    system.symptoms.map(({ rule }) => rule),
    ['missing-drain'],
  );
  // Without a reported violation there is none: the copy may have completed immediately.
  assert.deepEqual(replayTraces(program, traces, none, false).symptoms, []);
});

test('a copy that the end of the run cut in two is recorded: others may have seen it', () => {
  const program = new Program(early, {});
  const { machine } = layOutSystem(program);
  const plan = new Plan(program, machine, 10);
  const memory = createSharedMemory(plan.bytes);
  const words = new Int32Array(memory.buffer);
  plan.initialize(words);
  const [full, tile] = [0, 0];
  const inCta1 = full * program.ctas + 1;
  mark(words, plan.barrier(inCta1), POISON);
  const around = roleEnvironmentOf({
    program,
    plan,
    words,
    role: 0,
    waiter: new FutexWaiter(plan, words, 0, { plain: 0, middle: 0 }, null),
    recorder: new TraceRecorder(plan, words, 0),
    view: viewsOf(program, plan, memory, 0),
    atomics: wasmAtomicsFor(memory),
    stretch: () => 0,
  });
  const op = makeOp(OpKind.asyncCopy, {
    unit: UNITS.tma,
    ctas: [0, 1],
    barrier: full,
    bytes: 16,
    writes: [tile],
    cell: null,
    value: 0,
    ctaGroup: 1,
    work: null,
  });
  const signals = new Signals(around, new TargetChecks(around));
  const instruction = new Resolver(program, machine).resolve(op, 0);
  assert.throws(() => signals.launch(null, instruction), RunOver);
  assert.deepEqual(
    readTrace(plan, words, 0).map(({ kind }) => kind),
    [OpKind.asyncCopy],
  );
});
