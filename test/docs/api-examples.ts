// Makes a program of each `@example` of the public API.
import type { Documented } from './public-api.ts';

/** An example as a module: a kernel as its default export, or a program that runs when loaded. */
export interface ExampleModule {
  readonly name: string;
  readonly at: string;
  readonly text: string;
  /** What its calls of `console.log` print, from the comments behind them. */
  readonly prints: readonly string[];
}

/**
 * The declarations that an example finds when it is the body of a role: a barrier that takes one
 * arrival, a buffer, a shared integer, and the columns of tensor memory.
 */
const DECLARATIONS = [
  `const bar = $.barrier('bar');`,
  `const tile = $.buffer('tile', { bytes: 128 });`,
  `const flag = $.cell('flag');`,
  `const tmem = $.pool('tmem', { capacity: 512 });`,
];

/**
 * An example with imports is a module. One with a `return` at its margin is the callback of a
 * kernel; any other is the body of a kernel's only role. Those two find what their subpath and
 * `poundlock` export.
 */
export function moduleOf(entry: Documented, example: string, names: Names): ExampleModule {
  const text = example.replaceAll(/^```.*$/gm, '').trim();
  const prints = [...text.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm)].map((each) => each[1]!);
  const { name, at } = entry;
  return { name, at, prints, text: /^import /m.test(text) ? text : wrapped(entry, text, names) };
}

/** The exported values of each subpath. */
export type Names = ReadonlyMap<string, ReadonlySet<string>>;

function wrapped({ face }: Documented, text: string, names: Names): string {
  const words = new Set(text.match(/[A-Za-z_$][\w$]*/g));
  const own = [...(names.get(face) ?? [])].filter((name) => words.has(name));
  const core = [...names.get('poundlock')!].filter((name) => words.has(name));
  const declared = new Set([...text.matchAll(/^ *(?:const|let) (\w+)/gm)].map((each) => each[1]));
  const isFree = (name: string): boolean => !declared.has(name);
  const others = core.filter((name) => !own.includes(name)).filter(isFree);
  const isCallback = /^return /m.test(text);
  const body = isCallback
    ? [text]
    : [...DECLARATIONS, `return [$.role('example', function* () {`, text, '})];'];
  return [
    `import * as $ from 'poundlock';`,
    `import { ${own.filter(isFree).join(', ')} } from '${face}';`,
    `import { ${others.join(', ')} } from 'poundlock';`,
    `export default $.kernel('example', {}, () => {`,
    ...body,
    '});',
    '',
  ].join('\n');
}
