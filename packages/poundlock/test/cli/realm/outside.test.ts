// Roles and kernel functions that ask the world outside are refused; pure ones are not.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder } from '../fake-host.ts';

const BIN = fileURLToPath(new URL('../../../bin/poundlock.js', import.meta.url));

/** A kernel whose role waits for nothing where `condition` is true. */
const program = (condition: string, top = '') =>
  `import { barrier, compute, kernel, role, wait } from 'poundlock';\n${top}\n` +
  `export default kernel('k', {}, () => {\n  const b = barrier('b');\n` +
  `  return [role('r', function* () {\n    if (${condition}) yield* wait(b, 0);\n` +
  `    yield* compute(1);\n  })];\n});\n`;

/** What is asked, the name in the message, and what the module does before. */
const IMPURE: readonly (readonly [condition: string, name: string, top?: string])[] = [
  ['Math.random() > 2', 'Math.random()'],
  ['Array.from({ length: 1 }, Math.random)[0] > 2', 'Math.random()'],
  ['r() > 2', 'Math.random()', 'const r = Math.random;'],
  ['(() => { try { return Math.random() > 2; } catch { return false; } })()', 'Math.random()'],
  ['Date.now() < 0', 'Date.now()'],
  ['new Date().getTime() < 0', 'new Date()'],
  ['new D().getTime() < 0', 'new Date()', 'class D extends Date {}'],
  ["Date() === ''", 'Date()'],
  ["f.format() === ''", 'format()', "const f = new Intl.DateTimeFormat('en');"],
  ['now() < 0', 'performance.now()', 'const now = performance.now.bind(performance);'],
  ['h.now() < 0', 'performance.now()', "import { performance as h } from 'node:perf_hooks';"],
  ['process.hrtime.bigint() < 0n', 'process.hrtime.bigint()'],
  ['process.pid < 0', 'process.pid'],
  ["e['X'] === '1'", 'process.env', 'const e = process.env;'],
  ["e['X'] === '1'", 'process.env', "import { env as e } from 'node:process';"],
  ["crypto.randomUUID() === ''", 'crypto.randomUUID()'],
  ['c(1)[0] > 255', 'crypto.randomBytes()', "import { randomBytes as c } from 'node:crypto';"],
  ['!setTimeout(() => {}, 1)', 'setTimeout()'],
  ["existsSync('/')", 'fs.existsSync()', "import { existsSync } from 'node:fs';"],
  ["f.existsSync('/')", 'fs.existsSync()', "const f = process.getBuiltinModule('node:fs');"],
  ["hostname() === ''", 'os.hostname()', "import { hostname } from 'node:os';"],
];

/** Right programs. */
const PURE: readonly (readonly [condition: string, top?: string])[] = [
  ['new Date(0).getTime() !== 0 || !(new Date(0) instanceof Date)'],
  ['seed > 1 || at.getTime() < 0', 'const seed = Math.random(), at = new Date();'],
  ['size < 0', "import { statSync } from 'node:fs';\nconst { size } = statSync('/');"],
  ["new E().name !== 'E'", "class E extends Error { name = 'E'; }"],
  ["String(o) !== 'x'", "const o: any = {};\no.toString = () => 'x';\no.constructor = 3;"],
  ["(console.log('a line'), join('a', 'b') === '')", "import { join } from 'node:path';"],
  ["structuredClone([1])[0] !== 1 || new URL('http://a/b').pathname !== '/b'"],
];

function check(t: TestContext, files: Readonly<Record<string, string>>, node: string[] = []) {
  const cwd = folder(t, files);
  const argv = [...node, BIN, 'check', ...Object.keys(files)];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const named = (cases: readonly (readonly [string, ...unknown[]])[], text: (at: number) => string) =>
  Object.fromEntries(cases.map((_, at) => [`k${at}.ts`, text(at)]));

test('a role that asks the world outside is exit 2, with the name and the place', (t) => {
  const files = named(IMPURE, (at) => program(IMPURE[at]![0], IMPURE[at]![2]));
  const { status, stderr, stdout } = check(t, files);
  assert.equal(status, 2);
  assert.doesNotMatch(stdout, /certified/);
  for (const [at, [condition, name]] of IMPURE.entries()) {
    const lines = stderr.split('\n').filter((line) => line.startsWith(`poundlock: k${at}.ts:`));
    assert.equal(lines.length, 1, `${condition}: ${stderr}`);
    assert.match(lines[0]!, /\.ts:\d+:\d+: /, condition);
    assert.ok(lines[0]!.includes(`: ${name} asks the world outside`), `${condition}: ${lines[0]}`);
  }
});

test('the kernel function and the default of a parameter are refused, too', (t) => {
  const head = "import { compute, kernel, role } from 'poundlock';\nexport default kernel('k', ";
  const { status, stderr } = check(t, {
    'kernel.ts':
      `${head}{}, () => {\n  const n = Math.random();\n` +
      "  return [role('r', function* () { yield* compute(n); })];\n});\n",
    'default.ts':
      `${head}{ n: () => Math.floor(Math.random()) }, ({ n }) => [\n` +
      "  role('r', function* () { yield* compute(1 + n); }),\n]);\n",
  });
  assert.equal(status, 2);
  assert.match(stderr, /kernel\.ts:3:\d+: Math\.random\(\)/);
  assert.match(stderr, /default\.ts:2:\d+: Math\.random\(\)/);
});

test('pure functions, and what the module has computed, are certified', (t) => {
  const files = named(PURE, (at) => program(PURE[at]![0], PURE[at]![1]));
  const { status, stdout, stderr } = check(t, files);
  assert.equal(status, 0, stdout + stderr);
  assert.equal(stdout.match(/^k\d+\.ts +certified/gm)?.length, PURE.length, stdout);
});

test('the work of a run reads and writes files, and its roles are refused', (t) => {
  const cwd = folder(t, {
    'writes.ts': program(
      'false',
      "import { writeFileSync } from 'node:fs';\nconst work = () => writeFileSync('out', '1');",
    ).replace('compute(1)', 'compute(1, work)'),
    'asks.ts': program('Math.random() > 2'),
  });
  const run = (file: string) => {
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'run', file], {
      cwd,
      encoding: 'utf8',
    });
    return { status, stderr };
  };
  assert.deepEqual(run('writes.ts'), { status: 0, stderr: '' });
  assert.equal(readFileSync(join(cwd, 'out'), 'utf8'), '1');
  const outside = run('asks.ts');
  assert.equal(outside.status, 2);
  assert.ok(outside.stderr.includes('Math.random() asks the world outside'));
});

/** What a module does to the built-in objects. */
const PATCHES = [
  'Array.prototype.includes = () => true;',
  'Array.prototype.map = function () { return []; } as never;\nObject.freeze = (o: any) => o;',
  'Map.prototype.get = () => undefined as never;',
  'Object.defineProperty(Array.prototype, Symbol.iterator, { value: function* () {} });',
  'globalThis.Map = class extends Map { override get() { return undefined; } } as never;',
  'Object.getPrototypeOf(function* () {}).prototype.next = () => ({ done: true });',
  'Int32Array.prototype.fill = function () { return this; } as never;',
  'JSON.stringify = () => "";',
  'Object.prototype.toString = () => "";',
  'delete (Set.prototype as any).has;',
  'Error.prepareStackTrace = () => 1;\nError.stackTraceLimit = 0;\nObject.freeze(Error);',
];

test('what a module does to built-in objects decides about its own file alone', (t) => {
  const stuck = (patch: string) => program('true', patch);
  const files = named(
    PATCHES.map((patch) => [patch]),
    (at) => stuck(PATCHES[at]!),
  );
  const { status, stdout, stderr } = check(t, { ...files, 'x-good.ts': program('false') });
  assert.ok(status === 1 || status === 2, `exit ${status}: ${stdout}${stderr}`);
  assert.equal(stdout.match(/^\S+\.ts +certified/gm)?.length, 1, stdout + stderr);
  assert.doesNotMatch(stdout + stderr, /internal error/);
});

/** Ways out of a process that may only read. */
const WAYS_OUT = [
  "import 'node:sqlite';",
  "await import('node:sqlite');",
  'await new Function(\'return import("node:sqlite")\')();',
  'await import(\'data:text/javascript,import "node:sqlite"\');',
  "import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('node:sqlite');",
  "process.getBuiltinModule('node:sqlite');",
  'process.kill(1, 0);',
  '(process as any)._kill(1, 0);',
  'process.abort();',
  "(process as any).binding('fs');",
  'Reflect.apply(process.kill, process, [1, 0]);',
  "import { kill } from 'node:process';\nkill(1, 0);",
  "await fetch('http://127.0.0.1:1/').catch(() => 0);",
];

test('a process that may only read refuses modules and calls that reach outside', (t) => {
  const files = named(
    WAYS_OUT.map((way) => [way]),
    (at) => program('false', WAYS_OUT[at]),
  );
  const readable = ['--permission', '--allow-fs-read=*'];
  const { status, stdout, stderr } = check(
    t,
    { ...files, 'x-good.ts': program('false') },
    readable,
  );
  assert.equal(status, 2);
  assert.equal(stdout.match(/^\S+\.ts +certified/gm)?.length, 1, stdout + stderr);
  for (const [at, way] of WAYS_OUT.entries())
    assert.match(stderr, new RegExp(`^poundlock: k${at}\\.ts:[\\d:]* (?:may not|calls)`, 'm'), way);
});
