// tier: deep
// What the code of a kernel does to the process: it cannot end it, block it, or speak for it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { folder } from './fake-host.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'poundlock.js');
/** Far above what any of these takes: only the code and the message are asserted. */
const PATIENCE_MS = 120_000;

const module = (role: string, top = '', build = '') =>
  `import { arrive, barrier, compute, kernel, role, wait } from 'poundlock';\n${top}\n` +
  `export default kernel('bad', {}, () => { ${build}\n` +
  `  return [role('a', function* () { ${role} })]; });\n`;

const GOOD =
  "import { arrive, barrier, kernel, role, wait } from 'poundlock';\n" +
  "export default kernel('good', {}, () => { const b = barrier('b'); return [\n" +
  "  role('p', function* () { arrive(b); }), role('c', function* () { yield* wait(b, 0); })]; });\n";
const STUCK = module('yield* wait(b, 0);', '', "const b = barrier('b');");

function run(t: TestContext, files: Readonly<Record<string, string>>, ...argv: string[]) {
  const cwd = folder(t, { 'good.ts': GOOD, ...files });
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...argv], {
    cwd,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  });
  return { code: status, stdout, stderr };
}

/** Modules that must not have their way: text, and what is said of it in one line. */
const ENDING: Readonly<Record<string, readonly [string, RegExp]>> = {
  'process.exit in a module': [module('', 'process.exit(0);'), /:2:\d+: calls process\.exit\(\): /],
  'process.exit in a role': [module('process.exit(1);'), /:4:\d+: calls process\.exit\(\): /],
  'process.exit in the callback': [
    module('', '', 'process.exit(0);'),
    /:3:\d+: calls process\.exit/,
  ],
  'process.exit in a try': [
    module('try { process.exit(0); } catch {}'),
    /:4:\d+: calls process\.exit\(\): /,
  ],
  'exit imported by name': [
    module('', "import { exit } from 'node:process'; exit(0);"),
    /:2:\d+: calls process\.(?:exit|reallyExit)\(\): /,
  ],
  'process.reallyExit': [module('process.reallyExit(0);'), /calls process\.reallyExit\(\): /],
  'process.abort': [module('process.abort();'), /calls process\.abort\(\): /],
  'a signal to itself': [
    module('', "process.kill(process.pid, 'SIGKILL');"),
    /calls process\.kill/,
  ],
  'throwing null': [module('throw null;'), /role a threw: null/],
  'throwing null in a module': [module('', 'throw null;'), /throws null while it is loaded/],
  'a rejection': [module('', "Promise.reject(new Error('late'));"), /:2:\d+: throws late/],
  'a microtask that throws': [
    module("queueMicrotask(() => { throw new Error('micro'); });"),
    /:4:\d+: throws micro/,
  ],
  'a module that never loads': [
    module('', 'await new Promise(() => {});'),
    /never finishes loading/,
  ],
};

test('what would end the process is exit 2, one line, and other files are reported', (t) => {
  const files = Object.values(ENDING).map(([text], at) => [`bad${at}.ts`, text] as const);
  const names = files.map(([name]) => name);
  const found = run(t, Object.fromEntries(files), 'check', ...names, 'good.ts');
  const lines = found.stderr.trimEnd().split('\n');
  for (const [at, [what, [, message]]] of Object.entries(ENDING).entries()) {
    const own = lines.filter((line) => line.startsWith(`poundlock: bad${at}.ts`));
    assert.equal(own.length, 1, what);
    assert.match(own[0]!, message, what);
  }
  assert.equal(lines.length, names.length);
  assert.match(found.stdout, /^certified {2}good: /m);
  assert.equal(found.code, 2);
});

test('a file alone that would end the process is exit 2', (t) => {
  for (const what of ['process.exit in a role', 'a module that never loads'] as const) {
    const { code, stderr } = run(t, { 'bad.ts': ENDING[what]![0] }, 'check', 'bad.ts');
    assert.match(stderr, /^poundlock: bad\.ts[^\n]*\n$/);
    assert.equal(code, 2, what);
  }
});

suite('the exit code is that of the verdict', () => {
  const setters = {
    'an exit handler': "process.on('exit', () => { process.exitCode = 0; });",
    'a handler that throws': "process.on('exit', () => { throw new Error('x'); });",
    'a timer': 'setInterval(() => { process.exitCode = 0; }, 1);',
    'the module': 'process.exitCode = 0;',
  };
  for (const [what, top] of Object.entries(setters)) {
    test(what, (t) => {
      const text = module('yield* wait(b, 0);', top, "const b = barrier('b');");
      const { code, stdout } = run(t, { 'bad.ts': text }, 'check', 'bad.ts');
      assert.match(stdout, /counterexample {2}bad: deadlock/);
      assert.equal(code, 1);
    });
  }
});

const SPINS = {
  'in a role': [module('for (;;);'), /:4:\d+ was running: an infinite loop/],
  'in the callback': [module('', '', 'for (;;);'), /:3:\d+ was running: an infinite/],
  'in a generator that yields nothing': [
    module('function* none() { for (;;) if (compute === null) yield; } for (const x of none());'),
    /:4:\d+ was running: an infinite loop/,
  ],
  'in a getter': [
    module('const o = { get x() { for (;;); } }; return o.x;'),
    /:4:\d+ was running: an infinite loop/,
  ],
  'in a module': [module('', 'while (BigInt(1));'), /:2:\d+ was running: an infinite/],
} as const;

test('code that does not return is stopped with its line, and other files are reported', (t) => {
  const files = Object.values(SPINS).map(([text], at) => [`bad${at}.ts`, text] as const);
  const names = files.map(([name]) => name);
  const argv = ['check', ...names, 'good.ts', '--timeout', '300ms'];
  const found = run(t, Object.fromEntries(files), ...argv);
  const lines = `${found.stdout}${found.stderr}`.split('\n');
  for (const [at, [where, [, message]]] of Object.entries(SPINS).entries()) {
    const own = lines.filter((line) => message.test(line) && line.includes(`bad${at}.ts`));
    assert.equal(own.length, 1, where);
  }
  assert.match(found.stdout, /^certified {2}good: /m);
  // The time is a bound, also while a module is loaded.
  assert.equal(found.code, 3);
});

test('a role that does not return is inconclusive', (t) => {
  const { code } = run(
    t,
    { 'bad.ts': SPINS['in a role'][0] },
    'check',
    'bad.ts',
    '--timeout',
    '1s',
  );
  assert.equal(code, 3);
});

suite('what a kernel prints is no part of the report', () => {
  const prints = {
    'console.log': "console.log('printed');",
    'a method taken before': "const { info } = console; info('printed');",
    'console.table': "console.table(['printed']);",
    'console.dir': "console.dir('printed');",
    'process.stdout': "process.stdout.write('printed\\n');",
    'a console of its own': "new console.Console(process.stdout).log('printed');",
  };
  test('in one document', (t) => {
    const files = Object.values(prints).map(
      (text, at) => [`bad${at}.ts`, module(text, text)] as const,
    );
    const argv = ['check', ...files.map(([name]) => name), '--json'];
    const { code, stdout, stderr } = run(t, Object.fromEntries(files), ...argv);
    assert.equal((JSON.parse(stdout) as { schema: string }).schema, 'poundlock/report@1');
    assert.ok(stderr.split('printed').length > files.length * 2);
    assert.equal(code, 0);
  });
});

suite('outputs', { skip: process.platform === 'win32' && 'there are no such devices' }, () => {
  const shell = (t: TestContext, command: string) => {
    const cwd = folder(t, { 'stuck.ts': STUCK });
    const options = { cwd, encoding: 'utf8', timeout: PATIENCE_MS } as const;
    const line = command.replace('poundlock', `"${process.execPath}" "${BIN}"`);
    const { status, stdout, stderr } = spawnSync('bash', ['-c', line], options);
    return { code: status, stdout, stderr };
  };

  test('a reader that goes away leaves the exit code of the verdict', (t) => {
    const { code, stderr } = shell(
      t,
      'poundlock check stuck.ts | head -n 1; exit ${PIPESTATUS[0]}',
    );
    assert.equal(stderr, '');
    assert.equal(code, 1);
  });

  test('a full disk is one line, exit 2', (t) => {
    const { code, stderr } = shell(t, 'poundlock check stuck.ts > /dev/full');
    assert.equal(stderr, 'poundlock: cannot write the output: the disk is full\n');
    assert.equal(code, 2);
  });

  test('a device stays a device', (t) => {
    const { code, stderr } = shell(t, 'poundlock check stuck.ts --reporter json=/dev/full');
    assert.equal(stderr, 'poundlock: cannot write /dev/full: the disk is full\n');
    assert.equal(code, 2);
    assert.equal(shell(t, 'poundlock check stuck.ts --reporter json=/dev/null').code, 1);
    assert.equal(shell(t, 'test -c /dev/null && test -c /dev/full').code, 0);
  });

  test('a pipe is written, a link is followed', (t) => {
    const pipe = 'mkfifo p; cat p & poundlock check stuck.ts --reporter json=p; wait; test -p p';
    assert.match(shell(t, pipe).stdout, /"schema": "poundlock\/report@1"/);
    const link = 'ln -s real l; poundlock check stuck.ts --reporter json=l; test -L l && cat real';
    assert.match(shell(t, link).stdout, /"schema": "poundlock\/report@1"/);
  });
});
