// When waits pass and tries succeed, in both modes of barriers (R02, R08, M07-M09).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  barrier,
  kernel,
  pipeline,
  read,
  role,
  tma,
  tryWait,
  wait,
  waitParity,
  type Kernel,
  type Op,
} from '#src/public';
import { moveOf } from '#src/system/index';
import { rulesOf, statesOf, systemOf } from './explore.ts';

test('M07, M09, property: a correct ring has the same runs with parities and with counters', () => {
  const options = fc.record({
    stages: fc.integer({ min: 1, max: 3 }),
    tiles: fc.integer({ min: 1, max: 5 }),
    consumers: fc.integer({ min: 1, max: 2 }),
  });
  fc.assert(
    fc.property(options, ({ stages, tiles, consumers }) => {
      const target = (barriers: 'parity' | 'counter'): Kernel =>
        kernel('ring', {}, () => {
          const ab = pipeline('ab', { stages, bytes: 8, barriers, consumers });
          const use = function* (): Generator<Op, void, number> {
            for (let tile = 0; tile < tiles; tile++) {
              using full = yield* ab.consume();
              read(full.buffer());
            }
          };
          const load = function* (): Generator<Op, void, number> {
            for (let tile = 0; tile < tiles; tile++) {
              using slot = yield* ab.produce();
              tma.load(slot);
            }
          };
          const users = Array.from({ length: consumers }, (_, at) => role(`use${at}`, use));
          return [role('load', load), ...users];
        });
      const runs = (['parity', 'counter'] as const).map((mode) => {
        const { system } = systemOf(target(mode));
        return [...statesOf(system)].map(({ words, moves, symptoms }) => {
          assert.deepEqual(symptoms, []);
          return [words.join(), moves.join()];
        });
      });
      assert.deepEqual(runs[0], runs[1]);
    }),
    { numRuns: 25 },
  );
});

test('what a wait tests, and which phase of it is wanted', () => {
  const target = kernel('waits', {}, () => {
    const ready = barrier('ready');
    const ab = pipeline('ab', { stages: 1 });
    return [
      role('absolute', function* () {
        yield* wait(ready, -1);
      }),
      role('bit', function* () {
        yield* waitParity(ready, 1);
      }),
      role('ring', function* () {
        yield* ab.waitConsumer();
      }),
      role('asks', function* () {
        yield* tryWait(ready, 0);
      }),
      role('believes', function* () {
        yield* ab.waitConsumerIfNeeded(true);
      }),
    ];
  });
  const { system, names } = systemOf(target);
  const words = system.initial();
  const seen = Array.from({ length: system.roles }, (_, at) => {
    const instruction = system.instruction(words[at]!)!;
    const { waits } = system;
    const wanted = waits.wantedBarrier(words, instruction);
    return [
      names.barrier(waits.testedBarrier(words, instruction)),
      wanted < 0 ? null : waits.wantedPhase(words, instruction),
      waits.passes(words, instruction),
    ];
  });
  assert.deepEqual(seen, [
    ['ready', -1, true],
    ['ready', null, true], // M10: a parity wants no phase
    ['ab.empty[0]', -1, true],
    ['ready', 0, false],
    ['ab.empty[0]', -1, true],
  ]);
});

test('R08: a wait that a try has made needless passes whatever the barrier says', () => {
  const target = kernel('skips', {}, () => {
    const ab = pipeline('ab', { stages: 1 });
    return [
      role('use', function* () {
        yield* ab.waitProducerIfNeeded(true);
      }),
    ];
  });
  const { system } = systemOf(target);
  const words = system.initial();
  const instruction = system.instruction(words[0]!)!;
  assert.ok(system.waits.passes(words, instruction));
  assert.ok(!system.machine.passes(words, 0, 0), 'its phase has not completed');
  system.apply(words, moveOf(0, 0));
  assert.ok(system.hasEnded(words, 0));
  assert.deepEqual(rulesOf(target), ['stale-try-token'], 'which is an error of its own');
});
