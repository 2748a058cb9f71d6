// The reduced search reaches every step that the unreduced one reaches, and stores few states.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Packing, Search } from '#src/check/index';
import { check } from '../accepting.ts';
import { ReducedSearch } from '#src/check/reduce/index';
import { sampleRun } from '#src/check/sample-run';
import type { ParameterValue } from '../../../core/src/finding/index.ts';
import { Program, Unfolding } from '../../../core/src/program/index.ts';
import { System } from '../../../core/src/system/index.ts';
import {
  dullSearch,
  randomProgram,
  toKernel,
  type DullProgram,
} from '@poundlock/fuzz/internal/order';
import { RUNS, SEED, sized } from '../fuzz/runs.ts';
import { modelKernel } from '../conformance/verdict-of.ts';
import {
  arrive,
  arriveCluster,
  asyncCopy,
  barrier,
  buffer,
  choose,
  end,
  init,
  kernel,
  loop,
} from 'poundlock';
import { pipeline, registers, role, setMaxRegisters, syncNamed, tryWait, UNITS } from 'poundlock';
import { wait, waitCluster, waitParity } from 'poundlock';

const MAX_STATES = 20_000;
/** Programs whose states the dull search can count in no time. */
const FEW = 500;

test('every step that is reached is reached with reduction', async (t) => {
  t.diagnostic(`FUZZ_SEED=${SEED}`);
  const moves = { all: 0, some: 0 };
  await fc.assert(
    fc.asyncProperty(randomProgram, async (random) => {
      if (dullSearch(random, FEW).verdict !== 'certified') return;
      const program = new Program(toKernel(random));
      let unfolding: Unfolding | undefined;
      const system = new System(program, (_, machine) => {
        return (unfolding = new Unfolding(program, machine));
      });
      const packing = new Packing(system.machine, system.initial());
      sampleRun(program, unfolding!, system, packing);
      const all = watched(system);
      const plain = new Search(system, packing, MAX_STATES);
      assert.equal(plain.run(Number.POSITIVE_INFINITY), 'exhausted');
      const some = watched(system);
      const reduced = new ReducedSearch(system, packing, MAX_STATES);
      assert.equal(reduced.run(Number.POSITIVE_INFINITY), 'exhausted');
      // Of twins, one may stand for the other.
      const named = (steps: Set<number>): number[] => {
        return [...new Set([...steps].map((step) => reduced.groupStep(step)))].toSorted(byNumber);
      };
      assert.deepEqual(named(some), named(all));
      moves.all += plain.transitions;
      moves.some += reduced.transitions;
    }),
    sized(SEED, RUNS / 4),
  );
  t.diagnostic(JSON.stringify(moves));
  assert.ok(moves.some < moves.all / 2);
});

const byNumber = (a: number, b: number): number => a - b;

/** The steps at which a role of the system stands from now on. */
function watched(system: System): Set<number> {
  const seen = new Set<number>();
  const apply = System.prototype.apply.bind(system);
  system
    .initial()
    .subarray(0, system.roles)
    .forEach((step) => seen.add(step));
  system.apply = (words, move, landing) => {
    apply(words, move, landing);
    for (let role = 0; role < system.roles; role++) seen.add(words[role]!);
  };
  return seen;
}

/** What SPIN stores with its reduction; those of m4: what a prototype of the proof by choices did. */
const BOUNDS: readonly [model: string, params: Record<string, ParameterValue>, states: number][] = [
  ['m1a', { S: 4, T: 16 }, 11_191_914],
  ['m1a', { S: 8, T: 16 }, Number.POSITIVE_INFINITY],
  ['m2', { S1: 4, S2: 2, T: 4, K: 8 }, 566_488],
  ['m2', { S1: 7, S2: 2, T: 4, K: 8 }, Number.POSITIVE_INFINITY],
  ['m3', { S: 4, T: 8, P: 1, C: 6 }, Number.POSITIVE_INFINITY],
  ['m3', { S: 3, T: 6, P: 4, C: 4 }, Number.POSITIVE_INFINITY],
  ['m4', { S: 6, T: 8, C: 2 }, 559],
  ['m4', { S: 6, T: 8, C: 3 }, 2_622],
  ['m4', { S: 6, T: 8, C: 4 }, 6_565],
];

for (const [model, params, most] of BOUNDS) {
  test(`${model} ${JSON.stringify(params)} is certified in few states`, async () => {
    const { verdict, stats } = await check(await modelKernel(model), { params, engine: 'reduced' });
    assert.equal(verdict, 'certified');
    assert.ok(stats.states <= Math.min(most, 1_000), `${stats.states} states`);
  });
}

test('what a role does on its way round a circle counts any number of times', async () => {
  // After two rounds phase 0 is over, and the other role waits forever: no single round shows it.
  const circling = kernel('circling', {}, () => {
    const [never, twice] = [barrier('never'), barrier('twice', { count: 2 })];
    return [
      role('goes round', function* () {
        yield* loop(null, function* () {
          if ((yield* choose(2)) === 1) return end(null);
          if (!(yield* tryWait(never, 0))) arrive(twice);
          return null;
        });
      }),
      role('waits', function* () {
        yield* waitParity(twice, 1);
      }),
    ];
  });
  for (const engine of ['search', 'reduced'] as const) {
    const { findings } = await check(circling, { engine });
    assert.equal(findings[0]!.rule, 'deadlock', engine);
  }
});

test('what a role does with a stage that it claims it can do with the next one, too', async () => {
  // One stage, claimed lap after lap: what follows a claim is always the same way, and no single
  // round of it ends phase 0, after which the last role waits forever.
  const claiming = kernel('claiming', {}, () => {
    const queue = pipeline('queue', { stages: 1, advance: 'acquire' });
    const twice = barrier('twice', { count: 2 });
    return [
      role('publishes', function* () {
        for (let lap = 0; lap < 2; lap++) {
          if (!(yield* queue.tryWaitConsumer())) return;
          arrive(queue.producerMbar(0));
          queue.producerStep();
        }
      }),
      role('claims', function* () {
        yield* loop(null, function* () {
          const claimed = yield* queue.tryClaim();
          if (claimed === null) return end(null);
          arrive(twice);
          claimed.releaseWithoutSignal();
          arrive(queue.consumerMbar(0));
          return null;
        });
      }),
      role('waits', function* () {
        yield* waitParity(twice, 1);
      }),
    ];
  });
  for (const engine of ['search', 'reduced'] as const) {
    const { verdict, findings } = await check(claiming, { engine });
    assert.equal(verdict, 'counterexample', engine);
    assert.equal(findings[0]!.rule, 'deadlock', engine);
  }
});

test('a claim that may be made any number of times does not hold up the look ahead', async () => {
  // The middle role asks for stages ever further on, and the last one may claim all of them.
  const claim = {
    do: 'claim',
    ring: 0,
    slot: 0,
    then: [
      { do: 'readStage', slot: 0 },
      { do: 'release', slot: 0, signal: true },
    ],
    else: [],
  } as const;
  const program: DullProgram = {
    barriers: [],
    buffers: 0,
    cells: [],
    pools: [],
    rings: [
      { stages: 2, bytes: 8, advance: 'acquire', barriers: 'parity', producers: 1, consumers: 1 },
    ],
    counts: [],
    roles: [
      {
        cta: 0,
        lanes: 1,
        body: [
          {
            do: 'repeat',
            times: 2,
            body: [
              {
                do: 'scoped',
                ring: 0,
                side: 'produce',
                explicit: false,
                slot: 0,
                body: [
                  { do: 'expect', slot: 0, bytes: 8 },
                  { do: 'copy', slot: 0 },
                ],
              },
            ],
          },
        ],
      },
      {
        cta: 0,
        lanes: 1,
        body: [
          {
            do: 'until',
            body: [{ do: 'stepSide', ring: 0, side: 'consume', lanes: 1 }, claim],
          },
        ],
      },
      {
        cta: 0,
        lanes: 1,
        body: [
          {
            do: 'until',
            body: [claim],
          },
        ],
      },
    ],
  };
  const bounds = { maxStates: 100, timeoutMs: 500, now: () => performance.now() };
  const options = { engine: 'reduced', memory: 'isa', ...bounds } as const;
  const { findings } = await check(toKernel(program), options);
  // Within the bounds: the producer can end before its copies (X02), if no claim succeeds.
  assert.equal(findings[0]!.rule, 'exit-with-open-flight');
});

/** What a search with reduction says, and in how many states. */
async function reducedOf(target: Parameters<typeof check>[0]) {
  const { verdict, findings, stats } = await check(target, { engine: 'reduced', memory: 'none' });
  return { verdict, rule: findings[0]?.rule, states: stats.states };
}

test('arrivals at a named barrier, and registers that are enough, have one order', async () => {
  const target = kernel('meetings', {}, () => {
    const late = barrier('late', { count: 0 });
    registers({ perThread: 64, threads: 256 });
    return Array.from({ length: 8 }, (_, index) =>
      role(`warp${index}`, { warps: 1 }, function* () {
        if (index === 0) init(late, 8);
        yield* setMaxRegisters('dec', 24);
        yield* syncNamed(0, 256);
        yield* setMaxRegisters('inc', 64);
        yield* syncNamed(1 + (index >> 2), 128);
        arrive(late);
        yield* wait(late, 0);
        yield* syncNamed(0, 256);
      }),
    );
  });
  // The first state, and the last one.
  assert.deepEqual(await reducedOf(target), { verdict: 'certified', rule: undefined, states: 2 });
});

test('arrivals that may complete a named barrier twice have several orders', async () => {
  const target = kernel('laps', {}, () => {
    const slot = buffer('slot');
    const warp = (name: string, before: number, after: number) =>
      role(name, { warps: 1 }, function* () {
        for (let turn = 0; turn < before; turn++) yield* syncNamed(0, 64);
        if (after > 0) asyncCopy(UNITS.tma, { into: [slot] });
        for (let turn = 0; turn < after; turn++) yield* syncNamed(0, 64);
      });
    // Who meets whom is open: two of three meet, and the third waits for one of them.
    return [warp('a', 1, 0), warp('b', 1, 0), warp('c', 1, 1)];
  });
  const full = await check(target, { engine: 'search', memory: 'none' });
  const { verdict, rule } = await reducedOf(target);
  assert.deepEqual([verdict, rule], [full.verdict, full.findings[0]?.rule]);
});

test('a copy that signals meets the end of its own CTA (X02)', async () => {
  const programs: Parameters<typeof check>[0][] = [false, true].map((meets) =>
    kernel('signal', {}, () => {
      const [late, go] = [barrier('late', { count: 0 }), barrier('go')];
      const slot = buffer('slot');
      const copier = role('copier', function* () {
        asyncCopy(UNITS.tma, { into: [slot], bar: late, bytes: 16 });
        if (!meets) return void arrive(go);
        arriveCluster();
        yield* waitCluster();
      });
      // Leaving the barrier of the cluster ends both roles.
      const peer = role('peer', function* () {
        arriveCluster();
        yield* waitCluster();
      });
      return meets ? [copier, peer] : [copier];
    }),
  );
  for (const target of programs) {
    const { verdict, rule } = await reducedOf(target);
    assert.deepEqual([verdict, rule], ['counterexample', 'uninitialised-barrier']);
  }
});
