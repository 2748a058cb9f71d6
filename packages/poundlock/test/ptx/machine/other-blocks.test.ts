// What a verdict about the first blocks of a grid takes for granted of the others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import { ptxKernel } from '#src/ptx/kernel';
import { kernelText } from '../kernel-text.ts';

async function assumedOf(launch: object): Promise<string[]> {
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text: kernelText('', 'bar.sync 0; ret;') },
    launch: { file: 'l.json', text: JSON.stringify({ block: [64, 1, 1], params: [], ...launch }) },
  });
  const { verdict, scope } = await check(kernel, { sizes: 'requested' });
  assert.equal(verdict, 'certified');
  return scope.assumptions.map((text) => text.replace(/ \(.*$/, ''));
}

test('a grid of one block, or of one cluster, is checked as a whole', async () => {
  assert.deepEqual(await assumedOf({ grid: [1, 1, 1] }), []);
  assert.deepEqual(await assumedOf({ grid: [4, 1, 1], cluster: [4, 1, 1] }), []);
});

test('of a larger grid the verdict says how many blocks are taken for alike', async () => {
  const text = 'the other 2,047 blocks of the grid do what the first one does';
  assert.deepEqual(await assumedOf({ grid: [64, 32, 1] }), [text]);
  const clusters = 'the other cluster of the grid does what the first one does';
  assert.deepEqual(await assumedOf({ grid: [4, 2, 1], cluster: [2, 2, 1] }), [clusters]);
});

test('blocks that the first one asks for are its own', async () => {
  const launch = { grid: [4, 1, 1], clusterLaunchControl: [1, 2, 3] };
  assert.deepEqual(await assumedOf(launch), []);
});
