// Splits JavaScript into tokens, with brackets matched; types of TypeScript are tokens as well.

export type TokenKind = 'word' | 'number' | 'string' | 'template' | 'regex' | 'sign';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Where it starts in the text. */
  readonly start: number;
  /** Whether a line ends before it. */
  readonly isOnNewLine: boolean;
}

export interface Tokens {
  readonly list: readonly Token[];
  /** By bracket: the index of the one that it pairs with; −1 for what is no bracket. */
  readonly pairs: Int32Array;
}

const SPACE = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)+/y;
const WORD = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER =
  /(?:0[xXbBoO][\da-fA-F_]+n?|\d[\d_]*n|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/y;
const STRING = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** Operators, the longer ones first: a prefix of one is another. */
const SIGNS = [
  '>>>= ... === !== **= <<= >>= >>> &&= ||= ??=',
  '=> == != <= >= && || ?? ++ -- += -= *= /= %= &= |= ^= << >> **',
].flatMap((line) => line.split(' '));
const SIGN = new RegExp(
  `${SIGNS.map((sign) => sign.replaceAll(/[.*+?^|]/g, String.raw`\$&`)).join('|')}` +
    String.raw`|\?\.(?!\d)|[^\s\w]`,
  'y',
);

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Words behind which a slash starts a regular expression. */
const BEFORE_REGEX = new Set(
  'return typeof case in of do else void delete throw new yield'.split(' '),
);

/** The tokens of a text, or `null` where it can not be split. */
export function tokensOf(text: string): Tokens | null {
  const list: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  while (at < text.length) {
    const space = take(SPACE) ?? '';
    at += space.length;
    if (at >= text.length) break;
    const isOnNewLine = space.includes('\n') || list.length === 0;
    const [kind, taken] = tokenAt(text, at, take, list.at(-1));
    if (taken === null) return null;
    list.push({ kind, text: taken, start: at, isOnNewLine });
    at += taken.length;
  }
  const pairs = pairsOf(list);
  return pairs === null ? null : { list, pairs };
}

function tokenAt(
  text: string,
  at: number,
  take: (pattern: RegExp) => string | null,
  before: Token | undefined,
): [TokenKind, string | null] {
  const char = text[at]!;
  if (char === '"' || char === "'") return ['string', take(STRING)];
  if (char === '`') return ['template', templateAt(text, at)];
  if (/[\d.]/.test(char)) {
    const number = take(NUMBER);
    if (number !== null) return ['number', number];
  }
  const word = take(WORD);
  if (word !== null) return ['word', word];
  if (char === '/' && startsRegex(before)) return ['regex', take(REGEX)];
  return ['sign', take(SIGN)];
}

function startsRegex(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === 'word') return BEFORE_REGEX.has(before.text);
  return before.kind === 'sign' && !/^(?:[)\]}]|\+\+|--)$/.test(before.text);
}

/** A template with all that it holds, or `null` where it does not end. */
function templateAt(text: string, start: number): string | null {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '`') return text.slice(start, at + 1);
    else if (text.startsWith('${', at)) {
      const end = endOfHole(text, at + 2);
      if (end < 0) return null;
      at = end;
    }
  }
  return null;
}

/** Where the brace is that closes a hole of a template. */
function endOfHole(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === '`') {
      const nested = templateAt(text, at);
      if (nested === null) return -1;
      at += nested.length - 1;
    } else if (char === '{') depth++;
    else if (char === '}' && depth-- === 0) return at;
  }
  return -1;
}

function pairsOf(list: readonly Token[]): Int32Array | null {
  const pairs = new Int32Array(list.length).fill(-1);
  const open: number[] = [];
  for (const [index, { kind, text }] of list.entries()) {
    if (kind !== 'sign') continue;
    if (CLOSING[text] !== undefined) open.push(index);
    else if (text === ')' || text === ']' || text === '}') {
      const opening = open.pop();
      if (opening === undefined || CLOSING[list[opening]!.text] !== text) return null;
      pairs[opening] = index;
      pairs[index] = opening;
    }
  }
  return open.length === 0 ? pairs : null;
}
