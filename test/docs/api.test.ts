// Every export of every subpath has a doc comment, and every example in these comments runs.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import type { Kernel } from 'poundlock';
import { check } from 'poundlock/check';
import { declarationsIn, moduleOf } from './api-examples.ts';
import type { Context, ExampleModule } from './api-examples.ts';
import { documentedOf, FACES, programOf, ROOT, ts, type Documented } from './public-api.ts';

const EXAMPLE_TIMEOUT_MS = 20_000;

/** What each subpath exports. */
const exported = ((): readonly Documented[] => {
  const program = programOf();
  return FACES.flatMap((face) => documentedOf(program, face));
})();

/** What the public API consists of; what several subpaths export counts once. */
const entries = ((): readonly Documented[] => {
  const byPlace = new Map<string, Documented>();
  for (const entry of exported) {
    const place = `${entry.at} ${entry.name}`;
    if (!byPlace.has(place)) byPlace.set(place, entry);
  }
  return [...byPlace.values()];
})();

const contexts: ReadonlyMap<string, Context> = new Map(
  FACES.map((each) => {
    const own = exported.filter(({ face, kind }) => face === each.name && kind !== 'member');
    const named = own.filter(({ kind }) => kind !== 'type').map(({ name }) => name.split('.')[0]!);
    const values = new Set(named);
    return [each.name, { values, declared: declarationsIn(each) }];
  }),
);

const examples: readonly ExampleModule[] = entries.flatMap((entry) => {
  return entry.examples.map((text) => moduleOf(entry, text, contexts));
});

// In the package that has TypeScript 6 and ESLint, from where `poundlock` is found, too.
const HOME = join(ROOT, 'packages', 'eslint-plugin');
let folder = '';
before(() => {
  folder = mkdtempSync(join(HOME, 'example-'));
  for (const [index, { text }] of examples.entries()) writeFileSync(fileOf(index), text);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(index: number): string {
  return join(folder, `${index}.ts`);
}

/** `file:line name` of each entry, for a message. */
function listed(some: readonly { readonly at: string; readonly name: string }[]): string {
  return some.map(({ at, name }) => `${at} ${name}`).join('\n');
}

test('every export and every public member has a doc comment', () => {
  const missing = entries.filter(({ text }) => text === '');
  assert.equal(listed(missing), '');
});

test('every function and every class has an example', () => {
  const needs = entries.filter(({ kind }) => kind === 'function' || kind === 'class');
  assert.ok(needs.length > 100, 'the public API was not found');
  assert.equal(listed(needs.filter((entry) => entry.examples.length === 0)), '');
});

test('every example compiles', () => {
  const files = examples.map((_, index) => fileOf(index));
  const program = programOf(files);
  const errors = files.flatMap((file, index) => {
    return ts.getPreEmitDiagnostics(program, program.getSourceFile(file)).map((each) => {
      const text = ts.flattenDiagnosticMessageText(each.messageText, ' ');
      return `${examples[index]!.at} ${examples[index]!.name}: ${text}`;
    });
  });
  assert.equal(errors.join('\n'), '');
});

for (const [index, { at, name, prints }] of examples.entries()) {
  test(`${at} ${name} runs`, { timeout: EXAMPLE_TIMEOUT_MS }, async () => {
    const printed: string[] = [];
    const log = mock.method(console, 'log', (...values: unknown[]) => {
      printed.push(values.map((value) => textOf(value)).join(' '));
    });
    const loaded = (await import(fileOf(index)).finally(() => log.mock.restore())) as Loaded;
    assert.deepEqual(printed, prints, 'what it prints stands in a comment behind console.log');
    if (typeof loaded.default?.build !== 'function') return;
    const { verdict, findings } = await check(loaded.default);
    const messages = findings.map(({ message }) => message);
    assert.deepEqual([verdict, ...messages], ['certified']);
  });
}

interface Loaded {
  /** A kernel that must be certified without a finding. */
  readonly default?: Kernel;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
