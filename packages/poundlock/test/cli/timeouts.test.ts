// tier: deep
// --timeout of every verb: whatever runs on, a role or an engine, the process ends soon after.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { folder } from './fake-host.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'poundlock.js');
/** What a process takes beyond the time-out on a machine that does much else. */
const PATIENCE_MS = 120_000;

const kernelOf = (role: string, build = '') =>
  "import { barrier, choose, compute, end, fetchAdd, cell, kernel, loop, role } from 'poundlock';\n" +
  `export default kernel('late', {}, () => { ${build}\n` +
  `  return [role('a', function* () {\n    ${role} })]; });\n`;

/** Kernels that run on, each in another place, and what verbs say of them. */
const FILES = {
  'role.ts': kernelOf('for (;;);'),
  'build.ts': kernelOf('', 'for (;;);'),
  'poll.ts': kernelOf('for (;;) yield* compute(1);'),
  'grow.ts': kernelOf('yield* loop(0, function* (i) { yield* compute(1); return i + 1; });'),
  'many.ts': kernelOf('for (;;) yield* fetchAdd(c, yield* choose(9));', "const c = cell('c');"),
};

/** Where `build.ts` runs on. */
const LINE = /build\.ts:2:\d+/;
const VERBS = { check: [], simulate: [], advise: [], run: [], export: ['--format', 'dot'] };

async function ends(cwd: string, argv: readonly string[]) {
  const process_ = spawn(process.execPath, [BIN, ...argv], { cwd, timeout: PATIENCE_MS });
  const [stdout, stderr, [code]] = await Promise.all([
    text(process_.stdout),
    text(process_.stderr),
    once(process_, 'close') as Promise<[number | null]>,
  ]);
  return { code, all: `${stdout}${stderr}` };
}

suite('every verb ends', { concurrency: 2 }, () => {
  for (const [verb, more] of Object.entries(VERBS)) {
    test(verb, async (t) => {
      const cwd = folder(t, FILES);
      const files = verb === 'check' ? Object.keys(FILES) : ['role.ts', 'build.ts', 'poll.ts'];
      for (const file of files) {
        const argv = [verb, file, ...more, '--timeout'];
        let { code, all } = await ends(cwd, [...argv, '400ms']);
        // A line is known once the code runs, which is later on a machine that does much else.
        if (file === 'build.ts' && !LINE.test(all))
          ({ code, all } = await ends(cwd, [...argv, '5s']));
        assert.ok(code === 2 || code === 3, `${argv.join(' ')} ended with ${code}: ${all}`);
        assert.doesNotMatch(all, /internal error/);
        if (code === 3) assert.match(all, /the bound |timeout/, argv.join(' '));
        if (file === 'build.ts') assert.match(all, LINE, argv.join(' '));
      }
    });
  }
});

test('a search without reduction ends, too', async (t) => {
  const cwd = folder(t, FILES);
  const argv = ['check', 'many.ts', '--engine', 'search', '--timeout', '1s'];
  const { code, all } = await ends(cwd, argv);
  assert.match(all, /inconclusive {2}late/);
  assert.equal(code, 3);
});
