// The calculus of `lint` knows no names, no text and no heuristics: a proof rests on rules alone.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSources } from './source.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'packages', 'lint', 'src', 'calculus');
const FILES = readSources(FOLDER);

/** What may not be in a file of the calculus. */
const FAULTS: readonly (readonly [string, RegExp])[] = [
  ['imports from another room', /from '(?!\.\/)[^']*'/],
  [
    'has a regular expression',
    /(?:^|[=(,:!&|?[]|return)\s*\/(?![/*])(?:[^/\\\n]|\\.)+\/[dgimsuvy]*[.,;)\s]/m,
  ],
  ['makes a regular expression', /\bRegExp\b/],
  ['reads the text of a file', /\.text\b/],
  ['compares with the name of a member', /\.name === '/],
  ['names a member of a library', /\bowner === '|\bmodule\b/],
];

function faultsIn(text: string): string[] {
  return FAULTS.filter(([, pattern]) => pattern.test(text)).map(([fault]) => fault);
}

test('no file of the calculus knows a name, a text or a heuristic', () => {
  assert.ok(FILES.length > 10, `${FILES.length} files`);
  const faults = FILES.flatMap(({ path, text }) =>
    faultsIn(text).map((fault) => `${path} ${fault}`),
  );
  assert.deepEqual(faults, []);
});

test('names, expressions and imports are faults, words of the rules are not', () => {
  assert.equal(faultsIn("import { looksUp } from '../obligations/vocabulary.ts';").length, 1);
  assert.equal(faultsIn("import { hook } from '#src/heuristics/lookup';").length, 1);
  assert.equal(faultsIn('if (/^close$/.test(name)) return;').length, 1);
  assert.equal(faultsIn("if (step.name === 'close') return;").length, 1);
  assert.equal(faultsIn('file.text.includes(word)').length, 1);
  assert.deepEqual(faultsIn("if (status === 'live') return a / b / c; // either/or"), []);
  assert.deepEqual(faultsIn("import { change } from './state.ts';"), []);
});
