import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { main } from '#src/cli/main';
import { fakeHost, poundlock } from './fake-host.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-cli-lint-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = join(FOLDER, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const HANDLE = `/** @mustRelease close | [Symbol.dispose] */
export declare class Handle {
  close(): void;
  use(): void;
  [Symbol.dispose](): void;
}
`;
const LEAK = `import { Handle } from './handle.js';
export function leak(): void {
  const handle = new Handle();
  handle.use();
}
`;

write('a/handle.d.ts', HANDLE);
write('a/leak.ts', LEAK);
write('b/fine.ts', 'export const fine = 1;\n');

async function lint(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await poundlock(FOLDER, ['lint', ...words]);
  return { code, out: stdout, err: stderr };
}

test('a directory with a leak: the finding in a code frame, and exit code 1', async () => {
  const { code, out } = await lint('a');
  assert.equal(code, 1);
  assert.match(out, /error\[leak\]: the `Handle` of `new Handle\(\)` is not released/);
  assert.match(out, /a\/leak\.ts/);
  assert.match(out, /1 finding in 1 file/);
});

test('nothing to find: exit code 0', async () => {
  const { code, out } = await lint('b');
  assert.equal(code, 0);
  assert.match(out, /no findings in 1 file/);
});

test('findings in tests are notes, which do not change the exit code', async () => {
  write('n/package.json', '{}');
  write('n/handle.d.ts', HANDLE);
  write('n/leak.test.ts', LEAK);
  const { code, out } = await lint('n');
  assert.equal(code, 0);
  assert.match(out, /note\[leak\]: the `Handle` of `new Handle\(\)` is not released/);
  assert.match(out, /; followed 1 handle of 1 kind in 1 file$/m);
  assert.equal((await lint('n', '--tests=error')).code, 1);
});

test('a misspelt tag and a method that is not there are said once', async () => {
  write('g/tags.ts', `/** @mustRelaese close */\nexport interface A { close(): void }\n${METHOD}`);
  write('g/more.ts', '/** @mustRelaese close */\nexport interface C { close(): void }\n');
  const { code, err } = await lint('g');
  assert.equal(code, 0);
  assert.deepEqual(err.match(/did you mean [@\w]+/g), [
    'did you mean @mustRelease',
    'did you mean close',
  ]);
});
const METHOD = '/** @mustRelease clsoe */\nexport interface B { close(): void }\n';

test('in a function given to `test`, too', async () => {
  const body = LEAK.replace('export function leak(): void', "test('leaks', () =>").trim();
  const declared = 'declare function test(title: string, body: () => void): void;';
  write('m/handle.d.ts', HANDLE);
  write(
    'm/own.ts',
    `${body.replace("import { Handle } from './handle.js';", (line) => `${line}\n${declared}`)});\n`,
  );
  const { code, out } = await lint('m');
  assert.deepEqual([code, /note\[leak\]/.test(out)], [0, true]);
});

for (const how of ['', ', and again when that is remembered']) {
  test(`a syntax error is reported with its position, and the other files are linted${how}`, async () => {
    if (how === '') {
      write('s/tsconfig.json', '{ "compilerOptions": { "strict": true } }');
      write('s/node_modules/nothing/package.json', '{}');
      write('s/handle.d.ts', HANDLE);
      write('s/leak.ts', LEAK);
      write('s/broken.ts', `${LEAK}\nexport default x(`);
    }
    const { code, out, err } = await lint('s');
    assert.equal(code, 2);
    assert.match(out, /s\/leak\.ts/);
    assert.match(out, /1 finding in 1 file · 1 file not linted/);
    assert.equal(err, "poundlock: s/broken.ts:7:18: not linted, a syntax error: ')' expected\n");
    const cache = readFileSync(join(FOLDER, 's/node_modules/.cache/poundlock/lint.json'), 'utf8');
    assert.match(cache, /'\)' expected/);
  });
}

test('a syntax error that is fixed is forgotten', async () => {
  write('s/broken.ts', 'export default 1;\n');
  const { code, err } = await lint('s');
  assert.equal(code, 1);
  assert.equal(err, '');
});

test('only requested files are reported', async () => {
  write('o/broken.ts', 'export function ( { if \n');
  write('o/fine.ts', "export { x } from './broken.js';\n");
  assert.equal((await lint('o/fine.ts')).code, 0);
});

test('types in JavaScript are no syntax errors: they are read', async () => {
  const file = write('j/typed.js', 'export const f = (x: number): void => {};\n');
  const { code, err } = await lint(file);
  assert.equal(code, 0, err);
});

test('odd JSDoc in JavaScript is no syntax error, and what follows it may be one', async () => {
  const odd = '/**\n@typedef {Object} layer-cluster\nOf points.\n*/\n';
  const file = write('j/odd.js', `${odd}export const f = (x) => x;\n`);
  const { code, err } = await lint(file);
  assert.equal(code, 0, err);
  const broken = await lint(write('j/broken.js', `${odd}export const f = (x => x;\n`));
  assert.equal(broken.code, 2);
  assert.match(broken.err, /j\/broken\.js:5:25: not linted, a syntax error/);
  const globs = "export const all = 'src/**/*.js';\n";
  const globbed = await lint(write('j/glob.js', `${globs}const f = (x => x;\n/* over */\n`));
  assert.match(globbed.err, /j\/glob\.js:2:18: not linted, a syntax error/);
});

test('--json prints one document of a schema', async () => {
  const { out } = await lint('a/*.ts', '--json');
  const { schema, findings, results } = JSON.parse(out) as {
    schema: string;
    findings: { rule: string; primary: { file: string; line: number; column: number } }[];
    results: { files: number }[];
  };
  assert.equal(schema, 'poundlock/report@1');
  assert.equal(results[0]!.files, 1);
  const [{ rule, primary } = assert.fail()] = findings;
  assert.equal(rule, 'leak');
  const { file, line, column } = primary;
  assert.deepEqual({ file, line, column }, { file: 'a/leak.ts', line: 3, column: 18 });
});

for (const reporter of ['sarif', 'github', 'markdown', 'html']) {
  test(`--reporter ${reporter} names the rule and the file`, async () => {
    const { out } = await lint('a', '--reporter', reporter);
    assert.match(out, /leak/);
    assert.match(out, /a\/leak\.ts/);
  });
}

test('--fix binds with using, and what is left is clean', async () => {
  const file = write('d/leak.ts', LEAK);
  write('d/handle.d.ts', HANDLE);
  const { code, out } = await lint('d', '--fix');
  assert.equal(code, 0);
  assert.match(out, /1 fix applied/);
  assert.match(readFileSync(file, 'utf8'), /using handle = new Handle\(\);/);
});

test('a baseline hides known findings and shows new ones', async () => {
  write('e/handle.d.ts', HANDLE);
  write('e/leak.ts', LEAK);
  const first = await lint('e', '--baseline', 'e/base.json', '--update-baseline');
  assert.equal(first.code, 0);
  assert.match(first.out, /1 in the baseline/);
  write('e/more.ts', LEAK.replace('leak()', 'more()'));
  const second = await lint('e', '--baseline', 'e/base.json');
  assert.equal(second.code, 1);
  assert.match(second.out, /1 finding in 2 files/);
});

test('what was found is remembered until a file it depends on changes', async () => {
  write('m/tsconfig.json', '{ "compilerOptions": { "strict": true } }');
  write('m/node_modules/nothing/package.json', '{}');
  write('m/handle.d.ts', HANDLE);
  write('m/leak.ts', LEAK);
  const first = await lint('m/leak.ts');
  const cache = join(FOLDER, 'm/node_modules/.cache/poundlock/lint.json');
  assert.match(readFileSync(cache, 'utf8'), /leak/);
  const again = await lint('m/leak.ts');
  assert.equal(again.code, first.code);
  const plain = (text: string): string => text.replace(/ · .*$/m, '');
  assert.equal(plain(again.out), plain(first.out));
  write('m/handle.d.ts', HANDLE.replace('@mustRelease', '@notAtAll'));
  assert.equal((await lint('m/leak.ts')).code, 0);
});

test('handles are followed from one project into those that it references', async () => {
  const composite = { composite: true, strict: true, outDir: 'dist', module: 'nodenext' };
  write('r/handle.d.ts', HANDLE);
  write('r/lib/tsconfig.json', JSON.stringify({ compilerOptions: composite }));
  const maker = `import { Handle } from '../handle.js';
export function make(): Handle {
  return new Handle();
}
`;
  write('r/lib/make.ts', maker);
  const references = [{ path: '../lib' }];
  write('r/app/tsconfig.json', JSON.stringify({ compilerOptions: composite, references }));
  const user = `import { make } from '../lib/make.js';
export function lost(): void {
  make().use();
}
export function kept(): void {
  using handle = make();
  handle.use();
}
`;
  write('r/app/use.ts', user);
  for (const words of [['r'], ['r/app/use.ts']]) {
    const { code, out } = await lint(...words, '--json');
    assert.equal(code, 1);
    const { findings } = JSON.parse(out) as {
      findings: { rule: string; primary: { file: string; line: number } }[];
    };
    const places = findings.map(({ rule, primary }) => `${rule} ${primary.file}:${primary.line}`);
    assert.deepEqual(places, ['discarded-handle r/app/use.ts:3']);
  }
});

test('--watch lints again after a change, and ends with an interrupt', async () => {
  write('w/handle.d.ts', HANDLE);
  write('w/leak.ts', LEAK);
  const interrupt = Promise.withResolvers<() => void>();
  const { host, written } = fakeHost(FOLDER, {
    onInterrupt: (listener) => {
      interrupt.resolve(listener);
      return () => undefined;
    },
  });
  const ended = main(['lint', 'w', '--watch'], host);
  const end = await interrupt.promise;
  try {
    await until(() => written.stderr.includes('watching 2 files'));
    assert.match(written.stdout, /1 finding in 1 file/);
    write('w/leak.ts', LEAK.replace('  const', '  using'));
    await until(() => written.stdout.includes('no findings in 1 file'));
  } finally {
    end();
  }
  assert.equal(await ended, 0);
});

const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 20;

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    assert.ok(performance.now() < deadline, 'it never came');
    await delay(LOOK_AGAIN_MS);
  }
}

test('a suppression needs a reason', async () => {
  write('f/handle.d.ts', HANDLE);
  const comment = (text: string): string => LEAK.replace('  const', `  // ${text}\n  const`);
  write('f/leak.ts', comment('poundlock-ignore-next-line leak -- the process ends here'));
  assert.equal((await lint('f')).code, 0);
  write('f/leak.ts', comment('poundlock-ignore-next-line leak'));
  const { code, out } = await lint('f');
  assert.equal(code, 1);
  assert.match(out, /a suppression needs a reason/);
});

test('bad input is one line and exit code 2', async () => {
  for (const words of [
    ['nowhere'],
    ['a/handle.txt'],
    ['a', '--reporter', 'xml'],
    ['a', '--update-baseline'],
  ]) {
    const { code, err, out } = await lint(...words);
    assert.equal(code, 2, words.join(' '));
    assert.equal(out, '');
    assert.equal(err.trim().split('\n').length, 1, err);
  }
});
