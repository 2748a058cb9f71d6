// A copy into a stage without a size is a mistake of its declaration, not a race.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import { kernel, pipeline, read, role, tma } from 'poundlock';

const gemm = (options: { readonly bytes?: number }) =>
  kernel('gemm', {}, () => {
    const ab = pipeline('ab', { stages: 1, ...options });
    const load = role('load', function* () {
      using slot = yield* ab.produce();
      tma.load(slot);
    });
    const use = role('use', function* () {
      using tile = yield* ab.consume();
      read(tile.buffer());
    });
    return [load, use];
  });

test('a copy into a stage of 0 bytes names the pipeline and what it lacks', async () => {
  for (const options of [{}, { bytes: 0 }]) {
    const text = /^the copy fills a stage of 0 bytes: declare pipeline\('ab', \{ bytes: … \}\)$/;
    await assert.rejects(check(gemm(options)), { name: 'InputError', message: text });
  }
  assert.equal((await check(gemm({ bytes: 16 }))).verdict, 'certified');
});
