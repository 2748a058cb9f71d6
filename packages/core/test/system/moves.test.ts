// Moves of a system: who can move, in how many ways, and what one move does (P02-P10, L01, M08).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { InputError, InvariantError } from '#src/base/index';
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  cell,
  choose,
  compute,
  count,
  fence,
  join,
  kernel,
  load,
  read,
  role,
  spawn,
  store,
  tryWait,
  UNITS,
  wait,
  write,
  type Kernel,
} from '#src/public';
import { agentOf, moveOf, optionOf, type Move, type System } from '#src/system/index';
import { runOn, scheduleOf, statesOf, systemOf } from './explore.ts';

/** The moves of a state as `agent.option`. */
function movesOf(system: System, words: Int32Array): string[] {
  const list = new Int32Array(1 << 16);
  const moves = list.subarray(0, system.moves(words, list));
  return Array.from(moves, (move) => `${agentOf(move)}.${optionOf(move)}`);
}

test('property: a move holds its agent and its option', () => {
  const bits = fc.nat(0xffff);
  fc.assert(
    fc.property(bits, bits, (agent, option) => {
      const move = moveOf(agent, option);
      assert.deepEqual([agentOf(move), optionOf(move)], [agent, option]);
    }),
  );
});

test('P02: posted operations are steps of their own, in their order', () => {
  const target = kernel('posted', {}, () => {
    const flag = cell('flag');
    return [
      role('one', function* () {
        store(flag, 1);
        store(flag, 2);
        yield* load(flag);
        store(flag, 3);
      }),
    ];
  });
  const { system } = systemOf(target);
  const words = system.initial();
  const { cells } = system.machine.layout;
  const values: number[] = [];
  while (!system.isFinal(words)) {
    system.apply(words, moveOf(0, 0));
    values.push(words[cells]!);
  }
  assert.deepEqual(values, [1, 2, 2, 3]);
});

test('P04: a choice has as many moves as answers, and each is followed', () => {
  const target = kernel('choice', {}, () => {
    const chosen = cell('chosen', -1);
    return [
      role('one', function* () {
        store(chosen, yield* choose(3));
      }),
    ];
  });
  const { system } = systemOf(target);
  assert.deepEqual(movesOf(system, system.initial()), ['0.0', '0.1', '0.2']);
  const finals = [...statesOf(system)].filter(({ words }) => system.isFinal(words));
  const { cells } = system.machine.layout;
  assert.deepEqual(finals.map(({ words }) => words[cells]).toSorted(), [0, 1, 2]);
});

test('M08, P07: a try may fail at any time, and tried again at once it only succeeds', () => {
  const target = kernel('try', {}, () => {
    const ready = barrier('ready');
    return [
      role('poll', function* () {
        while (!(yield* tryWait(ready, 0)));
      }),
      role('give', function* () {
        arrive(ready);
      }),
    ];
  });
  const { system } = systemOf(target);
  const words = system.initial();
  assert.deepEqual(movesOf(system, words), ['0.0', '1.0'], 'it can only fail');
  const ready = words.slice();
  system.apply(ready, moveOf(1, 0));
  assert.deepEqual(movesOf(system, ready), ['0.0', '0.1'], 'it succeeds, or it fails');
  system.apply(words, moveOf(0, 0));
  assert.deepEqual(movesOf(system, words), ['1.0'], 'a second failure would change nothing');
  system.apply(words, moveOf(1, 0));
  assert.deepEqual(movesOf(system, words), ['0.0']);
  system.apply(words, moveOf(0, 0));
  assert.ok(system.isFinal(words));
});

test('P05, P10: counts, computing and fences happen together with the step before them', () => {
  const target = kernel('silent', {}, () => {
    const tile = buffer('tile');
    const items = count(3);
    return [
      role('one', function* () {
        while (yield* items.more()) {
          yield* compute(10);
          fence();
          write(tile);
        }
      }),
    ];
  });
  const { system } = systemOf(target);
  assert.equal(runOn(system, system.initial()), 3, 'one move for each write');
});

test('L01: a role is spawned once, and joined after its end', () => {
  const target = kernel('spawn', {}, () => {
    const flag = cell('flag');
    return [
      role('parent', function* () {
        spawn(1);
        spawn(1);
        yield* join(1);
        store(flag, 2);
      }),
      role('child', { spawned: true }, function* () {
        store(flag, 1);
      }),
    ];
  });
  const { system } = systemOf(target);
  const words = system.initial();
  assert.equal(words[1], -1);
  assert.ok(!system.hasEnded(words, 1));
  system.apply(words, moveOf(0, 0));
  assert.deepEqual(movesOf(system, words), ['0.0', '1.0']);
  system.apply(words, moveOf(1, 0));
  assert.ok(system.hasEnded(words, 1));
  system.apply(words, moveOf(0, 0));
  assert.ok(system.hasEnded(words, 1), 'a second spawn does not start it again');
  assert.equal(runOn(system, words), 2);
  assert.equal(words[system.machine.layout.cells], 2);
});

test('L01: what a spawned role stands at is inspected as it starts', () => {
  const target = kernel('spawned', {}, () => {
    const [tile, ready] = [buffer('tile'), barrier('ready')];
    return [
      role('parent', function* () {
        spawn(1);
        read(tile);
      }),
      role('child', { spawned: true }, function* () {
        yield* wait(ready, 1);
      }),
    ];
  });
  const { system } = systemOf(target);
  const words = system.initial();
  assert.deepEqual(system.symptoms, []);
  system.apply(words, moveOf(0, 0));
  assert.deepEqual(
    system.symptoms.map(({ rule, agent }) => [rule, agent]),
    [['false-pass', 1]],
  );
});

test('U01: flights that can complete are options of their unit, and end with the program', () => {
  const target = kernel('flights', {}, () => {
    const [one, two] = [buffer('one'), buffer('two')];
    return [
      role('load', function* () {
        asyncCopy(UNITS.tma, { into: [one] });
        asyncCopy(UNITS.tma, { into: [two] });
      }),
    ];
  });
  const { system } = systemOf(target);
  const words = system.initial();
  system.apply(words, moveOf(0, 0));
  system.apply(words, moveOf(0, 0));
  assert.ok(system.hasEnded(words, 0));
  assert.ok(!system.isFinal(words), 'two copies are under way');
  assert.deepEqual(movesOf(system, words), ['1.0', '1.1']);
  system.apply(words, moveOf(1, 1));
  system.apply(words, moveOf(1, 0));
  assert.ok(system.isFinal(words));
});

test('a move that is not there is refused', () => {
  const target = kernel('one', {}, () => [role('one', function* () {})]);
  const { system } = systemOf(target);
  const words = system.initial();
  assert.throws(() => system.apply(words, moveOf(0, 0)), InvariantError);
  assert.throws(() => system.apply(words, moveOf(1, 0)), InputError);
  assert.deepEqual(movesOf(system, words), []);
});

test('only waits and acquires are for a barrier, a phase and a stage', () => {
  const target = kernel('wanted', {}, () => {
    const [ready, tile] = [barrier('ready'), buffer('tile')];
    return [
      role('one', function* () {
        yield* wait(ready, -1);
        read(tile);
      }),
    ];
  });
  const { system } = systemOf(target);
  const words = system.initial();
  const first = system.instruction(words[0]!)!;
  assert.equal(system.wantedBarrier(words, first), 0);
  assert.equal(system.wantedPhase(words, first), -1);
  assert.equal(system.stageOf(words, first), -1);
  system.apply(words, moveOf(0, 0));
  const second = system.instruction(words[0]!)!;
  assert.equal(system.wantedBarrier(words, second), -1);
  assert.equal(system.waits.testedBarrier(words, second), -1);
});

/** Three roles with races, aliases and over-arrivals at random. */
const programs: fc.Arbitrary<Kernel> = fc
  .array(
    fc.array(
      fc.record({ what: fc.nat(5), at: fc.nat(1), phase: fc.integer({ min: -1, max: 2 }) }),
      { maxLength: 4 },
    ),
    { minLength: 3, maxLength: 3 },
  )
  .map((roles) =>
    kernel('random', {}, () => {
      const bars = [barrier('b0', { count: 1 }), barrier('b1', { count: 2 })];
      const tiles = [buffer('t0'), buffer('t1')];
      return roles.map((steps, at) =>
        role(`r${at}`, function* () {
          for (const { what, at: id, phase } of steps) {
            if (what === 0) arrive(bars[id]!);
            else if (what === 1) yield* wait(bars[id]!, phase);
            else if (what === 2) read(tiles[id]!);
            else if (what === 3) write(tiles[id]!);
            else if (what === 4) asyncCopy(UNITS.tma, { into: [tiles[id]!] });
            else yield* tryWait(bars[id]!, phase);
          }
        }),
      );
    }),
  );

test('property: looking at what a move changed finds what looking at the whole state finds', () => {
  fc.assert(
    fc.property(programs, (target) => {
      const { system } = systemOf(target);
      for (const { words, symptoms } of statesOf(system)) {
        if (symptoms.some(({ inMove }) => inMove)) continue;
        system.symptoms.length = 0;
        system.inspect(words);
        // A late pass stays true while its role stands there: it was reported by the move to it.
        const rulesOf = (all: typeof symptoms): string[] =>
          all.filter(({ rule }) => rule !== 'late-pass').map(({ rule }) => rule);
        assert.deepEqual(new Set(rulesOf(symptoms)), new Set(rulesOf(system.symptoms)));
      }
    }),
    { numRuns: 60 },
  );
});

test('property: two systems of one program make the same of the same moves', () => {
  fc.assert(
    fc.property(programs, fc.infiniteStream(fc.nat()), (target, draws) => {
      const [one, two] = [systemOf(target).system, systemOf(target).system];
      const [first, second] = [one.initial(), two.initial()];
      const path: Move[] = [];
      runOn(one, first, (moves) => {
        const move = moves[(draws.next().value as number) % moves.length]!;
        path.push(move);
        return move;
      });
      for (const move of path) two.apply(second, move);
      assert.deepEqual(first, second);
      assert.deepEqual(
        one.symptoms.map(({ rule, agent, at }) => [rule, agent, at]),
        two.symptoms.map(({ rule, agent, at }) => [rule, agent, at]),
      );
    }),
    { numRuns: 60 },
  );
});

test('a schedule stops where its token does', () => {
  const target = kernel('stops', {}, () => {
    const flag = cell('flag');
    return [
      role('one', function* () {
        store(flag, 1);
        store(flag, 2);
      }),
    ];
  });
  const { words, system } = scheduleOf(target, 'o1');
  assert.equal(words[system.machine.layout.cells], 1);
});
