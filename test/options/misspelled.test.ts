// tier: deep
// A misspelled option, value or member of any example is refused: no example is certified with one.
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Kernel, Overrides } from '@poundlock/core/internal/program';
import { check } from 'poundlock/check';
import { ROOT, ts, type TypeScript } from '../docs/public-api.ts';

/** One token of a text: its place, and what it is. */
interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Names that a program imports from poundlock. */
function importsOf(source: TypeScript.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const from = (statement.moduleSpecifier as TypeScript.StringLiteral).text;
    if (!/^(?:@?poundlock\b)/.test(from)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings !== undefined && ts.isNamedImports(bindings))
      for (const { name } of bindings.elements) names.add(name.text);
  }
  return names;
}

/** Functions whose objects have names of the program's choice. */
const OF_PROGRAM = new Set(['loop', 'end', 'count', 'adopt', 'compute']);

/** The keys of options, and their words, in calls of imported functions and classes. */
function tokensOf(source: TypeScript.SourceFile): Token[] {
  const imported = importsOf(source);
  const tokens: Token[] = [];
  const add = (node: TypeScript.Node, text: string, quotes: number): void => {
    tokens.push({ start: node.getStart(source) + quotes, end: node.getEnd() - quotes, text });
  };
  const options = (literal: TypeScript.ObjectLiteralExpression): void => {
    for (const property of literal.properties) {
      if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name)) continue;
      add(property.name, property.name.text, 0);
      const { initializer } = property;
      if (ts.isStringLiteral(initializer) && property.name.text !== 'name')
        add(initializer, initializer.text, 1);
    }
  };
  const visit = (node: TypeScript.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      let callee: TypeScript.Expression = node.expression;
      while (ts.isPropertyAccessExpression(callee)) callee = callee.expression;
      const called = ts.isIdentifier(callee) ? callee.text : '';
      const passed: readonly TypeScript.Expression[] = node.arguments ?? [];
      const taken = passed.filter(isObject);
      // The parameters of a kernel have names of the program's choice.
      const own = called === 'kernel' ? taken.slice(1) : taken;
      if (imported.has(called) && !OF_PROGRAM.has(called)) own.forEach((one) => options(one));
    }
    node.forEachChild(visit);
  };
  visit(source);
  return tokens;
}

function isObject(node: TypeScript.Node): node is TypeScript.ObjectLiteralExpression {
  return ts.isObjectLiteralExpression(node);
}

/** The same word with two neighbors swapped, or with a letter less. */
function misspelled(word: string, at: number): string {
  const where = word.length < 2 ? 0 : at % (word.length - 1);
  const [first, second] = [word[where]!, word[where + 1] ?? ''];
  if (first === second || second === '') return `${word}x`;
  return word.slice(0, where) + second + first + word.slice(where + 2);
}

const FILES = globSync('examples/**/*.ts', { cwd: ROOT }).toSorted();
const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** The parameters that a program has, and those that choose another way through it. */
function* parametersOf({ defaults }: Kernel, text: string): Generator<Overrides> {
  yield {};
  const words = new Set([...text.matchAll(/\b\w+(?=[':])/g)].map(([word]) => word));
  for (const [name, value] of Object.entries(defaults)) {
    if (typeof value === 'boolean') yield { [name]: !value };
    if (typeof value === 'string') for (const word of words) yield { [name]: word };
    if (typeof value === 'number') yield* [{ [name]: 0 }, { [name]: 1 }, { [name]: 2 }];
  }
}

/** What `check` says about a text in the place of an example: the first refusal, or a verdict. */
async function verdictOf(file: string, text: string, wrong: string): Promise<string> {
  // Beside the example, so that what it imports is found.
  const folder = mkdtempSync(join(dirname(file), '.misspelled-'));
  folders.push(folder);
  const changed = join(folder, basename(file));
  writeFileSync(changed, text.replaceAll(/from '(\.[^']*)'/g, "from '../$1'"));
  try {
    const { default: kernel } = (await import(pathToFileURL(changed).href)) as { default: Kernel };
    let verdict = '';
    for (const params of parametersOf(kernel, text)) {
      const bounds = { maxStates: 2000, maxEvents: 200_000, sizes: 'requested' } as const;
      const said = await check(kernel, { ...bounds, params }).then(
        (result) => result.verdict,
        (error: Error) => error.message,
      );
      if (said.includes(wrong)) return said;
      verdict ||= said;
    }
    return verdict;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let tried = 0;
for (const name of FILES) {
  test(name, async () => {
    const file = join(ROOT, name);
    const text = readFileSync(file, 'utf8');
    if (!/^export default kernel\(/m.test(text)) return;
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
    for (const [index, { start, end, text: word }] of tokensOf(source).entries()) {
      tried++;
      const wrong = misspelled(word, index);
      const changed = text.slice(0, start) + wrong + text.slice(end);
      const verdict = await verdictOf(file, changed, wrong);
      assert.match(verdict, new RegExp(wrong), `${name}: ${word} as ${wrong} at ${start}`);
    }
  });
}

test('the examples have options', () => {
  assert.ok(tried > 1000, `${tried} options`);
});
