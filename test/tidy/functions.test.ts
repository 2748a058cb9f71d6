// Functions are short and have few branches, in every source of the repository.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { test } from 'node:test';
import {
  functionFaults,
  functionSizes,
  MAX_COMPLEXITY,
  MAX_FUNCTION_LINES,
  MAX_ROW_LINES,
} from './functions.ts';

const ROOT = join(import.meta.dirname, '..', '..');
// What other tests write meanwhile is not among them.
const FOLDERS = '{packages,tools,scripts,bench}';
const SOURCES = globSync(`${FOLDERS}/**/*.{ts,tsx,mjs,js}`, {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/{dist,lib}/**', '**/test/**', '**/example-*/**'],
}).map((path) => path.split(sep).join('/'));

test('every function is short and has few branches', () => {
  assert.ok(SOURCES.length > 500, `${SOURCES.length} files`);
  assert.deepEqual(
    SOURCES.flatMap((path) => functionFaults(path, readFileSync(join(ROOT, path), 'utf8'))),
    [],
  );
});

const sizeOf = (text: string) => functionSizes('a.ts', text)[0]!;
const repeated = (line: string, count: number) => `${line}\n`.repeat(count);

test(`a function has at most ${MAX_FUNCTION_LINES} lines of code`, () => {
  const lines = (count: number) => `function f() {\n${repeated('x();', count - 2)}}\n`;
  assert.deepEqual(functionFaults('a.ts', lines(MAX_FUNCTION_LINES)), []);
  assert.deepEqual(functionFaults('a.ts', `// First.\n${lines(MAX_FUNCTION_LINES + 1)}`), [
    'a.ts:2 f has 61 lines, more than 60',
  ]);
  const withoutCode = '\n  // Why.\n  /** Why,\n   * and why.\n   */\n  /* Why. */\n';
  assert.equal(sizeOf(`function f() {\n${withoutCode}  x();\n}\n`).lines, 3);
});

test(`a function has a cyclomatic complexity of at most ${MAX_COMPLEXITY}`, () => {
  const branches = (count: number) => `const f = () => {\n${repeated('if (a) b();', count)}}\n`;
  assert.deepEqual(functionFaults('a.ts', branches(MAX_COMPLEXITY - 1)), []);
  assert.deepEqual(functionFaults('a.ts', branches(MAX_COMPLEXITY)), [
    'a.ts:1 f has a cyclomatic complexity of 21, more than 20',
  ]);
});

test('branches are counted as ESLint counts them', () => {
  const counted: readonly [code: string, branches: number][] = [
    ['if (a) b(); else if (c) d();', 2],
    ['for (;;) for (const a of b) for (const c in d) e();', 3],
    ['while (a) do b(); while (c);', 2],
    ['a = b ? c : d; a = b && c || d; a = b ?? c;', 4],
    ['a ??= b; a ||= b; a &&= b;', 3],
    ['a?.b; a?.[b]; a?.(b);', 3],
    ['try { a(); } catch { b(); }', 1],
    ['const { a = 1, b } = c;', 1],
    ['switch (a) { case b: case c: d(); default: e(); }', 2],
    ['const inner = () => (a ? b : c);', 0],
  ];
  for (const [code, branches] of counted) {
    assert.equal(sizeOf(`function f() { ${code} }`).complexity, 1 + branches, code);
  }
});

const CASES = `
    case Kind.a:
    case Kind.b: {
      const { x = 0 } = op;
      y();
      return x ?? 1;
    }
    case Kind.c:
      if (x) y();
      break;`;
const inFunction = (body: string, signature = 'f(op: Op)') => `function ${signature} {${body}\n}\n`;
const switched = (rest: string) => inFunction(`\n  switch (op.kind) {${CASES}\n${rest}\n  }`);

test('an exhaustive switch counts as a table: 1 for it, nothing for its short cases', () => {
  const accepted = [
    switched('    default:\n      return unreachable(op);'),
    switched('    default:\n      return unreachable(op.kind);'),
    switched('    default: neverPerformed(op.kind);'),
    switched('    default: return rare(op.kind);') + 'function rare(kind: A | B) {}',
    switched('    default: return rare(1, op);') + 'function rare(no: number, op: Rare) {}',
    inFunction(`\n  switch (kind) {${CASES}\n  }`, 'f(kind: Kind): number'),
    inFunction('\n  switch (kind) { case "a": return b ?? c; case "d": return 1; }', 'f(): string'),
  ];
  for (const text of accepted) {
    const { complexity, lines } = sizeOf(text);
    assert.deepEqual({ complexity, isShort: lines <= 4 }, { complexity: 2, isShort: true }, text);
  }
});

test('any other switch counts as branches', () => {
  const rejected = [
    // Nothing demands a case for a new value.
    switched(''),
    switched('    default:\n      return 0;'),
    switched('    default:'),
    switched('    default: return rare(op.kind);') + 'function rare(kind: string) {}',
    switched('    default: return rare(op.kind);') + 'function rare(kind: Rare | string) {}',
    switched('    default: return rare(op.kind);') + 'function rare(kind) {}',
    switched('    default: return imported(op.kind);'),
    switched('    default: return unreachable();'),
    inFunction(`\n  switch (kind) {${CASES}\n  }`, 'f(kind: Kind): void'),
    inFunction(`\n  switch (kind) {${CASES}\n  }`, 'f(kind: Kind): number | undefined'),
    inFunction(`\n  switch (kind) {${CASES}\n  }`, 'f(kind: Kind)'),
    inFunction(`\n  switch (kind) {${CASES}\n  }\n  return 0;`, 'f(kind: Kind): number'),
    // Not the values of a union.
    inFunction('switch (true) { case a > b: return 1; case c: return d ?? e; }', 'f(): number'),
    inFunction('switch (a()) { case 1: return b ?? c; case 2: return 1; }', 'f(): number'),
  ];
  for (const text of rejected) assert.ok(sizeOf(text).complexity > 2, text);
});

test(`a case of an exhaustive switch with more than ${MAX_ROW_LINES} lines is counted`, () => {
  const table = (count: number) =>
    inFunction(`
  switch (kind) {
    case 'a':
${repeated('      b ||= c;', count)}      break;
    default:
      unreachable(kind);
  }`);
  const short = sizeOf(table(MAX_ROW_LINES));
  assert.deepEqual([short.lines, short.complexity], [4, 2]);
  const long = sizeOf(table(MAX_ROW_LINES + 1));
  assert.deepEqual([long.lines, long.complexity], [10, 2 + 1 + MAX_ROW_LINES + 1]);
});
