// What the adviser proposes, and that what it forbids is forbidden for a reason.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { advise } from '#src/advise/index';
import type { Kernel } from '../../../core/src/program/index.ts';
import { MODELS } from '#src/simulate/index';
import { kernel, pipeline, read, role, tma, write } from 'poundlock';

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', '..', 'examples');
const load = async (name: string): Promise<Kernel> =>
  ((await import(join(EXAMPLES, `${name}.ts`))) as { default: Kernel }).default;
const model = MODELS.h200;

test('on a tensor core hand over hand is the best, and an earlier release is a race', async () => {
  const params = { warpgroups: 1, mmaN: 256, order: 'scoped', kBlocks: 64 };
  const { proposals, checkedItems } = await advise(await load('h200/tensor-core'), {
    model,
    params,
  });
  assert.equal(checkedItems, 6);
  const deep = proposals.find((one) => one.kind === 'hand-over-hand')!;
  assert.equal(deep.verdict, 'certified');
  // Measured: 187,586 cycles scoped and 132,289 linear with five stages.
  assert.ok(deep.speedup > 1.3 && deep.speedup < 1.5);
  const early = proposals.find((one) => one.kind === 'earlier')!;
  assert.equal(early.verdict, 'counterexample');
  assert.match(early.why!, /^race: /);
});

test('a deeper hand over hand leaves the waits for stores of results as they are', async () => {
  const params = { tiles: 2, kBlocks: 6, stages: 4 };
  const { proposals } = await advise(await load('whole/gemm'), { model, params });
  const deep = proposals.filter(({ kind }) => kind === 'hand-over-hand');
  assert.ok(deep.length > 0);
  for (const { why } of deep) assert.doesNotMatch(why ?? '', /store may still read it/);
});

test('a stage of the first ring is given back before the work on the second', async () => {
  const params = { aStages: 1, aBytes: 4096, bStages: 4, tiles: 64 };
  const { proposals } = await advise(await load('h200/release-order'), { model, params });
  const legal = proposals.filter((one) => one.kind === 'earlier' && one.verdict === 'certified');
  // Measured: 1,265 cycles a tile scoped and 786 linear with 50 cycles of work on A.
  assert.ok(legal.some(({ speedup }) => speedup > 1.3));
  const stages = proposals.find(({ change }) => change.startsWith('aStages='))!;
  assert.match(stages.change, /^aStages=2: /);
});

test('a kernel of the library gets advice: where a commit may be, and what its races are', async () => {
  const { proposals } = await advise(await load('sm100/default'), { model });
  assert.equal(proposals.find(({ kind }) => kind === 'raii')!.verdict, 'certified');
  const early = proposals.filter(({ kind }) => kind === 'earlier');
  // The signal is a commit: before the work that it stands for it would tell of nothing.
  const forbidden = early.filter(({ verdict }) => verdict === 'counterexample');
  assert.ok(forbidden.length > 0 && forbidden.every(({ why }) => why!.startsWith('race: ')));
  assert.ok(proposals.every(({ verdict }) => verdict !== 'inconclusive'));
});

test('stages have to fit into the memory that there is', async () => {
  const params = { source: 'hbm', consumerCycles: 0, tiles: 32 };
  const of = await load('h200/two-role');
  const largest = async (smem: number): Promise<number> => {
    const { proposals } = await advise(of, { model, params, smem });
    const { change } = proposals.find((one) => one.kind === 'stages')!;
    return Number(/^stages=(\d+)/.exec(change)![1]);
  };
  assert.equal(await largest(3 * 8192), 3);
  assert.ok((await largest(227 * 1024)) > 3);
});

test('a program that is wrong as it stands gets no advice', async () => {
  const wrong = kernel('wrong', {}, () => {
    const ab = pipeline('ab', { stages: 1, bytes: 64 });
    return [
      role('load', function* () {
        for (let i = 0; i < 3; i++) {
          using slot = yield* ab.produce();
          tma.load(slot);
        }
      }),
      role('use', function* () {
        using tile = yield* ab.consume();
        void tile;
      }),
    ];
  });
  await assert.rejects(advise(wrong, { model }), /correct as it stands|wait/);
});

test('a ring that roles fill themselves takes as much memory as one that copies fill', async () => {
  const ring = (copies: boolean): Kernel =>
    kernel('ring', { stages: 4 }, ({ stages }) => {
      const ab = pipeline('ab', { stages, bytes: 100_000 });
      return [
        role('load', function* () {
          for (let i = 0; i < 16; i++) {
            using slot = yield* ab.produce();
            if (copies) tma.load(slot);
            else {
              write(slot.buffer());
              slot.arrive();
            }
          }
          yield* ab.drain();
        }),
        role('use', function* () {
          for (let i = 0; i < 16; i++) {
            using tile = yield* ab.consume();
            read(tile.buffer());
          }
        }),
      ];
    });
  for (const copies of [true, false]) {
    const { proposals } = await advise(ring(copies), { model, smem: 227 * 1024 });
    const { change } = proposals.find(({ kind }) => kind === 'stages')!;
    assert.match(change, /^stages=[12]: .*\([12]00,000 B\)$/);
  }
});
