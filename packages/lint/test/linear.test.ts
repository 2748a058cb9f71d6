// Obligations that only types state: every labeled error is reported, and right programs are clean.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '#src/index';
import { lintFiles } from './programs.ts';

const CASES = join(import.meta.dirname, 'cases', 'linear');

/** Labeled errors that lint does not report yet; this list only gets shorter. */
const UNREPORTED = [
  'h05-types.ts:63 leak',
  'h05-types.ts:76 leak',
  'h06-inherited.ts:58 leak',
  'l09-fields.ts:29 leak',
];

const KINDS: readonly (readonly [rule: RegExp, kind: string])[] = [
  [/leak|discard/, 'leak'],
  [/double/, 'late'],
  [/after/, 'late'],
  [/escap/, 'escape'],
  [/order/, 'order'],
];

function kindOf(rule: string): string {
  const kind = rule === 'late' ? rule : KINDS.find(([pattern]) => pattern.test(rule))?.[1];
  return kind ?? rule;
}

interface Label {
  readonly line: number;
  readonly kind: string;
}

/** The function that each line is in, by number. */
function functionsOf(lines: readonly string[]): number[] {
  let count = 0;
  const start = /^(export )?(default )?(async )?(function|class|const|let)/;
  return lines.map((line) => (start.test(line) ? ++count : count));
}

function casesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^[glh]\d\d-.*\.ts$/.test(name))
    .map((name) => join(folder, name));
}

/** Compares the findings of a file with its labels; those of the sound tier are no errors here. */
function compared(file: string, found: readonly Label[]): { missed: string[]; extra: string[] } {
  const name = basename(file);
  const lines = readFileSync(file, 'utf8').split('\n');
  const inside = functionsOf(lines);
  const functionAt = (line: number): number => inside[line - 1] ?? 0;
  const wrong = new Set<number>();
  const left = [...found];
  const missed = lines.flatMap((text, index) => {
    const label = /\/\/ WRONG (\w+)( sound)?/.exec(text);
    if (label === null) return [];
    const line = index + 1;
    wrong.add(functionAt(line));
    if (label[2] !== undefined) return [];
    const kind = kindOf(label[1] ?? '');
    const isIt = (one: Label): boolean =>
      one.kind === kind && functionAt(one.line) === functionAt(line);
    const at = left.findIndex((one) => isIt(one) && one.line === line);
    const hit = at >= 0 ? at : left.findIndex(isIt);
    if (hit < 0) return [`${name}:${line} ${label[1]}`];
    left.splice(hit, 1);
    return [];
  });
  const extra = left.filter(({ line }) => !wrong.has(functionAt(line)));
  return { missed, extra: extra.map(({ line, kind }) => `${name}:${line} ${kind}`) };
}

for (const backend of ['seven', 'six'] as const) {
  test(`types state obligations, by TypeScript ${backend}`, () => {
    const missed: string[] = [];
    const extra: string[] = [];
    for (const folder of [CASES, join(CASES, 'thirdparty')]) {
      const files = casesIn(folder);
      assert.notEqual(files.length, 0);
      const isOverlaid = folder.endsWith('thirdparty');
      const config = isOverlaid ? readConfig(join(folder, 'poundlock.config.js')) : {};
      const findings = lintFiles(files, config, backend);
      for (const file of files) {
        const found = findings
          .filter(({ primary, severity }) => primary.file === file && severity !== 'note')
          .map(({ rule, primary }) => ({ line: primary.line, kind: kindOf(rule) }));
        const result = compared(file, found);
        missed.push(...result.missed);
        extra.push(...result.extra);
      }
    }
    assert.deepEqual(missed, UNREPORTED);
    assert.deepEqual(extra, []);
  });
}
