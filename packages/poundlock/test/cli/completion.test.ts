// `poundlock completion`: what a shell offers is what the tables of verbs and options have.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ASSUMPTION_NAMES } from '@poundlock/core/internal/finding';
import { VERBS } from '#src/cli/verbs/index';
import { SHELLS } from '#src/cli/completion/scripts';
import { ENGINES } from '#src/check/index';
import { folder, poundlock } from './fake-host.ts';

async function script(cwd: string, shell: string): Promise<string> {
  const { code, stdout } = await poundlock(cwd, ['completion', shell]);
  assert.equal(code, 0);
  return stdout;
}

/** Whether a shell is on this machine. */
const hasShell = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

test('each shell has every verb, its options and their words', async (t) => {
  const cwd = folder(t);
  for (const shell of SHELLS) {
    const text = await script(cwd, shell);
    for (const verb of Object.keys(VERBS)) assert.ok(text.includes(verb), `${shell}: ${verb}`);
    for (const word of ['engine', 'watch', ...ENGINES, ...ASSUMPTION_NAMES, 'tma.load', 'strict'])
      assert.ok(text.includes(word), `${shell}: ${word}`);
  }
});

test('the scripts are programs of their shells', async (t) => {
  const cwd = folder(t);
  for (const shell of SHELLS.filter(hasShell)) {
    const file = join(cwd, shell);
    writeFileSync(file, await script(cwd, shell));
    const { status, stderr } = spawnSync(shell, ['-n', file]);
    assert.equal(status, 0, `${shell}: ${String(stderr)}`);
  }
});

test('bash completes verbs, options, their words, and words of verbs', async (t) => {
  if (!hasShell('bash')) return t.skip('there is no bash');
  const text = await script(folder(t), 'bash');
  const completed = (...words: string[]): string[] => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _poundlock`;
    const { stdout } = spawnSync('bash', ['-c', `${text}\n${ask}\necho "\${COMPREPLY[*]}"`], {
      encoding: 'utf8',
    });
    return stdout.trim().split(' ').filter(Boolean);
  };
  assert.deepEqual(completed('poundlock', 'exp'), ['explore', 'explain', 'export']);
  assert.deepEqual(completed('poundlock', 'check', '--eng'), ['--engine']);
  assert.deepEqual(completed('poundlock', 'check', '--engine', ''), [...ENGINES]);
  assert.deepEqual(completed('poundlock', 'check', '--memory', 'p'), ['practice']);
  assert.deepEqual(completed('poundlock', 'explain', 'deadl'), ['deadlock']);
  assert.deepEqual(completed('poundlock', 'operations', 'tma.l'), ['tma.load']);
  assert.deepEqual(completed('poundlock', 'help', 'simu'), ['simulate']);
  // Files, which bash completes by itself.
  assert.deepEqual(completed('poundlock', 'check', 'kern'), []);
});

/** What a shell offers for a line, where the script of its completion is in a file. */
const OFFERS: Readonly<Record<'zsh' | 'fish', (file: string, line: string) => string[]>> = {
  zsh: (file, line) => ['-f', CAPTURE, file, line],
  fish: (file, line) => ['--no-config', '-c', `source ${file}; complete -C '${line}'`],
};
/** Runs an interactive zsh, presses tab behind a line, and prints what is offered. */
const CAPTURE = join(import.meta.dirname, 'capture-completion.zsh');

for (const shell of ['zsh', 'fish'] as const)
  test(`${shell} completes verbs, options, their words, words of verbs and files`, async (t) => {
    if (!hasShell(shell)) return t.skip(`there is no ${shell}`);
    const cwd = folder(t, { 'kernel.ptx': '' });
    const file = join(cwd, `_${shell}`);
    writeFileSync(file, await script(cwd, shell));
    const offered = (line: string): string[] => {
      const words = OFFERS[shell](file, line);
      const { stdout } = spawnSync(shell, words, { cwd, encoding: 'utf8' });
      const lines = stdout.split(/\r?\n/).filter(Boolean);
      return [...new Set(lines.map((one) => one.split('\t')[0]!))].toSorted();
    };
    assert.deepEqual(offered('poundlock exp'), ['explain', 'explore', 'export']);
    assert.deepEqual(offered('poundlock check --eng'), ['--engine']);
    assert.deepEqual(offered('poundlock check --engine '), [...ENGINES].toSorted());
    assert.deepEqual(offered('poundlock check x --memory prac'), ['practice']);
    assert.deepEqual(offered('poundlock explain deadl'), ['deadlock']);
    assert.deepEqual(offered('poundlock operations tma.l'), ['tma.load']);
    assert.deepEqual(offered('poundlock help simu'), ['simulate']);
    assert.deepEqual(offered('poundlock check kern'), ['kernel.ptx']);
  });

test('another shell is refused', async (t) => {
  const { code, stderr } = await poundlock(folder(t), ['completion', 'fihs']);
  assert.equal(code, 2);
  assert.match(stderr, /Did you mean fish\?/);
});
