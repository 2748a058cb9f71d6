// tier: deep
// Fuzzing with mutated sources: lint terminates in time for any text.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import config from './cases/poundlock.config.ts';
import { mutated, someMutations } from './mutation.ts';
import { lintFiles } from './programs.ts';
import { caseFiles } from './score.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-lint-fuzz-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

const HERE = import.meta.dirname;
const TEXTS = [...caseFiles(join(HERE, 'cases')), ...caseFiles(join(HERE, 'idioms'))].map((file) =>
  readFileSync(file, 'utf8'),
);
const PRELUDE = readFileSync(join(HERE, 'cases', 'prelude.d.ts'), 'utf8');

/** A short file takes milliseconds; a minute for dozens of them is a hang. */
const MAX_MS = 60_000;
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 24);
const FILES = 12;

test('lint terminates for any text', (t) => {
  const seed = process.env['FUZZ_SEED'] === 'random' ? Date.now() : 20_261_120;
  t.diagnostic(`seed ${seed}`);
  const source = fc
    .tuple(fc.nat(TEXTS.length - 1), someMutations)
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
