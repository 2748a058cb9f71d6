// tier: deep
// The topology of a pipe as a kernel: pipes cannot hang, and the rule that their end needs is needed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pipe, type PipeStage } from '@poundlock/ring';
import { check } from '../../src/check/index.ts';
import { kernelOfPipe, topologyIn } from '../../src/cli/pipe-kernel.ts';
import log from '../../../../examples/pipes/log.ts';

const module = new URL('file:///stage.js');
const SHAPES: readonly (readonly PipeStage[])[] = [
  [{ parse: module }],
  [{ parse: module, workers: 2 }],
  [{ parse: module, workers: 2, ordered: true }],
  [{ parse: module }, { check: (item: unknown) => item }, { write: module }],
];

const PARAMS: readonly Readonly<Record<string, number>>[] = [
  {},
  { items: 3, depth: 1 },
  { items: 3, early: 1 },
];

for (const stages of SHAPES) {
  for (const params of PARAMS) {
    test(`certified: ${JSON.stringify(stages)} with ${JSON.stringify(params)}`, async () => {
      const kernel = kernelOfPipe(pipe.describe(stages));
      const { verdict, findings } = await check(kernel, { params, sizes: 'requested' });
      assert.deepEqual([verdict, findings], ['certified', []]);
    });
  }
}

test('a source waits for ever for a window that the end does not open', async () => {
  const kernel = kernelOfPipe(pipe.describe(SHAPES[2]!));
  const params = { items: 6, depth: 1, early: 1, opening: 0 };
  const { findings } = await check(kernel, { params, sizes: 'requested' });
  assert.equal(findings[0]?.rule, 'deadlock');
  assert.match(findings[0].message, /source waits for phase 0 of left1/);
});

test('a module that describes a pipe is recognized, and nothing else is', () => {
  assert.equal(topologyIn({ default: log })?.pipe, 'log');
  assert.deepEqual(
    log.groups.map(({ stages, workers }) => [...stages, workers]),
    [[0], ['parse', 2], [0], ['longest', 1], [0]],
  );
  for (const other of [{}, { default: null }, { default: { pipe: 'x' } }, { default: () => {} }]) {
    assert.equal(topologyIn(other), undefined);
  }
});
