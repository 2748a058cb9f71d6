// tier: release
// A drawing has every step, every answer and every barrier.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { exportKernel } from '#src/export/index';
import { kernelOf } from './instances.ts';

const drawn = async (name: string): Promise<string> =>
  exportKernel(await kernelOf({ name, params: {} }), 'dot');

test('roles are clusters, answers are labels, barriers are nodes with edges', async () => {
  const text = await drawn('work-queue');
  assert.match(text, /subgraph cluster_0 \{\n {4}label="scheduler";/);
  assert.match(text, /subgraph cluster_2 \{\n {4}label="worker1";/);
  assert.match(text, /-> s\d+ \[label="stage 1"\];/);
  assert.match(text, /-> s\d+ \[label="none"\];/);
  assert.match(text, /b0 \[label="work\.full\[0\]\\n1 arrival" shape=hexagon/);
  assert.match(text, /^ {2}s\d+ -> b0 \[color=/m);
  assert.match(text, /^ {2}b0 -> s\d+ \[color=.* style=dashed/m);
});

test('a misuse of a handle is a step of its own', async () => {
  assert.match(await drawn('broken/double-release'), /label="double-release" shape=octagon/);
});

test('Graphviz draws it', async (t) => {
  const { error } = spawnSync('dot', ['-V']);
  if (error !== undefined) return t.skip('dot is missing: apt-get install graphviz');
  const input = await drawn('three-roles');
  const { status, stdout, stderr } = spawnSync('dot', ['-Tsvg'], { input, encoding: 'utf8' });
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.match(stdout, /<svg /);
});
