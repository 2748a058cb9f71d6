// Schedules: replayed moves with what each one did, tokens, places, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { InputError } from '#src/base/index';
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  expectTx,
  kernel,
  load,
  cell,
  pipeline,
  read,
  role,
  tma,
  UNITS,
  waitParity,
  type Kernel,
} from '#src/public';
import { movesOfToken, Schedule, type Move } from '#src/system/index';
import { codeAt, runOn, scheduleOf, systemOf } from './explore.ts';

/** A ring of one stage: two tiles are copied into it and read. */
const ring: Kernel = kernel('ring', {}, () => {
  const ab = pipeline('ab', { stages: 1, bytes: 64 });
  return [
    role('load', function* () {
      for (let tile = 0; tile < 2; tile++) {
        using slot = yield* ab.produce();
        tma.load(slot);
      }
    }),
    role('use', function* () {
      for (let tile = 0; tile < 2; tile++) {
        if (!(yield* ab.tryWaitProducer())) yield* ab.waitProducer();
        using full = yield* ab.consume();
        read(full.buffer());
      }
    }),
  ];
});

/** A schedule to the end of the ring, by the first move that is possible each time. */
function wholeRun(): Schedule {
  const { system, names } = systemOf(ring);
  const path: Move[] = [];
  runOn(system, system.initial(), (moves) => {
    path.push(moves[0]!);
    return moves[0]!;
  });
  return new Schedule(system, names, path);
}

test('each record has the agent of its move, which stage it got and what it reached', () => {
  const { records, names, words, system } = wholeRun();
  assert.ok(system.isFinal(words));
  const [wait0, expect, copy] = records;
  assert.equal(names.agent(wait0!.agent), 'load');
  assert.deepEqual([wait0!.stage, wait0!.waited, wait0!.phase], [0, 1, -1]);
  assert.deepEqual(wait0!.reached, [], 'a wait changes no barrier');
  assert.deepEqual(expect!.reached, [0]);
  assert.deepEqual(expect!.levels, [
    { barrier: 0, expected: 1, pending: 0, bytes: 64, completed: 0 },
  ]);
  assert.deepEqual([copy!.stage, copy!.waited, copy!.reached], [-1, -1, []]);
  const landing = records.find(({ flight }) => flight !== null)!;
  assert.deepEqual(landing.completed, [{ barrier: 0, phase: 0 }]);
  assert.deepEqual(landing.levels, [
    { barrier: 0, expected: 1, pending: 1, bytes: 0, completed: 1 },
  ]);
  const tried = records.find(({ testedBarrier }) => testedBarrier >= 0)!;
  assert.equal(names.barrier(tried.testedBarrier), 'ab.full[0]');
  const phases = records.flatMap(({ completed }) => completed.map(({ phase }) => phase));
  assert.deepEqual(phases, [0, 0, 1, 1], 'full, empty, full, empty');
});

test('a landing is placed where its flight was issued', () => {
  const schedule = wholeRun();
  const landings = schedule.records.flatMap(({ flight }, at) => (flight === null ? [] : [at]));
  assert.equal(landings.length, 2);
  for (const at of landings) {
    assert.equal(codeAt(schedule.position(at)!), 'tma.load(slot);');
    assert.ok(schedule.issuerOf(schedule.records[at]!.flightId, at) >= 0);
  }
  assert.equal(schedule.issuerOf(schedule.records[landings[0]!]!.flightId, 1), -1, 'not before it');
});

test('property: any schedule is the schedule of its token', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (draws) => {
      const { system, names } = systemOf(ring);
      const path: Move[] = [];
      runOn(system, system.initial(), (moves) => {
        const move = moves[(draws.next().value as number) % moves.length]!;
        path.push(move);
        return move;
      });
      const schedule = new Schedule(system, names, path);
      const again = scheduleOf(ring, schedule.token());
      assert.deepEqual(again.moves, path);
      assert.deepEqual(again.words, schedule.words);
      assert.equal(again.token(), schedule.token());
    }),
    { numRuns: 40 },
  );
});

test('a wait for a parity is for the phase that has completed last', () => {
  const target = kernel('parity', {}, () => {
    const ready = barrier('ready');
    return [
      role('give', function* () {
        arrive(ready);
      }),
      role('take', function* () {
        yield* waitParity(ready, 0);
      }),
    ];
  });
  const { records } = scheduleOf(target, 'g1t1');
  assert.deepEqual([records[1]!.waited, records[1]!.phase], [0, 0]);
});

test('R08: a wait that is skipped is for nothing', () => {
  const target = kernel('skips', {}, () => {
    const ab = pipeline('ab', { stages: 1 });
    return [
      role('load', function* () {
        yield* ab.waitConsumerIfNeeded(true);
      }),
    ];
  });
  const { records } = scheduleOf(target, 'l1');
  assert.deepEqual([records[0]!.waited, records[0]!.phase, records[0]!.stage], [-1, -1, 0]);
});

test('what is wrong after the last move is the schedule’s', () => {
  const target = kernel('wrong', {}, () => {
    const full = barrier('full');
    return [
      role('load', function* () {
        expectTx(full, 8);
        arrive(full);
        arrive(full);
      }),
    ];
  });
  assert.deepEqual(scheduleOf(target, 'l2').symptoms, []);
  const [symptom] = scheduleOf(target, 'l3').symptoms;
  assert.equal(symptom?.rule, 'over-arrival');
  assert.equal(symptom.inMove, true);
});

test('a token of other agents, of moves that are not possible or of no flights is refused', () => {
  const refuses = (token: string, message: RegExp): void =>
    assert.throws(
      () => scheduleOf(ring, token),
      (thrown) => thrown instanceof InputError && message.test(thrown.message),
      token,
    );
  refuses('z1', /z, .*l \(role load\).*u \(role use\).*t \(unit tma\)/);
  refuses('l1u1.1', /use/);
  refuses('l9', /load/);
  refuses('t1', /tma/);
  refuses('l3t1.1', /tma/);
});

test('L02: a role that has ended can not move', () => {
  const target = kernel('ended', {}, () => {
    const flag = cell('flag');
    return [
      role('one', function* () {
        yield* load(flag);
      }),
    ];
  });
  assert.throws(() => scheduleOf(target, 'o2'), InputError);
});

test('flights of one unit are distinguished by options, in the order of the state', () => {
  const plain = kernel('options', {}, () => {
    const tiles = [buffer('t0'), buffer('t1')];
    return [
      role('load', function* () {
        for (const into of tiles) asyncCopy(UNITS.tma, { into: [into] });
      }),
    ];
  });
  const { names } = systemOf(plain);
  for (const [token, wrote] of [
    ['l2t1', 't0'],
    ['l2t1.1', 't1'],
  ] as const) {
    const { records } = scheduleOf(plain, token);
    assert.equal(names.buffer(records.at(-1)!.flight!.writes[0]!), wrote);
    assert.equal(movesOfToken(names, token).length, 3);
  }
});
