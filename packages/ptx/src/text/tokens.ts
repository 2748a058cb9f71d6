// The tokens of a PTX text, as typed arrays of offsets and lines.
import { PtxError } from './ptx-error.ts';

/** What a token is. A source directive is a whole `.loc` or `.file`. */
export const TokenKind = {
  word: 0,
  number: 1,
  string: 2,
  punctuation: 3,
  sourceDirective: 4,
} as const;
/** One of the kinds of tokens: see the constant. */
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind];

/** The tokens of a text: `starts`, `ends` and `lines` have one entry for each. */
export interface Tokens {
  readonly file: string;
  readonly text: string;
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The line of each token, from 1. */
  readonly lines: Uint32Array;
}

/** The longest text that is read, in characters. */
export const MAX_TEXT = 256 * 1024 * 1024;

const SPACE = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
// A directive ends before the next dot: `.reg.b32` is `.reg .b32`.
const WORD = /\.[\w$]*(?:::[\w$.]+)*|[%$A-Za-z_][\w$.]*(?:::[\w$.]+)*|@@[^\n]*/y;
const NUMBER = new RegExp(
  [
    '0[fF][0-9a-fA-F]{8}',
    '0[dD][0-9a-fA-F]{16}',
    '0[xX][0-9a-fA-F]+U?',
    '0[bB][01]+U?',
    String.raw`\d+\.\d*(?:[eE][-+]?\d+)?`,
    String.raw`\d+[eE][-+]?\d+`,
    String.raw`\d+U?`,
  ].join('|'),
  'y',
);
const STRING = /"(?:[^"\\\n]|\\[^\n])*"/y;
const PUNCTUATION = /<<|>>|&&|\|\||[=!<>]=|[{}[\](),;:@!+\-|=<>*/%&~^?]/y;
/** Directives that name places of the source, with all that belongs to them. */
const SOURCE_DIRECTIVES: Readonly<Record<string, RegExp>> = {
  '.loc': new RegExp(
    [
      String.raw`\.loc\s+\d+\s+\d+\s+\d+`,
      String.raw`(?:\s*,\s*function_name\s+[\w$.]+(?:\s*\+\s*\d+)?`,
      String.raw`\s*,\s*inlined_at\s+\d+\s+\d+\s+\d+)?`,
    ].join(''),
    'y',
  ),
  '.file': /\.file\s+\d+\s+"(?:[^"\\\n]|\\[^\n])*"(?:\s*,\s*\d+\s*,\s*\d+)?/y,
};

/** Reads a pattern at an offset: the offset of its end, or -1. */
function end(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Collects tokens in arrays that grow by doubling. */
class TokenList {
  kinds = new Uint8Array(4096);
  starts = new Uint32Array(4096);
  ends = new Uint32Array(4096);
  lines = new Uint32Array(4096);
  count = 0;

  add(kind: TokenKind, start: number, stop: number, line: number): void {
    if (this.count === this.kinds.length) this.#grow();
    this.kinds[this.count] = kind;
    this.starts[this.count] = start;
    this.ends[this.count] = stop;
    this.lines[this.count] = line;
    this.count++;
  }

  #grow(): void {
    const length = this.count * 2;
    const larger = (old: Uint32Array): Uint32Array<ArrayBuffer> => {
      const next = new Uint32Array(length);
      next.set(old);
      return next;
    };
    const kinds = new Uint8Array(length);
    kinds.set(this.kinds);
    this.kinds = kinds;
    this.starts = larger(this.starts);
    this.ends = larger(this.ends);
    this.lines = larger(this.lines);
  }
}

/** Tokens other than words, in the order in which they are tried. */
const OTHER_TOKENS = [
  [TokenKind.number, NUMBER],
  [TokenKind.string, STRING],
  [TokenKind.punctuation, PUNCTUATION],
] as const;

/** Reads a text token by token. */
class Lexer {
  readonly tokens = new TokenList();
  readonly #text: string;
  readonly #file: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  /** Reads the next token; `false` at the end of the text. */
  next(): boolean {
    const text = this.#text;
    const space = end(SPACE, text, this.#at);
    if (space >= 0) this.#skip(space);
    if (this.#at >= text.length) return false;
    const word = end(WORD, text, this.#at);
    if (word >= 0) {
      this.#word(word);
      return true;
    }
    for (const [kind, pattern] of OTHER_TOKENS) {
      const stop = end(pattern, text, this.#at);
      if (stop < 0) continue;
      this.#add(kind, stop);
      return true;
    }
    const near = JSON.stringify(text.slice(this.#at, this.#at + 20));
    return this.#fail(`unexpected characters ${near}`);
  }

  #word(stop: number): void {
    const text = this.#text;
    const value = text.slice(this.#at, stop);
    const source = value.startsWith('.') ? SOURCE_DIRECTIVES[value] : undefined;
    if (value.startsWith('@@')) this.#at = stop;
    else if (source !== undefined) {
      const close = end(source, text, this.#at);
      if (close < 0) this.#fail(`${value} is not complete`);
      this.tokens.add(TokenKind.sourceDirective, this.#at, close, this.#line);
      this.#skip(close);
    } else if (value === '.section') {
      const close = text.indexOf('}', this.#at);
      if (close < 0) this.#fail('the section has no end');
      this.#skip(close + 1);
    } else this.#add(TokenKind.word, stop);
  }

  #add(kind: TokenKind, stop: number): void {
    this.tokens.add(kind, this.#at, stop, this.#line);
    this.#at = stop;
  }

  /** Goes on at an offset, and counts the lines up to it. */
  #skip(stop: number): void {
    const text = this.#text;
    let next = text.indexOf('\n', this.#at);
    for (; next >= 0 && next < stop; next = text.indexOf('\n', next + 1)) {
      this.#line++;
      this.#lineStart = next + 1;
    }
    this.#at = stop;
  }

  #fail(message: string): never {
    throw new PtxError(message, this.#file, this.#line, this.#at - this.#lineStart + 1);
  }
}

/**
 * Splits a PTX text into tokens, without comments and debug sections (`.section NAME { … }`).
 *
 * @throws PtxError at a character that no token begins with.
 */
export function tokenize(text: string, file: string): Tokens {
  if (text.length > MAX_TEXT)
    throw new PtxError(`the text has more than ${MAX_TEXT} characters`, file, 1, 1);
  const lexer = new Lexer(text, file);
  while (lexer.next());
  const { count, kinds, starts, ends, lines } = lexer.tokens;
  return { file, text, count, kinds, starts, ends, lines };
}
