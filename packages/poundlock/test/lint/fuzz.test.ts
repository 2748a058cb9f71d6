// Mutated sources: whatever the text is, `lint` answers, and answers in time.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import config from './cases/poundlock.config.ts';
import { lintFiles } from './programs.ts';
import { caseFiles } from './score.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-lint-fuzz-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

const HERE = import.meta.dirname;
const TEXTS = [...caseFiles(join(HERE, 'cases')), ...caseFiles(join(HERE, 'idioms'))].map((file) =>
  readFileSync(file, 'utf8'),
);
const PRELUDE = readFileSync(join(HERE, 'cases', 'prelude.d.ts'), 'utf8');

/** Words and signs, and the space between them. */
function tokensOf(text: string): string[] {
  return text.match(/\s+|[\w$]+|[^\w\s$]/g) ?? [];
}

type Mutation = readonly [kind: number, at: number, other: number];

function mutated(text: string, mutations: readonly Mutation[]): string {
  const tokens = tokensOf(text);
  for (const [kind, at, other] of mutations) {
    const one = at % tokens.length;
    const two = other % tokens.length;
    if (kind === 0) tokens.splice(one, 1);
    else if (kind === 1) tokens.splice(one, 0, tokens[two]!);
    else if (kind === 2) [tokens[one], tokens[two]] = [tokens[two]!, tokens[one]!];
    else tokens.splice(one, Math.min(40, tokens.length - one), ...tokens.slice(two, two + 40));
  }
  return tokens.join('');
}

/** A file of a few lines is over in milliseconds; a minute for dozens of them is a hang. */
const MAX_MS = 60_000;
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 24);
const FILES = 12;

test('lint answers for any text', (t) => {
  const seed = process.env['FUZZ_SEED'] === 'random' ? Date.now() : 20_261_120;
  t.diagnostic(`seed ${seed}`);
  const mutation = fc.tuple(fc.nat(3), fc.nat(5000), fc.nat(5000));
  const source = fc
    .tuple(fc.nat(TEXTS.length - 1), fc.array(mutation, { minLength: 1, maxLength: 6 }))
    .map(([index, mutations]) => mutated(TEXTS[index]!, mutations));
  const extension = fc.constantFrom('ts', 'tsx', 'js', 'mts');
  const file = fc.tuple(source, extension);
  writeFileSync(join(FOLDER, 'prelude.d.ts'), PRELUDE);
  writeFileSync(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { allowJs: true } }),
  );
  fc.assert(
    fc.property(fc.array(file, { minLength: FILES, maxLength: FILES }), (texts) => {
      const files = texts.map(([text, end], index) => {
        const path = join(FOLDER, `case-${index}.${end}`);
        writeFileSync(path, text);
        return path;
      });
      const start = performance.now();
      const findings = lintFiles(files, { ...config.lint, strict: true });
      assert.ok(performance.now() - start < MAX_MS);
      for (const { primary, message } of findings) {
        assert.ok(primary.line >= 1 && primary.column >= 1);
        assert.ok(!message.includes('undefined'), message);
      }
    }),
    { seed, numRuns: RUNS },
  );
});
