// What the h200 model says of measured programs, and what any simulation has to be.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { InputError } from '../../../core/src/base/index.ts';
import { Program, type Kernel } from '../../../core/src/program/index.ts';
import {
  agreement,
  casesOf,
  choiceSummary,
  costsOf,
  errorsOf,
  MODELS,
  pairsOf,
  predict,
  simulate,
  summarizeErrors,
} from '#src/simulate/index';
import { arrive, barrier, compute, kernel, role, waitParity } from 'poundlock';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const H200 = MODELS.h200;
/** Predicting all rows takes half a minute on a slow machine: these are enough to notice harm. */
const EVERY = 4;

function kernelFile(name: string): string {
  return join(ROOT, 'examples', 'h200', `${name}.ts`);
}

async function measured(name: string, every = EVERY, chip = 'h200') {
  const { default: of } = (await import(kernelFile(name))) as { default: Kernel };
  const table = join(ROOT, 'bench', chip, `${name.replace('-', '_')}.csv`);
  const [header, ...lines] = readFileSync(table, 'utf8').trim().split('\n');
  const camel = header!.split(',').map((title) => {
    return title.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  });
  const runs = lines
    .filter((_, at) => at % every === 0)
    .map((line) => {
      const cells = line.split(',').map((cell, at) => [camel[at]!, cell] as const);
      const params = Object.fromEntries(cells.filter(([title]) => title in of.defaults));
      return { params, measuredCycles: Number(new Map(cells).get('totalCycles')) };
    });
  return { kernel: of, runs };
}

/** The tables with many rows. */
const ROLES = new Set(['two-role', 'three-role', 'release-order']);
/** By chip and program: the most that the median and the 95th percentile of the errors may be. */
const LIMITS: readonly (readonly ['h200' | 'h100', string, number, number])[] = [
  ['h200', 'two-role', 1, 6],
  ['h200', 'three-role', 1, 6],
  ['h200', 'release-order', 1, 6],
  ['h200', 'tensor-core', 1.5, 7],
  ['h200', 'tensormap', 4, 15],
  ['h200', 'styles', 4, 15],
  ['h200', 'store', 4, 15],
  ['h200', 'multicast', 4, 15],
  ['h100', 'two-role', 1, 6],
  ['h100', 'three-role', 1, 6],
  ['h100', 'release-order', 1, 6],
  ['h100', 'tensor-core', 1.5, 7],
  ['h100', 'tensormap', 4, 15],
  ['h100', 'styles', 4, 15],
  ['h100', 'store', 4, 15],
  ['h100', 'multicast', 4, 15],
];

for (const [chip, name, medianPercent, p95Percent] of LIMITS) {
  test(`${chip}, ${name}: errors are at most ${medianPercent} and ${p95Percent} %`, async () => {
    const cases = casesOf([await measured(name, ROLES.has(name) ? EVERY : 1, chip)]);
    const [summary] = summarizeErrors(cases, errorsOf(cases, costsOf(MODELS[chip])));
    assert.ok(cases.length > 20);
    assert.ok(summary!.medianPercent < medianPercent, `median ${summary!.medianPercent} %`);
    assert.ok(summary!.p95Percent < p95Percent, `95th percentile ${summary!.p95Percent} %`);
  });
}

test('scoped or linear: the faster one is predicted, and the best is chosen', async () => {
  const cases = casesOf([await measured('release-order', 1), await measured('tensor-core', 1)]);
  const errors = errorsOf(cases, costsOf(H200));
  const pairs = pairsOf(cases, 'order');
  const right = pairs.filter((pair) => agreement(cases, errors, pair) > 0);
  assert.ok(pairs.length > 100 && right.length >= 0.97 * pairs.length);
  const { groups, nearBest } = choiceSummary(cases, errors, ['order']);
  assert.ok(nearBest >= 0.95 * groups);
});

test('the best number of stages of a tensor-core loop is predicted in 95 % of all groups', async () => {
  const cases = casesOf([await measured('tensor-core', 1)]);
  const errors = errorsOf(cases, costsOf(H200));
  const { groups, nearBest } = choiceSummary(cases, errors, ['stages']);
  assert.ok(groups > 20 && nearBest >= 0.95 * groups, `${nearBest} of ${groups}`);
});

test('the same seed gives the same run, another seed another one', async () => {
  const { kernel: of } = await measured('two-role');
  const params = { source: 'hbm', tiles: 64, stages: 3 };
  const times = [1, 1, 2].map((seed) => predict(new Program(of, params), H200, seed));
  assert.equal(times[0], times[1]);
  assert.notEqual(times[0], times[2]);
});

test('busy and stalled cycles of a role make up its life', async () => {
  const { kernel: of } = await measured('three-role');
  const { roles, rings, lines, criticalPath, totalCycles } = simulate(of, { model: H200 });
  const last = roles.find((one) => one.name === 'epilogue')!;
  const { full, empty, unit } = last.stallCycles;
  const launch = H200.parameters.launchCycles.value;
  assert.ok(Math.abs(last.busyCycles + full + empty + unit + launch - totalCycles) <= 3);
  assert.ok(rings.every((ring) => ring.meanOccupancy >= 0 && ring.meanOccupancy <= ring.stages));
  assert.ok(lines.every((line) => line.file?.endsWith('three-role.ts') === true));
  const path = criticalPath.reduce((sum, share) => sum + share.cycles, 0);
  assert.ok(Math.abs(path - totalCycles) < 2, `${path} of ${totalCycles}`);
});

test('memory does not grow with the number of tiles', async () => {
  // A heap of 32 MiB has room for the modules, and for 50 bytes of each of 400,000 tiles: less than one object.
  const worker = new Worker(
    `const { workerData: at } = require('node:worker_threads');
    (async () => {
      const [{ Program }, { predict, MODELS }, { default: of }] = await Promise.all(
        at.map((module) => import(module)),
      );
      predict(new Program(of, { tiles: 400_000 }), MODELS.h200);
    })();`,
    {
      eval: true,
      workerData: [
        import.meta.resolve('../../../core/src/program/index.ts'),
        import.meta.resolve('#src/simulate/index'),
        kernelFile('two-role'),
      ],
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    },
  );
  const [code] = (await once(worker, 'exit')) as [number];
  assert.equal(code, 0);
});

test('a deadlock is reported, with the waiting roles', () => {
  const stuck = kernel('stuck', {}, () => {
    const never = barrier('never');
    return [
      role('waits', function* () {
        yield* waitParity(never, 0);
      }),
      role('works', function* () {
        yield* compute(10);
      }),
    ];
  });
  assert.throws(
    () => simulate(stuck, { model: H200 }),
    (error) => error instanceof InputError && /deadlock: waits waits forever/.test(error.message),
  );
});

test('a plain loop that never closes is driven in place, and costs the same', () => {
  const long = (rounds: number) =>
    kernel('long', {}, () => {
      const bell = barrier('bell');
      return [
        role('rings', function* () {
          for (let i = 0; i < rounds; i++) {
            arrive(bell);
            yield* compute(1000);
          }
        }),
        role('listens', function* () {
          for (let i = 0; i < rounds; i++) yield* waitParity(bell, i & 1);
        }),
      ];
    });
  const [short, longer] = [1000, 4000].map((n) => predict(new Program(long(n)), MODELS.abstract));
  assert.ok(Math.abs(longer! / short! - 4) < 0.01, `${short} and ${longer}`);
});
