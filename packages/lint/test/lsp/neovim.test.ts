// tier: release
// An end-to-end test with Neovim, if installed: it shows the diagnostics and applies a fix.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { WAIT_MS } from './client.ts';
import { LEAK, project } from './project.ts';

const HERE = import.meta.dirname;
const BIN = join(HERE, '..', '..', '..', 'poundlock', 'bin', 'poundlock.js');

const isThere = spawnSync('nvim', ['--version']).status === 0;
const skip = !isThere && 'there is no nvim';

test('Neovim shows a leak, and its first code action fixes it', { skip }, () => {
  using folder = project();
  folder.write('leak.ts', LEAK);
  const words = ['--headless', '-u', 'NONE', '-n', '-c', `luafile ${join(HERE, 'neovim.lua')}`];
  const { stdout, stderr } = spawnSync('nvim', words, {
    cwd: folder.path,
    encoding: 'utf8',
    timeout: WAIT_MS,
    env: { ...process.env, POUNDLOCK_LSP: `${process.execPath} ${BIN} lsp --stdio` },
  });
  assert.deepEqual((stdout + stderr).trim().split(/\s*\n/), [
    'reported: true',
    'poundlock 2:17 the `Handle` of `new Handle()` is not released on every path',
    'bind it with `using`',
    'clean: true',
  ]);
});
