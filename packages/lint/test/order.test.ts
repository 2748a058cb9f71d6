// The order in which files are given changes no finding.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lintFiles, type Backend } from './programs.ts';
import { caseFiles } from './score.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-order-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

/** Some orders of files: as they are, backwards, and rotated by a third. */
function ordersOf<T>(files: readonly T[]): T[][] {
  const third = Math.ceil(files.length / 3);
  return [[...files], files.toReversed(), [...files.slice(third), ...files.slice(0, third)]];
}

function foundIn(files: readonly string[], backend: Backend = 'seven'): string[] {
  return lintFiles(files, {}, backend).map(({ rule, severity, primary, labels }) => {
    const lines = labels.map(({ line }) => line).join();
    return `${primary.file}:${primary.line} ${severity} ${rule} ${lines}`;
  });
}

/** Classes and functions that hold each other's handles, a file each. */
const CYCLE = {
  'a.ts': `import { makeB, type B } from './b.ts';
export class A {
  #b: B | undefined;
  start(): void { this.#b = makeB(); }
  close(): void { this.#b?.close(); }
}
export function makeA(): A { const a = new A(); a.start(); return a; }
`,
  'b.ts': `import { makeA, type A } from './a.ts';
import { openSync, closeSync } from 'node:fs';
export class B {
  #fd: number | undefined;
  #a: A | undefined;
  start(): void { this.#fd = openSync('b', 'r'); }
  deepen(): void { this.#a = makeA(); }
  close(): void { if (this.#fd !== undefined) closeSync(this.#fd); this.#a?.close(); }
}
export function makeB(): B { const b = new B(); b.start(); return b; }
`,
  'c.ts': `import { makeA } from './a.ts';
import { makeB } from './b.ts';
export function lostA(isEarly: boolean): void { const a = makeA(); if (isEarly) return; a.close(); }
export function lostB(isEarly: boolean): void { const b = makeB(); if (isEarly) return; b.close(); }
`,
};

test('classes that hold each other, in every order of their files', () => {
  const files = Object.entries(CYCLE).map(([name, text]) => {
    const path = join(FOLDER, name);
    writeFileSync(path, text);
    return path;
  });
  const [a, b, c] = files as [string, string, string];
  const orders = [
    [a, b, c],
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ];
  const expected = foundIn(orders[0]!);
  assert.deepEqual(
    expected.map((each) => each.replace(/ .*/, '').slice(-6)),
    ['c.ts:3', 'c.ts:4'],
  );
  for (const order of orders.slice(1)) assert.deepEqual(foundIn(order), expected);
});

for (const [folder, backend] of [
  ['typed', 'seven'],
  ['real', 'seven'],
] as const) {
  test(`the shapes of real code, ${folder} by TypeScript ${backend}, in other orders`, () => {
    const [files, ...others] = ordersOf(caseFiles(join(import.meta.dirname, folder)));
    const expected = foundIn(files!, backend);
    assert.notEqual(expected.length, 0);
    for (const order of others) assert.deepEqual(foundIn(order, backend), expected);
  });
}
