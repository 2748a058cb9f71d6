// Makes a program of each `@example` of the public API.
import { readFileSync } from 'node:fs';
import type { Documented, Face } from './public-api.ts';

/** An example as a module: a kernel as its default export, or a program that runs when loaded. */
export interface ExampleModule {
  readonly name: string;
  readonly at: string;
  readonly text: string;
  /** What its calls of `console.log` print, from the comments behind them. */
  readonly prints: readonly string[];
}

/** What examples of a subpath find without an import. */
export interface Context {
  /** The exported functions, classes and constants. */
  readonly values: ReadonlySet<string>;
  /** The declarations of the `ts` block in the module comment, by name, in order. */
  readonly declared: ReadonlyMap<string, string>;
}

/** The declarations that the module comment of a subpath shows for its examples. */
export function declarationsIn({ file }: Face): Map<string, string> {
  const comment = /\/\*\*[\s\S]*?\*\//.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  const text = comment.replaceAll(/^ \* ?/gm, '');
  const block = /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const statements = block.split(/\n(?=const )/).filter((each) => each.startsWith('const '));
  return new Map(statements.map((each) => [/^const (\w+)/.exec(each)![1]!, each]));
}

/**
 * An example with imports is a module. One with a `return` at its margin is the callback of a
 * kernel; any other is the body of a kernel's only role. Those two find what their subpath and
 * `poundlock` export, and what the module comment of their subpath declares.
 */
export function moduleOf(
  entry: Documented,
  example: string,
  contexts: ReadonlyMap<string, Context>,
): ExampleModule {
  const text = example.replaceAll(/^```.*$/gm, '').trim();
  const prints = [...text.matchAll(/\bconsole\.log\(.*\); \/\/ (.*)$/gm)].map((each) => each[1]!);
  const { name, at, face } = entry;
  if (/^import /m.test(text)) return { name, at, prints, text };
  const [own, core] = [contexts.get(face)!, contexts.get('poundlock')!];
  const body = withDeclarations(text, own.declared);
  const words = wordsOf(body);
  const imported = [...own.values].filter((each) => words.has(each));
  const others = [...core.values].filter((each) => words.has(each) && !own.values.has(each));
  const lines = [
    `import { kernel as $kernel } from 'poundlock';`,
    `import { ${imported.join(', ')} } from '${face}';`,
    `import { ${others.join(', ')} } from 'poundlock';`,
    `export default $kernel('example', {}, () => {`,
    body,
    '});',
  ];
  return { name, at, prints, text: lines.join('\n') };
}

/** The callback of a kernel: the declarations that an example needs, and the example. */
function withDeclarations(text: string, declared: ReadonlyMap<string, string>): string {
  const needed = new Set<string>();
  const need = (code: string, except: ReadonlySet<string>): void => {
    const words = wordsOf(code);
    for (const [name, statement] of declared) {
      if (!words.has(name) || except.has(name) || needed.has(name)) continue;
      needed.add(name);
      need(statement, except);
    }
  };
  need(
    text,
    new Set([...text.matchAll(/\b(?:const|let|using) \[?(\w+)/g)].map((each) => each[1]!)),
  );
  const before = [...declared].filter(([name]) => needed.has(name)).map((each) => each[1]);
  const isCallback = /^return /m.test(text);
  const own = isCallback ? text : `return [role('example', function* () {\n${text}\n})];`;
  return [...before, own].join('\n');
}

function wordsOf(code: string): Set<string> {
  return new Set(code.replaceAll(/'[^'\n]*'/g, '').match(/(?<![.\w$])[A-Za-z_$][\w$]*/g));
}
