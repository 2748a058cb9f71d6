// Sentences of findings are asserted in one room, `golden`, and by core's own tests of `system`.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { test } from 'node:test';
import { faultAt, source, type Fault, type Source } from './source.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Sources that write the sentences of findings. */
const EXPLAINING: readonly string[] = [
  'packages/core/src/system/explain/*.ts',
  'packages/poundlock/src/check/{leftovers,memory-findings,reference,shared-barrier}.ts',
  'packages/ptx/src/{lanes/practice,lower/renewed-barriers}.ts',
];

const TESTS = '{packages,tools,tools/editors}/*/test/**/*.ts';

/** Where they are asserted, and the tests of `lint`, which has sentences of its own. */
const IS_ROOM =
  /^packages\/(core\/test\/system\/|poundlock\/test\/golden\/|(lint|eslint-plugin)\/)/;

/** What asserts nothing: imports, comments, titles of tests, keys and reasons; and some code. */
const ASIDE =
  /^import [^;]*;|\/\*[^]*?\*\/|(?<![:\w])\/\/.*|\b(?:test|suite)\(\s*(['`]).*?\1,|^\s*'[^'\n]*':|\bwhy: '[^'\n]*'|\bconst\b/gm;

/** Four words in a row, or more: what is left of a sentence between its values. */
const WORDS = /[A-Za-z’-]+(?: [A-Za-z’-]+){3,}/g;

const read = (pattern: string): Source[] =>
  globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] }).map((path) =>
    source(path.split(sep).join('/'), readFileSync(join(ROOT, path), 'utf8')),
  );

const withoutAside = (text: string): string =>
  text.replace(ASIDE, (aside) => aside.replace(/[^\n]/g, '_'));

/** Of each part of a sentence all runs of five words, or its only four. */
function runsIn({ text }: Source): string[] {
  const joined = withoutAside(text).replaceAll(/['`] \+\n\s*['`]/g, '');
  return [...joined.matchAll(WORDS)].flatMap(([part]) => {
    const words = part.split(' ');
    const count = Math.max(1, words.length - 4);
    return Array.from({ length: count }, (_, at) => words.slice(at, at + 5).join(' '));
  });
}

function sentenceFaults(file: Source, runs: ReadonlySet<string>): Fault[] {
  return [...withoutAside(file.text).matchAll(WORDS)].flatMap(({ 0: part, index }) => {
    const words = part.split(' ');
    const isRun = (at: number): boolean =>
      [4, 5].some((count) => runs.has(words.slice(at, at + count).join(' ')));
    if (!words.some((_, at) => isRun(at))) return [];
    return [faultAt(file, index, `asserts a sentence: '${part}'; assert fields, or use golden`)];
  });
}

test('five words of a sentence, or its only four, are a fault in a test and not in its title', () => {
  const room = "`${who} waits for it forever: ` +\n  'no role comes to it again'";
  const runs = runsIn(source('room.ts', room));
  assert.deepEqual(runs.slice(0, 2), ['waits for it forever', 'no role comes to it']);
  const text =
    "test('a waits for it forever', () => {\n  assert.match(m, /a waits for it forever/);";
  const faults = sentenceFaults(source('a.test.ts', text), new Set(runs));
  assert.deepEqual(
    faults.map((fault) => fault.split(' ', 1)[0]),
    ['a.test.ts:2'],
  );
});

test('tests outside the golden room assert no sentence of a finding', () => {
  const rooms = EXPLAINING.map(read);
  for (const [at, files] of rooms.entries()) assert.ok(files.length > 0, EXPLAINING[at]);
  const runs = new Set(rooms.flat().flatMap(runsIn));
  const tests = read(TESTS).filter(({ path }) => !IS_ROOM.test(path));
  const faults = tests.flatMap((file) => sentenceFaults(file, runs));
  assert.deepEqual(faults, []);
});
