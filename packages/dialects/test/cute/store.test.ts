// tier: deep
// TMA stores: an acquire leaves one group less under way than there are buffers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { buffer, fence, kernel, role, write } from 'poundlock';
import { PipelineTmaStore } from '@poundlock/dialects/cute';
import { rulesOf } from '../../../poundlock/test/kernels.ts';

/** An epilogue that stores through `buffers` buffers and acquires for `numStages`. */
function stores(buffers: number, numStages: number) {
  return kernel('stores', {}, () => {
    const c = Array.from({ length: buffers }, (_, stage) => buffer(`c[${stage}]`));
    const pipe = PipelineTmaStore.create({ numStages });
    return [
      role('epilogue', function* () {
        for (let tile = 0; tile < 5; tile++) {
          const out = c[tile % buffers]!;
          write(out);
          fence('proxy.async');
          pipe.store([out]);
          pipe.producerCommit();
          yield* pipe.producerAcquire();
        }
        yield* pipe.producerTail();
      }),
    ];
  });
}

test('as many buffers as stages, or more, are certified', async () => {
  for (const [buffers, numStages] of [
    [1, 1],
    [2, 2],
    [3, 3],
    [3, 2],
  ] as const) {
    for (const engine of ['certify', 'search'] as const) {
      const { verdict } = await check(stores(buffers, numStages), { engine });
      assert.equal(verdict, 'certified', `${buffers} ${numStages} ${engine}`);
    }
  }
});

test('fewer buffers are written while they are stored', async () => {
  assert.deepEqual(await rulesOf(stores(1, 2)), ['race']);
  assert.deepEqual(await rulesOf(stores(2, 4)), ['race']);
});

test('a pipeline without stages is rejected', () => {
  assert.throws(
    () => PipelineTmaStore.create({ numStages: 0 }),
    /the stages of a PipelineTmaStore/,
  );
});
