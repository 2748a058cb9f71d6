// floating-op: every place where the value of a call is lost, and places where it is not.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lintFiles } from './programs.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..', '..');
const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-lint-floating-'));
mkdirSync(join(FOLDER, 'node_modules'));
symlinkSync(
  join(REPOSITORY, 'packages/poundlock'),
  join(FOLDER, 'node_modules', 'poundlock'),
  'junction',
);
after(() => rmSync(FOLDER, { recursive: true, force: true }));

const HEAD = `import { barrier, count, kernel, pipeline, role, tryWait, wait } from 'poundlock';
export default kernel('floating', { way: 1 }, ({ way }) => {
  const bar = barrier('bar');
  const items = count(2);
  const ab = pipeline('ab', { stages: 2 });
  function* twice() { yield* wait(bar, 0); yield* wait(bar, 0); }
  return [role('use', function* () {
`;
const LOST = [
  'wait(bar, 0);',
  'ab.drain();',
  'twice();',
  'void wait(bar, 0);',
  'way === 1 && wait(bar, 0);',
  'way === 1 ? wait(bar, 0) : undefined;',
  'if (tryWait(bar, 0)) yield* wait(bar, 0);',
  'if (!tryWait(bar, 0)) yield* wait(bar, 0);',
  'while (items.more()) yield* wait(bar, 0);',
  'yield* wait(bar, tryWait(bar, 0) ? 1 : 0);',
];
const PERFORMED = [
  'yield* wait(bar, 0);',
  'const later = wait(bar, 0); yield* later;',
  'if (yield* tryWait(bar, 0)) yield* wait(bar, 0);',
  'while (yield* items.more()) yield* twice();',
  'yield* way === 1 ? wait(bar, 0) : wait(bar, 1);',
  'for (const each of [wait(bar, 0), wait(bar, 1)]) yield* each;',
];

const findings = (name: string, lines: readonly string[]): [line: number, rule: string][] => {
  const file = join(FOLDER, `${name}.ts`);
  writeFileSync(file, `${HEAD}${lines.join('\n')}\n})];\n});\n`);
  return lintFiles([file]).map(({ rule, primary }) => [primary.line, rule]);
};

test('every operation whose value is lost is found on its line', () => {
  const first = HEAD.split('\n').length;
  const expected = LOST.map((_, at) => [first + at, 'floating-op']);
  assert.deepEqual(findings('lost', LOST), expected);
});

test('operations that are performed, now or later, are not', () => {
  assert.deepEqual(findings('performed', PERFORMED), []);
});
