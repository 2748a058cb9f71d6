// tier: release
// `using` written with try: the same effects in the same order, on the same lines.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripTypeScriptTypes } from 'node:module';
import {
  array,
  assert as always,
  constant,
  constantFrom,
  letrec,
  nat,
  oneof,
  property,
  record,
  type Arbitrary,
} from 'fast-check';
import { lowerUsing, used, USING } from '../../../../tools/playground/app/lower-using.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** A statement of a random program, which logs what happens. */
type Statement =
  | { readonly kind: 'log' | 'throw' | 'return' | 'yield' }
  | { readonly kind: 'using'; readonly value: 'null' | 'good' | 'bad' | 'none' }
  | { readonly kind: 'block' | 'loop' | 'caught'; readonly body: readonly Statement[] };

const leaf = oneof(
  constantFrom<Statement>({ kind: 'log' }, { kind: 'yield' }),
  constantFrom<Statement>({ kind: 'throw' }, { kind: 'return' }, { kind: 'log' }),
  record({
    kind: constant<'using'>('using'),
    value: constantFrom<'null' | 'good' | 'bad' | 'none'>('null', 'good', 'good', 'bad', 'none'),
  }),
);
const { statements } = letrec<{ statements: readonly Statement[] }>((tie) => ({
  statements: array(
    oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      record({
        kind: constantFrom<'block' | 'loop' | 'caught'>('block', 'loop', 'caught'),
        body: tie('statements'),
      }),
    ) as Arbitrary<Statement>,
    { maxLength: 4 },
  ),
}));

let names = 0;
function textOf(body: readonly Statement[]): string {
  return body
    .map((statement): string => {
      const number = names++;
      switch (statement.kind) {
        case 'log':
          return `log(\`at \${ ${number} } using x = { \`); // using y = }`;
        case 'throw':
          return `if (log('?')) throw new Error('${number}');`;
        case 'return':
          return `if (log('?')) return ${number}`;
        case 'yield':
          return `log(yield ${number});`;
        case 'using':
          return `using r${number} = resource(${number}, '${statement.value}')`;
        case 'block':
          return `{\n${textOf(statement.body)}\n}`;
        case 'loop':
          return `for (let i = 0; i < 2; i++) {\n${textOf(statement.body)}\n}`;
        case 'caught':
          return `try {\n${textOf(statement.body)}\n} catch (e) { log(describe(e)); } finally { log('f'); }`;
      }
    })
    .join('\n');
}

/** Everything that a program does, with answers and an early end that are the same for both. */
function effectsOf(text: string, seed: number): unknown[] {
  const effects: unknown[] = [];
  let turn = seed;
  const log = (value: unknown): boolean => {
    effects.push(value);
    turn = (turn * 1_103_515_245 + 12_345) % 2_147_483_648;
    return value === '?' && turn % 4 === 0;
  };
  const describe = (error: unknown): string => {
    const { name, message, error: last, suppressed } = error as Partial<SuppressedError>;
    if (name !== 'SuppressedError') return `${name}: ${message}`;
    return `${name}(${describe(last)}, ${describe(suppressed)})`;
  };
  const resource = (number: number, kind: string): object | null => {
    log(`open ${number}`);
    if (kind === 'null') return null;
    if (kind === 'none') return {};
    return {
      [Symbol.dispose]() {
        log(`close ${number}`);
        if (kind === 'bad') throw new Error(`close ${number}`);
      },
    };
  };
  const make = new Function('log', 'resource', 'describe', USING, `return ${text}`) as (
    ...all: unknown[]
  ) => () => Generator<unknown, unknown, unknown>;
  const run = make(log, resource, describe, used)();
  try {
    for (let left = 1 + (seed % 5); left > 0; left--) effects.push(run.next(left));
    effects.push(run.return('early'));
  } catch (error) {
    // The name of what is wrong with a value without a method is the engine's own.
    effects.push(describe(error).replace(/TypeError: .*/, 'TypeError'));
  }
  return effects;
}

test('random programs: the same effects, with and without `using` in the language', () => {
  always(
    property(statements, nat(1000), (body, seed) => {
      names = 0;
      const text = `function* program() {\n${textOf(body)}\n}`;
      const lowered = lowerUsing(text);
      assert.ok(lowered !== null);
      assert.doesNotMatch(lowered, /^using/m);
      const plain = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value).replaceAll(/TypeError: [^")]*/g, 'TypeError'));
      assert.deepEqual(plain(effectsOf(lowered, seed)), plain(effectsOf(text, seed)));
    }),
    { numRuns: 300 },
  );
});

test('every example: no `using` remains, lines and columns before each stay', () => {
  for (const file of globSync('examples/**/*.ts', { cwd: ROOT })) {
    const text = stripTypeScriptTypes(readFileSync(join(ROOT, file), 'utf8'));
    const lowered = lowerUsing(text);
    assert.ok(lowered !== null, file);
    const [before, after] = [text.split('\n'), lowered.split('\n')];
    assert.equal(after.length, before.length, file);
    for (const [at, line] of before.entries()) {
      const start = line.replace(/;.*/, '').replace(/^( *)using /, '$1const ');
      const own = line.search(/\S/);
      if (/^ *using /.test(line)) assert.ok(after[at]!.startsWith(start), `${file}:${at + 1}`);
      else assert.equal(after[at]!.search(/\S/), own, `${file}:${at + 1}`);
    }
    assert.doesNotMatch(lowered.replaceAll(/\/\/.*/g, ''), /^\s*using \w/m, file);
  }
});

test('what has no block or no try is refused, and what only looks like it stays', () => {
  assert.equal(lowerUsing('using top = open();'), null);
  assert.equal(lowerUsing('{ for (using one of all) one.x(); }'), null);
  assert.equal(lowerUsing('{ await using one = open(); }'), null);
  assert.equal(lowerUsing('{ using a = b(), c = d(); }'), null);
  for (const text of [
    'const using = 1; log(using);',
    "log('using x = 1', /using y = {/, a / using / 2);",
    '// using x = 1\nx.using = 2;',
    'if (using in all) log(`${ {} } using x = {`);',
  ])
    assert.equal(lowerUsing(text), text);
});
