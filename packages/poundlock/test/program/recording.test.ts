// Recorded step lists: a run as data, edited and run again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Packing, Search } from '#src/check/index';
import { OpKind } from '@poundlock/core/internal/op';
import {
  ListSteps,
  Program,
  RecordingSteps,
  Unfolding,
  type RecordedStep,
} from '@poundlock/core/internal/program';
import { System } from '@poundlock/core/internal/system';
import { kernel, pipeline, role, tma } from 'poundlock';

const ring = kernel('ring', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16 });
  return [
    role('load', function* () {
      for (let tile = 0; tile < 3; tile++) {
        using slot = yield* ab.produce();
        tma.load(slot);
      }
      yield* ab.drain();
    }),
    role('use', function* () {
      for (let tile = 0; tile < 3; tile++) {
        using _tile = yield* ab.consume();
      }
    }),
  ];
});

/** Runs a program once, always the first possible move, and records it. */
function record(program: Program) {
  const recording: { current: RecordingSteps | null } = { current: null };
  const system = new System(program, (_, machine) => {
    recording.current = new RecordingSteps(new Unfolding(program, machine), program.roles.length);
    return recording.current;
  });
  const words = system.initial();
  const moves = new Int32Array(64);
  while (system.moves(words, moves) > 0) system.apply(words, moves[0]!);
  assert.ok(system.isFinal(words));
  return { lists: recording.current!.lists, flights: system.machine.flights.flights };
}

function searchLists(edit: (lists: RecordedStep[][]) => RecordedStep[][]): string[] {
  const program = new Program(ring);
  const { lists, flights } = record(program);
  const edited = edit(lists);
  const system = new System(program, (_, machine) => new ListSteps(edited, flights, machine, null));
  const search = new Search(system, new Packing(system.machine, system.initial()), 10_000);
  search.run(1_000_000);
  return search.errors.map(({ symptom }) => symptom.rule);
}

test('lists that are not edited are certified like their program', () => {
  assert.deepEqual(
    searchLists((lists) => lists),
    [],
  );
});

test('a release that is taken out is a deadlock', () => {
  const rules = searchLists((lists) => {
    const at = lists[1]!.findIndex((step) => step.instruction?.kind === OpKind.arrive);
    return [lists[0]!, lists[1]!.toSpliced(at, 1)];
  });
  assert.deepEqual(rules, ['deadlock']);
});

test('a copy that is moved before its wait is found', () => {
  const rules = searchLists(([load, use]) => {
    const at = load!.findLastIndex((step) => step.instruction?.kind === OpKind.asyncCopy);
    return [[load![at]!, ...load!.toSpliced(at, 1)], use!];
  });
  assert.equal(rules.length > 0, true);
});
