// The names by which calls may obtain disposables, from the text of declarations: only files that
// use one of them are read, and the checker then decides.
import { hasNoResource } from '../heuristics/self-ending.ts';
import { looksUp } from './vocabulary.ts';

const HEAD = /\b(?:class|interface)\s+([A-Za-z_$][\w$]*)([^{};]*)\{/g;
const ALIAS = /\btype\s+([A-Za-z_$][\w$]*)[^=;{]*=([^;]*);/g;
const MEMBER = /\[Symbol\.(?:d|asyncD)ispose\]|\bdispose\s*\??\s*[(:]/g;
const ROOTS = /\b(?:Async)?I?Disposable\b/;

/** Keywords and modifiers before the name of a declaration. */
const MODIFIERS = new RegExp(
  '^(?:\\s|export|declare|default|function|const|let|var|static|readonly|async|public|protected|' +
    'abstract|override|get|type)+',
);

/** How far before a type the declaration that it is in is searched. */
const MAX_BACK = 600;

interface Head {
  readonly name: string;
  readonly bases: string;
  readonly index: number;
}

/** Whether a text may declare a disposable type at all. */
export function mentionsDisposal(text: string): boolean {
  return text.includes('ispose') && (text.search(MEMBER) >= 0 || ROOTS.test(text));
}

/** `createServer`, `new Server`: names of calls whose result may be disposable. */
export function disposableNames(
  declarations: readonly string[],
  isLookup: (name: string) => boolean = looksUp,
): Set<string> {
  const texts = declarations.map((text) => text.replaceAll(/\/\*[^]*?\*\//g, ''));
  const types = disposableTypes(texts);
  const names = new Set<string>();
  if (types.size === 0) return names;
  for (const type of types) names.add(`new ${type}`);
  const events = new Set<string>();
  const add = (text: string, index: number): void => {
    const name = declaredBefore(text, index);
    if (name !== undefined && !isLookup(name) && !COMMON.has(name)) names.add(name);
  };
  forEachMention(texts, types, (text, index) => {
    if (isCallSignature(text, index)) events.add(nameOfHead(text, index));
    if (isResult(text, index)) add(text, index);
  });
  forEachMention(texts, events, add);
  return names;
}

function forEachMention(
  texts: readonly string[],
  types: ReadonlySet<string>,
  visit: (text: string, index: number) => void,
): void {
  const all = [...types].filter((name) => name !== '').map(escaped);
  if (all.length === 0) return;
  const mention = new RegExp(`(?<![\\w$])(?:${all.join('|')})(?![\\w$])`, 'g');
  for (const text of texts) for (const { index } of text.matchAll(mention)) visit(text, index);
}

/** `interface Event<T> { (listener: (e: T) => void): Disposable; }`: its values are functions. */
function isCallSignature(text: string, offset: number): boolean {
  return declarationBefore(text, offset)?.startsWith('(') === true;
}

/** `open(): Disposable`; a property has no calls, and `x is Disposable` is a test. */
function isResult(text: string, offset: number): boolean {
  const declaration = declarationBefore(text, offset) ?? '';
  return declaration.includes('(') && !/\bis\s+(?:[\w$]+\.)*$/.test(declaration);
}

/** The type whose declaration is around an offset. */
function nameOfHead(text: string, offset: number): string {
  const near = text.slice(Math.max(0, offset - MAX_BACK), offset);
  return [...near.matchAll(HEAD)].at(-1)?.[1] ?? '';
}

/** Names that too many types have. */
const COMMON = new Set(
  'on once off constructor then catch map filter push set has add extends implements'.split(' '),
);

function disposableTypes(texts: readonly string[]): Set<string> {
  const headsOf = (text: string, pattern: RegExp): Head[] =>
    [...text.matchAll(pattern)].map(({ index, 1: name = '', 2: bases = '' }) => {
      return { name, bases, index };
    });
  const heads = texts.map((text) => headsOf(text, HEAD));
  const aliases = texts.flatMap((text) => headsOf(text, ALIAS));
  const found = new Set<string>();
  for (const [at, text] of texts.entries()) {
    for (const { index } of text.matchAll(MEMBER)) {
      const name = heads[at]!.findLast((head) => head.index < index)?.name;
      if (name !== undefined) found.add(name);
    }
  }
  const all = [...heads.flat(), ...aliases];
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const { name, bases } of all) {
      if (found.has(name)) continue;
      const words = bases.match(/[A-Za-z_$][\w$]*/g) ?? [];
      if (ROOTS.test(bases) || words.some((word) => found.has(word))) found.add(name);
    }
  }
  return new Set([...found].filter((name) => !hasNoResource(name)));
}

/** The name of the declaration whose type is at an offset. */
function declaredBefore(text: string, offset: number): string | undefined {
  const declaration = declarationBefore(text, offset) ?? '';
  return /^(?:\|\s*)?([A-Za-z_$][\w$]*)\s*\??\s*[(<:=]/.exec(declaration)?.[1];
}

/** The text of a declaration up to its type at an offset. */
function declarationBefore(text: string, offset: number): string | undefined {
  let depth = 0;
  let start = offset;
  const end = Math.max(0, offset - MAX_BACK);
  for (; start > end; start--) {
    const char = text[start - 1];
    if (char === ')' || char === ']') depth++;
    else if ((char === '(' || char === '[') && depth === 0) return undefined;
    else if (char === '(' || char === '[') depth--;
    else if (depth === 0 && (char === ';' || char === '{' || char === '}' || char === '/')) break;
  }
  return text.slice(start, offset).replace(MODIFIERS, '');
}

function escaped(word: string): string {
  return word.replaceAll(/[^\w]/g, '\\$&');
}
