// tier: deep
// The kernels of examples/sm100: certified at every size, by one engine and, when small, by both.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { check } from 'poundlock/check';
import type { ParameterValue } from '@poundlock/core/internal/finding';
import type { Kernel } from 'poundlock';
import { KERNELS, TINY } from './all-kernels.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'sm100');
type Params = Record<string, ParameterValue>;

async function certified(kernel: Kernel, params: Params, engine: 'certify' | 'search' = 'certify') {
  const result = await check(kernel, { params, engine });
  const shown = `${kernel.name} ${JSON.stringify(params)}: ${result.reason ?? ''}`;
  assert.equal(result.verdict, 'certified', shown);
  assert.deepEqual(result.findings, [], shown);
  return result;
}

suite('kernels', { concurrency: 2 }, () => {
  for (const [name, { kernel, ctaGroups }] of Object.entries(KERNELS)) {
    test(`${name} is certified with 2 to 6 stages, and tiles up to 8`, async () => {
      for (const ctaGroup of ctaGroups) {
        for (let stages = 2; stages <= 6; stages++) {
          // Proofs for every number are below; here, fewer tiles than stages, as many, and more.
          for (const tiles of new Set([1, stages, 8])) {
            await certified(kernel, { ctaGroup, stages, tiles });
          }
        }
      }
    });

    test(`${name} is certified with other rings and k steps`, async () => {
      const clcStages = name === 'grouped-1sm' ? 0 : 3;
      for (const ctaGroup of ctaGroups) {
        await certified(kernel, { ctaGroup, accumStages: 1, kIters: 1, clcStages, tiles: 4 });
        await certified(kernel, { ctaGroup, accumStages: 3, kIters: 7, clcStages, tiles: 5 });
        if (name.startsWith('grouped')) continue;
        await certified(kernel, { ctaGroup, clcStages: 1, tiles: 5 });
        await certified(kernel, { ctaGroup, clcStages: 0, tiles: 1 });
      }
    });

    if (name.startsWith('grouped')) continue;
    test(`${name} is certified on clusters that multicast`, async () => {
      for (const ctaGroup of ctaGroups) {
        for (const [clusterM, clusterN] of [
          [2, 2],
          [4, 1],
          [4, 2],
        ] as const) {
          await certified(kernel, { ctaGroup, clusterM, clusterN, tiles: 4 });
        }
      }
    });
  }
});

suite('every number of tiles is certified', () => {
  for (const [name, { kernel, ctaGroups }] of Object.entries(KERNELS)) {
    for (const ctaGroup of ctaGroups) {
      test(`of ${name} on ${ctaGroup === 1 ? 'one CTA' : 'a pair'}`, async () => {
        // A pair has two of everything: with two stages, its proof takes as long as that of one CTA.
        const params: Params = ctaGroup === 1 ? { ctaGroup } : { ctaGroup, stages: 2 };
        const { verdict, scope } = await check(kernel, { params, every: 'tiles' });
        assert.equal(verdict, 'certified');
        assert.deepEqual(scope.every, ['tiles']);
      });
    }
  }
});

suite('the search agrees', () => {
  for (const [name, { kernel, ctaGroups }] of Object.entries(KERNELS)) {
    if (!ctaGroups.includes(1)) continue;
    test(`on ${name}, when it is tiny`, async () => {
      const clcStages = name === 'grouped-1sm' ? 0 : 1;
      const { stats } = await certified(kernel, { ...TINY, clcStages }, 'search');
      assert.ok(stats.states > 1000, `${stats.states} states`);
    });
  }

  test('on pairs of CTAs, as far as it comes: it finds nothing', async () => {
    const params = { ...TINY, ctaGroup: 2 };
    for (const name of ['default', 'grouped-2sm']) {
      const { kernel } = KERNELS[name]!;
      const result = await check(kernel, { params, engine: 'search', maxStates: 100_000 });
      assert.deepEqual([result.verdict, result.findings], ['inconclusive', []], name);
    }
  });
});

test('the grouped kernel may look ahead', async () => {
  const { kernel } = KERNELS['grouped-1sm']!;
  const params = { ...TINY, clcStages: 0, kIters: 2, lookAhead: true };
  const { verdict, findings } = await check(kernel, { params });
  assert.deepEqual(findings, []);
  assert.equal(verdict, 'certified');
});

test('k steps that share a stage are certified, too', async () => {
  const { kernel } = KERNELS['default']!;
  for (const ctaGroup of [1, 2]) {
    await certified(kernel, { ctaGroup, kGroupSize: 2, stages: 4, kIters: 4 });
  }
});

test('scoped and linear ownership are the same kernel: as many events, certified alike', async () => {
  const [scoped, linear] = [KERNELS['blockwise-fp8']!, KERNELS['blockwise-fp8-linear']!];
  for (const ctaGroup of [1, 2]) {
    for (const tiles of [1, 4]) {
      const one = await certified(scoped.kernel, { ctaGroup, tiles });
      const other = await certified(linear.kernel, { ctaGroup, tiles });
      assert.equal(one.stats.events, other.stats.events);
    }
  }
});

const textOf = (name: string): string => readFileSync(join(FOLDER, `${name}.ts`), 'utf8');

/** How many blocks are open where `call` stands. */
function depthOf(text: string, call: string): number {
  const before = text.slice(0, text.indexOf(call)).replaceAll(/\/\/.*|\{[^{}\n]*\}/g, '');
  return [...before].reduce(
    (depth, char) => depth + Number(char === '{') - Number(char === '}'),
    0,
  );
}

test('the linear kernel is flat: at most 4 blocks around the MMA, and one scope in the epilogue', () => {
  const linear = textOf('blockwise-fp8-linear');
  const mma = linear.slice(
    linear.indexOf('function* mmaWarp'),
    linear.indexOf('function* epilogue'),
  );
  assert.ok(depthOf(mma, 'multiply(mmaStage') <= 4);
  assert.ok(!/\busing\b/.test(mma));
  const load = linear.slice(
    linear.indexOf('function* loadWarp'),
    linear.indexOf('function* sched'),
  );
  assert.ok(!/\busing\b/.test(load));
  assert.ok(depthOf(textOf('blockwise-fp8'), 'multiply(mmaStage') > 4);
});

test('every kernel file describes its warps, its barrier counts and its tear-down', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  assert.deepEqual(
    files.toSorted(),
    Object.keys(KERNELS)
      .map((name) => `${name}.ts`)
      .toSorted(),
  );
  for (const name of Object.keys(KERNELS)) {
    const head = textOf(name).split('\nimport')[0]!;
    for (const part of [
      /Shows: /,
      /Unlike /,
      /warp, role|warp {2}role/,
      /barrier/,
      /[Tt]ear-down/,
    ]) {
      assert.match(head, part, name);
    }
  }
});
