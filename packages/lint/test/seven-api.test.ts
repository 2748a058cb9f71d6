// Which TypeScript is used for its unstable API, and what is printed where there is none.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { noticeOf, packageOfSeven } from '../src/typescript/seven-api.ts';

const SOURCES = join(import.meta.dirname, '..', 'src');

function packageAmong(versions: Readonly<Record<string, string>>): string {
  return packageOfSeven((name) => versions[name]);
}

test('TypeScript 7.0 is found under its name, and under that beside TypeScript 6', () => {
  assert.equal(packageAmong({ typescript: '7.0.2' }), 'typescript');
  const both = { typescript: '6.0.3', '@typescript/native': '7.0.2' };
  assert.equal(packageAmong(both), '@typescript/native');
});

test('without it, one line has a command after which it is found', () => {
  const installs = 'npm install --save-dev typescript@7.0';
  assert.throws(() => packageAmong({}), {
    name: 'InputError',
    message: `lint needs TypeScript 7.0, which is not installed: ${installs}`,
  });
  for (const version of ['4.9.5', '5.2.2', '6.0.3']) {
    const installsBeside = 'npm install --save-dev @typescript/native@npm:typescript@7.0';
    assert.throws(() => packageAmong({ typescript: version }), {
      name: 'InputError',
      message: `lint needs TypeScript 7.0, and typescript is ${version}; to have both: ${installsBeside}`,
    });
    assert.equal(
      packageAmong({ typescript: version, '@typescript/native': '7.0.2' }),
      '@typescript/native',
    );
  }
});

test('a newer TypeScript 7 is tried, with a line that says so', () => {
  assert.equal(packageAmong({ typescript: '7.3.1' }), 'typescript');
  assert.equal(
    packageAmong({ typescript: '7.3.1', '@typescript/native': '7.0.2' }),
    '@typescript/native',
  );
  assert.match(
    noticeOf('7.3.1') ?? '',
    /^TypeScript 7\.3\.1 is newer than this poundlock knows \(7\.0\): trying/,
  );
  assert.equal(noticeOf('7.0.2'), undefined);
});

test('one file has the modules of the unstable API', () => {
  const files = globSync('**/*.ts', { cwd: SOURCES });
  const having = files.filter((file) =>
    readFileSync(join(SOURCES, file), 'utf8').includes("'typescript/unstable"),
  );
  assert.deepEqual(having, [join('typescript', 'seven-api.ts')]);
});
