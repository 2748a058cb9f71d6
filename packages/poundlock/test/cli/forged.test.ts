// Values with the mark of a kernel that kernel() did not make: one line and exit 2, in every verb.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { barrier, kernel, role, wait } from 'poundlock';
import { folder, poundlock } from './fake-host.ts';

const VERBS = { check: [], simulate: [], advise: [], run: [], export: ['--format', 'dot'] };
const MARK = Symbol.for('poundlock.kernel');

suite('a value with the mark of a kernel that kernel() did not make', () => {
  const forged = {
    'a name alone': '{ name: "x", [Symbol.for("poundlock.kernel")]: true }',
    nothing: '{ [Symbol.for("poundlock.kernel")]: true }',
    'a getter that throws':
      '{ [Symbol.for("poundlock.kernel")]: true, get name() { throw new Error("no"); } }',
    'a proxy': 'new Proxy({}, { has: () => true, get: () => { throw null; } })',
  };
  for (const [what, value] of Object.entries(forged)) {
    test(what, async (t) => {
      const cwd = folder(t, { 'forged.mjs': `export default ${value};\n` });
      for (const [verb, more] of Object.entries(VERBS)) {
        const { code, stderr } = await poundlock(cwd, [verb, 'forged.mjs', ...more]);
        assert.match(stderr, /^poundlock: forged\.mjs: its default export [^\n]*kernel[^\n]*\n$/);
        assert.equal(code, 2);
      }
    });
  }
});

/** Functions that a forged kernel can have in any place. */
const functions: fc.Arbitrary<unknown> = fc.anything().chain((result) =>
  fc.constantFrom<unknown>(
    () => result,
    () => [result],
    function* () {
      yield result;
    },
    () => {
      throw result;
    },
    () => [role('a', function* () {})],
    () => {
      const full = barrier('full');
      return [
        role('a', function* () {
          yield* wait(full, 0);
        }),
      ];
    },
  ),
);
const garbage = fc.oneof(fc.anything(), functions);
const REAL: Readonly<Record<string, unknown>> = {
  ...kernel('real', { n: 2 }, ({ n }) =>
    Array.from({ length: n }, (_, at) => role(`r${at}`, idle)),
  ),
};
function* idle(): Generator<never> {}
const ABSENT = Symbol('absent');

/** An object with the mark: each field of a kernel is real, absent or garbage. */
const forgedValue = fc
  .tuple(
    ...Object.values(REAL).map((value) =>
      fc.oneof(
        { weight: 5, arbitrary: fc.constant(value) },
        { weight: 1, arbitrary: fc.constant(ABSENT) },
        { weight: 2, arbitrary: garbage },
      ),
    ),
  )
  .map((values) => {
    const fields = Object.keys(REAL).map((name, at) => [name, values[at]] as const);
    return { [MARK]: true, ...Object.fromEntries(fields.filter(([, one]) => one !== ABSENT)) };
  });

test('whatever a forged kernel has in it, every verb ends, with one line if it fails', async (t) => {
  const values: unknown[] = ((globalThis as { forged?: unknown[] }).forged = []);
  t.after(() => void delete (globalThis as { forged?: unknown[] }).forged);
  const cwd = folder(t);
  const codes: Record<number, number> = {};
  // Threads import a module again, where there is no such value.
  const verbs = Object.entries(VERBS).filter(([verb]) => verb !== 'run');
  await fc.assert(
    fc.asyncProperty(forgedValue, async (value) => {
      const file = `forged${values.push(value)}.mjs`;
      const text = `export default globalThis.forged[${values.length - 1}];\n`;
      writeFileSync(join(cwd, file), text);
      for (const [verb, more] of verbs) {
        const { code, stderr } = await poundlock(cwd, [verb, file, ...more]);
        codes[code] = (codes[code] ?? 0) + 1;
        assert.doesNotMatch(stderr, /internal error/, verb);
        if (code === 2) assert.match(stderr, /^poundlock: [^\n]*\n$/, verb);
      }
    }),
    { seed: 20_261_122, numRuns: 300 },
  );
  t.diagnostic(JSON.stringify(codes));
  assert.ok(codes[0]! > 0 && codes[2]! > 0);
});

test('run refuses whatever has the mark and lacks a part', async (t) => {
  const cwd = folder(t);
  for (const name of Object.keys(REAL).filter((one) => one !== 'position')) {
    const text =
      "import { kernel, role } from 'poundlock';\n" +
      "const { ...value } = kernel('real', {}, () => [role('a', function* () {})]);\n" +
      `value[${JSON.stringify(name)}] = null;\nexport default value;\n`;
    writeFileSync(join(cwd, `${name}.mjs`), text);
    const { code, stderr } = await poundlock(cwd, ['run', `${name}.mjs`]);
    assert.match(stderr, /^poundlock: \w+\.mjs: its default export [^\n]*kernel[^\n]*\n$/, name);
    assert.equal(code, 2, name);
  }
});
