// `--fix`: the fixed program is idiomatic and has no findings.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { applyEdits } from '#src/index';
import { lintFiles } from './programs.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-lint-fix-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

const DECLARED = `
/** @mustRelease close */
declare class Conn { close(): Promise<void>; ask(text: string): Promise<string> }
/** @returnsOwned */
declare function open(): Promise<Conn>;
/** @mustRelease [Symbol.asyncDispose] */
declare class Scoped { ask(): Promise<string>; [Symbol.asyncDispose](): Promise<void> }
/** @returnsOwned */
declare function scoped(): Promise<Scoped>;
export {};
`;

function findings(text: string) {
  const file = join(FOLDER, 'case.ts');
  writeFileSync(file, text);
  return lintFiles([file]);
}

interface Case {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

const CASES: readonly Case[] = [
  {
    what: 'release it in `finally`',
    before: `async function one(): Promise<string> {
  const conn = await open();
  const first = await conn.ask('a');
  const all = first + (await conn.ask('b'));
  await conn.close();
  return all;
}`,
    after: `async function one(): Promise<string> {
  const conn = await open();
  try {
    const first = await conn.ask('a');
    const all = first + (await conn.ask('b'));
    return all;
  } finally {
    await conn.close();
  }
}`,
  },
  {
    what: 'release it in `finally`',
    before: `async function one(): Promise<string> {
  const conn = await open();
  const text = await conn.ask(\`a
b\`);
  await conn.close();
  return text;
}`,
    after: `async function one(): Promise<string> {
  const conn = await open();
  try {
    const text = await conn.ask(\`a
b\`);
  return text;
  } finally {
    await conn.close();
  }
}`,
  },
  {
    what: 'add `await`',
    before: `async function one(): Promise<string> {
  const conn = await open();
  try {
    return conn.ask('a');
  } finally {
    await conn.close();
  }
}`,
    after: `async function one(): Promise<string> {
  const conn = await open();
  try {
    return await conn.ask('a');
  } finally {
    await conn.close();
  }
}`,
  },
  {
    what: 'bind it with `await using`',
    before: `async function one(): Promise<string> {
  const one = await scoped();
  return await one.ask();
}`,
    after: `async function one(): Promise<string> {
  await using one = await scoped();
  return await one.ask();
}`,
  },
];

for (const { what, before, after: expected } of CASES) {
  for (const lines of ['\n', '\r\n']) {
    const ends = JSON.stringify(lines);
    test(`${what}, in lines that end with ${ends}`, () => {
      const written = (text: string): string => (DECLARED + text).replaceAll('\n', lines);
      const [finding = assert.fail('nothing found'), ...others] = findings(written(before));
      assert.deepEqual(others, []);
      const fix = finding.fixes.find(({ title }) => title === what);
      assert.ok(fix !== undefined, `fixes: ${finding.fixes.map(({ title }) => title).join()}`);
      assert.ok(fix.isSafe);
      const { text, applied } = applyEdits(written(before), [fix]);
      assert.equal(applied, 1);
      assert.equal(text, written(expected));
      assert.deepEqual(findings(text), []);
    });
  }
}

const BODY = `export async function one() {
  const conn = await scoped();
  const first = await conn.ask();
  await conn[Symbol.asyncDispose]();
  return first;
}
`;

/** The titles of the fixes in a file of a package, by its `engines` and compiler options. */
function titles(name: string, manifest: object, compilerOptions: object): string[] {
  const folder = mkdtempSync(join(FOLDER, 'engines-'));
  const declared = name.endsWith('.js') ? '' : DECLARED.replace('export {};', '');
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const config = { compilerOptions: { allowJs: true, lib: ['esnext'], ...compilerOptions } };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  if (declared === '') {
    const types = DECLARED.replace('export {};', '').replaceAll('declare ', 'export declare ');
    writeFileSync(join(folder, 'conn.d.ts'), types);
  }
  const imported = declared === '' ? "import { scoped } from './conn.js';\n" : declared;
  writeFileSync(join(folder, name), imported + BODY);
  return lintFiles([join(folder, name)]).flatMap(({ fixes, helps }) => [
    ...fixes.map(({ title }) => title),
    ...(helps.join().includes('await using') ? ['help'] : []),
  ]);
}

const USING = ['bind it with `await using`', 'release it in `finally`', 'help'];
const FINALLY = ['release it in `finally`'];
const old = { engines: { node: '^20.19 || >=22.12' } };
const recent = { engines: { node: '>=24' } };
const next = { target: 'esnext', module: 'esnext', moduleResolution: 'bundler', noEmit: true };
const lowered = { ...next, target: 'es2022', noEmit: false, outDir: 'dist' };

test('`using` is written only where the file may contain it', () => {
  assert.deepEqual(titles('plain.js', {}, next), FINALLY);
  assert.deepEqual(titles('old.js', old, next), FINALLY);
  assert.deepEqual(titles('recent.js', recent, next), USING);
  assert.deepEqual(titles('compiled.js', old, lowered), USING);
  assert.deepEqual(titles('unknown.ts', {}, next), USING);
  assert.deepEqual(titles('old.ts', old, next), FINALLY);
  assert.deepEqual(titles('compiled.ts', old, lowered), USING);
  const stripped = { ...next, target: 'es2022', erasableSyntaxOnly: true };
  assert.deepEqual(titles('stripped.ts', old, stripped), FINALLY);
});
