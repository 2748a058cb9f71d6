// tier: deep
// `poundlock hang -- COMMAND`: a command that behaves as the driver does when a dump is triggered.
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { crossedDump } from '../hang/pair.ts';
import { folder, poundlock } from './fake-host.ts';

/** Waits for the trigger, writes the dump, and ends as a program whose context is dead does. */
const PROGRAM = `#!/bin/sh
pipe=$(echo "$CUDA_COREDUMP_PIPE" | sed "s/%p/$$/")
mkfifo "$pipe"
read line < "$pipe"
cp hang.core "$(echo "$CUDA_COREDUMP_FILE" | sed "s/%p/$$/")"
exit 1
`;

function program(t: TestContext): string {
  const path = folder(t, { 'program.sh': PROGRAM });
  writeFileSync(join(path, 'hang.core'), crossedDump());
  chmodSync(join(path, 'program.sh'), 0o755);
  return path;
}

test('a command whose dump is triggered after a time', async (t) => {
  const words = ['hang', '--json', '--after', '500ms', '--', './program.sh'];
  const { code, stdout } = await poundlock(program(t), words, { env: process.env });
  assert.equal(code, 1);
  const { verdict, agreement } = JSON.parse(stdout);
  assert.equal(verdict, 'deadlock');
  assert.deepEqual(agreement.differences, []);
});

test('a command that ends has its own exit code', async (t) => {
  const words = ['hang', '--', 'sh', '-c', 'exit 0'];
  const { code, stderr } = await poundlock(program(t), words, { env: process.env });
  assert.equal(code, 0);
  assert.match(stderr, /there is no dump/);
});

test('a command that cannot be started, and doors that exclude each other', async (t) => {
  const path = program(t);
  for (const words of [
    ['--', './missing'],
    ['--'],
    ['--pid', '1', 'hang.core'],
    ['--after', '1s', 'hang.core'],
    ['a', 'b', 'c'],
  ]) {
    const { code } = await poundlock(path, ['hang', ...words], { env: process.env });
    assert.equal(code, 2, words.join(' '));
  }
});
