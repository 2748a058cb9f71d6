// What the system refuses about a path is one reason in words, and a write that fails leaves nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { entriesOf, kindOf, readText, replaceFile, writeAtomically } from '../../src/host/index.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'poundlock-files-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('what is at a path, or why that is not known', (t) => {
  const path = folder(t);
  writeFileSync(join(path, 'file'), 'text');
  symlinkSync('loop', join(path, 'loop'));
  assert.equal(kindOf(path, 'a'), 'folder');
  assert.equal(kindOf(join(path, 'file'), 'a'), 'file');
  assert.equal(kindOf(join(path, 'gone'), 'a'), null);
  assert.equal(kindOf('/dev/null', 'a'), 'other');
  const refused = { name: 'InputError' };
  for (const name of ['loop', 'file/inner', 'k'.repeat(300), '\0']) {
    const at = join(path, name);
    assert.throws(() => kindOf(at, 'a'), refused, name);
    assert.throws(() => readText(at, 'a'), refused, name);
    assert.throws(() => entriesOf(at, 'a'), refused, name);
    assert.throws(() => writeAtomically(at, path, 'text'), refused, name);
  }
});

test('a write that fails removes what it has begun', (t) => {
  const path = folder(t);
  mkdirSync(join(path, 'taken'));
  assert.throws(() => replaceFile(join(path, 'taken'), 'text'), { syscall: 'rename' });
  assert.deepEqual(readdirSync(path), ['taken']);
});

test('what a process may not read is not there', () => {
  const sources = resolve(import.meta.dirname, '../../src');
  const index = pathToFileURL(join(sources, 'host/index.ts')).href;
  const paths = [import.meta.filename, join(sources, 'host/files.ts')];
  const program = `
    import { isThere } from ${JSON.stringify(index)};
    console.log(JSON.stringify(${JSON.stringify(paths)}.map((path) => isThere(path))));
  `;
  const words = [
    '--permission',
    `--allow-fs-read=${sources}`,
    '--input-type=module',
    '-e',
    program,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(stdout, '[false,true]\n', stderr);
});
