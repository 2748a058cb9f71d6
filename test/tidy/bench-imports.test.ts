// Benchmarks and scripts are JavaScript: what they import of the packages must be exported there.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..', '..');
const STATIC = /import\s*\{([^}]*)\}\s*from\s*'((?:[^']*packages|@poundlock)\/[^']*)'/g;
const DYNAMIC = /\{([^}=;]*)\}\s*=\s*await import\(\s*'((?:[^']*packages|@poundlock)\/[^']*)'/g;
/** What is compiled, and the source of it. */
const COMPILED = /packages\/([\w-]+)\/dist\/(?:ring\/src\/)?(.*)\.js$/;

interface Import {
  readonly file: string;
  readonly names: readonly string[];
  readonly source: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(STATIC), ...text.matchAll(DYNAMIC)].map(([, names = '', path = '']) => ({
    file,
    names: names
      .split(',')
      .map((name) => name.trim().split(/\s+as\s+|\s*:\s*/)[0]!)
      .filter((name) => name !== '' && !name.startsWith('type ')),
    source: path.startsWith('@')
      ? import.meta.resolve(path)
      : join(ROOT, dirname(file), path).replace(COMPILED, 'packages/$1/src/$2.ts'),
  }));
}

const FILES = globSync('{bench,scripts}/**/*.{mjs,ts}', { cwd: ROOT }).sort();

test('every name that a benchmark or script imports is exported', async () => {
  const imports = FILES.flatMap(importsOf);
  assert.ok(imports.length > 20, `${imports.length} imports`);
  const missing: string[] = [];
  for (const { file, names, source } of imports) {
    const module = (await import(
      source.startsWith('file:') ? source : pathToFileURL(source).href
    )) as object;
    for (const name of names) if (!(name in module)) missing.push(`${file}: ${name} of ${source}`);
  }
  assert.deepEqual(missing, []);
});
