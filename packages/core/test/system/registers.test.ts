// Registers of rings: stages, laps, claims, and which states are the same (R01-R10, P05).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Side } from '#src/op/index';
import {
  arrive,
  barrier,
  count,
  end,
  kernel,
  loop,
  pipeline,
  role,
  wait,
  type Kernel,
  type ProducerConsumerPipeline,
} from '#src/public';
import { CountRegister, moveOf, StageRegister, type System } from '#src/system/index';
import { runOn, rulesOf, statesOf, systemOf } from './explore.ts';

/** Two roles that hand tiles over through a ring, for ever or so many times. */
function handOver(stages: number, tiles = Number.POSITIVE_INFINITY): Kernel {
  return kernel('hand-over', {}, () => {
    const ab = pipeline('ab', { stages });
    const each = (step: (ring: ProducerConsumerPipeline) => ReturnType<typeof ab.drain>) =>
      function* () {
        yield* loop(0, function* (tile) {
          if (tile === tiles) return end(tile);
          yield* step(ab);
          return tiles === Number.POSITIVE_INFINITY ? 0 : tile + 1;
        });
      };
    return [
      role(
        'fill',
        each(function* (ring) {
          yield* ring.producerSignalAndStep();
        }),
      ),
      role(
        'use',
        each(function* (ring) {
          yield* ring.consumerSignalAndStep();
        }),
      ),
    ];
  });
}

test('R01, R02: a wait is for the stage and the lap of its register', () => {
  const { system } = systemOf(handOver(3));
  const words = system.initial();
  const seen: [number, number, number][] = [];
  for (let tile = 0; tile < 7; tile++) {
    for (const role of [0, 1]) {
      const instruction = system.instruction(words[role]!)!;
      if (role === 0) {
        const barrier = system.wantedBarrier(words, instruction);
        seen.push([
          system.stageOf(words, instruction),
          system.wantedPhase(words, instruction),
          barrier,
        ]);
      }
      system.apply(words, moveOf(role, 0));
      system.apply(words, moveOf(role, 0));
    }
  }
  // Barriers 0 to 2 are full, 3 to 5 empty; a producer wants the phase of the lap before.
  assert.deepEqual(seen, [
    [0, -1, 3],
    [1, -1, 4],
    [2, -1, 5],
    [0, 0, 3],
    [1, 0, 4],
    [2, 0, 5],
    [0, 1, 3],
  ]);
  assert.deepEqual(system.symptoms, []);
});

/** How many states a system has once each is brought to its canonical form. */
function canonicalStates(system: System): number {
  const start = system.initial();
  system.registers.normalize(start);
  const seen = new Set([start.join()]);
  const queue = [start];
  const list = new Int32Array(1 << 16);
  for (const state of queue) {
    for (const move of Array.from(list.subarray(0, system.moves(state, list)))) {
      const next = state.slice();
      system.apply(next, move);
      assert.deepEqual(system.symptoms, []);
      system.registers.normalize(next);
      if (seen.has(next.join())) continue;
      seen.add(next.join());
      queue.push(next);
      assert.ok(seen.size < 5_000, 'an endless ring has finitely many states');
    }
  }
  return seen.size;
}

test('R06: a ring that goes round for ever has finitely many states', () => {
  for (const stages of [1, 2, 3]) {
    const { system } = systemOf(handOver(stages));
    // The first exploration sees which registers are used; the second knows it from the start.
    canonicalStates(system);
    const states = canonicalStates(system);
    assert.ok(states >= 2 * stages, `${stages} stages: ${states}`);
  }
});

test('R06: taking whole double laps off changes nothing that a program can see', () => {
  const { system } = systemOf(handOver(2));
  const [words, normal] = [system.initial(), system.initial()];
  const draws = fc.array(fc.nat(), { minLength: 80, maxLength: 80 });
  fc.assert(
    fc.property(draws, (choices) => {
      words.set(system.initial());
      normal.set(words);
      const [list, other] = [new Int32Array(64), new Int32Array(64)];
      for (const choice of choices) {
        const moves = system.moves(words, list);
        assert.equal(system.moves(normal, other), moves);
        assert.deepEqual(other.subarray(0, moves), list.subarray(0, moves));
        const move = list[choice % moves]!;
        system.apply(words, move);
        system.apply(normal, move);
        system.registers.normalizeMove(normal);
      }
      const { layout } = system;
      const behind = words[layout.registers]! - normal[layout.registers]!;
      assert.equal(behind % 4, 0, 'a double lap of two stages');
    }),
    { numRuns: 40 },
  );
});

test('R06: a barrier that is waited for by absolute phase keeps its true phase', () => {
  const target = (absolute: boolean): Kernel =>
    kernel('phases', {}, () => {
      const ready = barrier('ready');
      return [
        role('give', function* () {
          for (let i = 0; i < 5; i++) arrive(ready);
        }),
        role('take', function* () {
          if (absolute) yield* wait(ready, -1);
        }),
      ];
    });
  for (const absolute of [false, true]) {
    const { system } = systemOf(target(absolute));
    const words = system.initial();
    if (absolute) system.apply(words, moveOf(1, 0));
    for (let i = 0; i < 5; i++) system.apply(words, moveOf(0, 0));
    system.registers.normalize(words);
    assert.equal(system.machine.completed(words, 0), absolute ? 5 : 1, 'else its parity alone');
  }
});

test('registers of two roles are used alike where the roles do the same', () => {
  const target = kernel('alike', {}, () => {
    const ab = pipeline('ab', { stages: 2, consumers: 2 });
    const use = function* () {
      yield* ab.consumerSignalAndStep();
    };
    return [
      role('fill', function* () {
        yield* ab.producerSignalAndStep();
      }),
      role('one', use),
      role('two', use),
    ];
  });
  const { system } = systemOf(target);
  runOn(system, system.initial());
  assert.ok(system.registers.areUsedAlike(1, 2));
  assert.ok(!system.registers.areUsedAlike(0, 1));
});

test('R05: roles of a CTA claim the stages of one register, each stage once', () => {
  const target = kernel('claims', {}, () => {
    const work = pipeline('work', { stages: 2, advance: 'acquire' });
    const worker = function* () {
      const stage = yield* work.tryClaim();
      stage?.release();
    };
    return [
      role('fill', function* () {
        for (let item = 0; item < 2; item++) yield* work.producerSignalAndStep();
      }),
      role('one', worker),
      role('two', worker),
    ];
  });
  assert.deepEqual(rulesOf(target), []);
  const { system } = systemOf(target);
  const claimed = new Set<number>();
  for (const { words } of statesOf(system)) {
    const taken = words[system.layout.claims]!;
    claimed.add(taken);
    const emptied = [2, 3].reduce((sum, empty) => sum + system.machine.completed(words, empty), 0);
    assert.ok(emptied <= taken, 'only a claimed stage is released');
  }
  assert.deepEqual([...claimed].toSorted(), [0, 1, 2], 'a claim may say no at any time');
});

test('R07: the stage is answered without a wait', () => {
  const target = kernel('stages', {}, () => {
    const ab = pipeline('ab', { stages: 2 });
    return [
      role('fill', function* () {
        for (let tile = 0; tile < 3; tile++) {
          const stage = yield* ab.producerStage();
          if (stage === tile % 2) arrive(ab.consumerMbar(stage));
          ab.producerStep();
        }
      }),
    ];
  });
  const { system } = systemOf(target);
  const words = system.initial();
  assert.equal(runOn(system, words), 3, 'every stage was as expected');
  assert.deepEqual(
    [2, 3].map((empty) => system.machine.completed(words, empty)),
    [2, 1],
  );
});

test('R03, R04: a drain waits and steps as often as there are stages', () => {
  const target = kernel('drain', {}, () => {
    const ab = pipeline('ab', { stages: 3 });
    return [
      role('fill', function* () {
        yield* ab.drain();
      }),
    ];
  });
  const { system } = systemOf(target);
  const words = system.initial();
  assert.equal(runOn(system, words), 3);
  assert.equal(system.registers.progress(words, 0, 0, Side.produce), 3);
  assert.equal(system.registers.progress(words, 0, 0, Side.consume), 0);
});

test('R09: copies of a ring fall by double laps together', () => {
  const target = kernel('copies', {}, () => {
    const ab = pipeline('ab', { stages: 1 });
    const copy = ab.copy();
    return [
      role('fill', function* () {
        yield* loop(0, function* () {
          yield* ab.producerSignalAndStep();
          return 0;
        });
      }),
      role('use', function* () {
        yield* loop(0, function* () {
          yield* copy.consumerSignalAndStep();
          return 0;
        });
      }),
    ];
  });
  const { system } = systemOf(target);
  canonicalStates(system);
  assert.ok(canonicalStates(system) < 20);
});

test('property: registers resolved once say what those looked up at each step say', () => {
  const options = fc.record({
    stages: fc.integer({ min: 1, max: 4 }),
    laps: fc.integer({ min: 1, max: 5 }),
    total: fc.nat(6),
  });
  fc.assert(
    fc.property(options, ({ stages, laps, total }) => {
      const target = kernel('twice', {}, () => {
        const ab = pipeline('ab', { stages });
        const items = count(total);
        return [
          role('fill', function* () {
            for (let tile = 0; tile < stages * laps; tile++) yield* ab.producerSignalAndStep();
          }),
          role('use', function* () {
            while (yield* items.more());
            for (let tile = 0; tile < stages * laps; tile++) yield* ab.consumerSignalAndStep();
          }),
        ];
      });
      const { system } = systemOf(target);
      for (let role = 0; role < 2; role++) compareStages(system, role);
      compareCounts(system, total);
    }),
    { numRuns: 30 },
  );
});

/** Runs a system, and compares both kinds of register at each wait of a role. */
function compareStages(system: System, role: number): void {
  const { program, layout, machine } = system;
  const words = system.initial();
  runOn(system, words, (moves) => {
    const instruction = system.instruction(words[role]!);
    if (instruction !== null && system.stageOf(words, instruction) >= 0) {
      const register = new StageRegister(program, layout, instruction);
      assert.equal(register.stage(words), system.stageOf(words, instruction));
      assert.equal(register.barrier(words), system.wantedBarrier(words, instruction));
      assert.equal(register.passes(words, machine), system.waits.passes(words, instruction));
      const [one, two] = [words.slice(), words.slice()];
      register.step(one);
      system.registers.step(two, instruction);
      assert.deepEqual(one, two);
    }
    return moves.at(-1)!;
  });
  assert.ok(system.isFinal(words));
}

/** P05: a count says yes so often, and no ever after. */
function compareCounts(system: System, total: number): void {
  const step = system.steps.entry(1);
  const instruction = system.instruction(step)!;
  const register = new CountRegister(system.program, system.layout, instruction);
  const one = new Int32Array(system.initial().length);
  const two = one.slice();
  for (let item = 0; item < total + 2; item++) {
    const answer = register.more(one);
    assert.equal(answer, item < total ? 1 : 0);
    assert.equal(system.registers.more(two, instruction), answer);
    assert.deepEqual(one, two);
  }
}
