// `poundlock init`: the configuration that it writes is one that `poundlock check` takes.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, poundlock } from './fake-host.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples');

test('kernels of a folder are found, written down and checked', async (t) => {
  const cwd = folder(t, {
    'kernels/notes.ts': 'export default 1;\n',
    'node_modules/other/kernel.ptx': '',
    'test/gemm.test.ts': "import { kernel } from 'poundlock';\nexport default kernel;\n",
  });
  copyFileSync(join(EXAMPLES, 'gemm.ts'), join(cwd, 'kernels', 'gemm.ts'));
  copyFileSync(join(EXAMPLES, 'ptx/tile-sum.sm90a.ptx'), join(cwd, 'sum.ptx'));
  const { code, stdout } = await poundlock(cwd, ['init']);
  assert.deepEqual([code, stdout], [0, 'poundlock.config.ts\n']);
  const text = readFileSync(join(cwd, 'poundlock.config.ts'), 'utf8');
  const named = [...text.matchAll(/files: "(.*)"/g)].map(([, file]) => file);
  assert.deepEqual(named, ['kernels/gemm.ts', 'sum.ptx']);
  const checked = await poundlock(cwd, ['check', '--json']);
  assert.equal(checked.code, 0, checked.stderr);
  const again = await poundlock(cwd, ['init']);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /is there already/);
});

test('kernels that are named, and a folder without one', async (t) => {
  const cwd = folder(t, { 'a/k.ptx': '', 'a/l.ptx': '' });
  assert.equal((await poundlock(cwd, ['init', 'a/*.ptx'])).code, 0);
  assert.match(readFileSync(join(cwd, 'poundlock.config.ts'), 'utf8'), /a\/k\.ptx[^]*a\/l\.ptx/);
  const missing = await poundlock(folder(t), ['init', 'no.ptx']);
  assert.deepEqual([missing.code, /no such file/.test(missing.stderr)], [2, true]);
  assert.match((await poundlock(folder(t), ['init'])).stderr, /no kernel is below/);
});
