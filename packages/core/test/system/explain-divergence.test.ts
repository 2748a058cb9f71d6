// Roles that do not do the same twice, explained with both places (P09).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '#src/finding/index';
import {
  findDivergence,
  Program,
  RecordingSteps,
  Unfolding,
  type Kernel,
} from '#src/program/index';
import {
  arrive,
  barrier,
  end,
  kernel,
  loop,
  pipeline,
  read,
  buffer,
  role,
  write,
} from '#src/public';
import { explainDivergence, Names, System } from '#src/system/index';
import { placesOf, runOn, textOf } from './explore.ts';

/** What is found as role 0 of a kernel is run a second time, beside its own record. */
function divergenceOf(target: Kernel): Finding | null {
  const program = new Program(target);
  let unfolding: Unfolding | undefined;
  let recording: RecordingSteps | undefined;
  const system = new System(program, (_, machine) => {
    unfolding = new Unfolding(program, machine);
    return (recording = new RecordingSteps(unfolding, program.roles.length));
  });
  runOn(system, system.initial());
  const found = findDivergence(program, unfolding!, 0, recording!.lists[0]!);
  return found && explainDivergence(system, new Names(system), found);
}

test('P09: a role that answers the same with another operation', () => {
  let runs = 0;
  const target = kernel('random', {}, () => {
    const [one, two] = [barrier('one'), barrier('two')];
    return [
      role('guess', function* () {
        runs++;
        if (runs % 2 === 1) arrive(one);
        else arrive(two);
      }),
    ];
  });
  const found = divergenceOf(target);
  assert.equal(found?.rule, 'nondeterministic-role');
  assert.match(found.message, /guess/);
  assert.match(textOf(found), /arrive on one/);
  assert.match(textOf(found), /arrive on two/);
  assert.deepEqual(placesOf(found).toSorted(), [
    'guess: else arrive(two);',
    'guess: if (runs % 2 === 1) arrive(one);',
  ]);
});

test('P09: a role that ends earlier than it did', () => {
  let runs = 0;
  const target = kernel('shorter', {}, () => {
    const tile = buffer('tile');
    return [
      role('tired', function* () {
        if (runs++ === 0) read(tile);
      }),
    ];
  });
  const found = divergenceOf(target);
  assert.equal(found?.rule, 'nondeterministic-role');
  assert.match(textOf(found), /tired .*ends/);
});

test('P06, P09: a round that changes a variable from outside of it', () => {
  const target = kernel('captured', {}, () => {
    const [one, two] = [buffer('one'), buffer('two')];
    return [
      role('counts', function* () {
        let rounds = 0;
        yield* loop(0, function* (round) {
          if (round === 3) return end(round);
          rounds++;
          if (rounds > 1) write(two);
          else write(one);
          return round + 1;
        });
      }),
    ];
  });
  const found = divergenceOf(target);
  assert.equal(found?.rule, 'loop-captures');
  assert.match(found.message, /loop in counts/);
  assert.match(textOf(found), /write two/);
  assert.match(textOf(found), /write one/);
  assert.match(found.helps.join(), /state of the loop/);
});

test('P09: a run that misuses a handle where the first one did not', () => {
  let runs = 0;
  const target = kernel('misuse', {}, () => {
    const ab = pipeline('ab', { stages: 2 });
    return [
      role('leaks', function* () {
        runs++;
        const slot = yield* ab.acquireProducer();
        slot.arrive();
        slot.release();
        if (runs > 1) slot.release();
        else yield* ab.waitConsumer();
      }),
    ];
  });
  const found = divergenceOf(target);
  assert.equal(found?.rule, 'nondeterministic-role');
  assert.match(textOf(found), /handle/);
});

test('P09: the same twice is no finding', () => {
  const target = kernel('same', {}, () => {
    const tile = buffer('tile');
    return [
      role('steady', function* () {
        yield* loop(0, function* (round) {
          if (round === 3) return end(round);
          write(tile);
          return round + 1;
        });
      }),
    ];
  });
  assert.equal(divergenceOf(target), null);
});
