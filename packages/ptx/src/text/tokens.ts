// The tokens of a PTX text, as typed arrays of offsets and lines.
import { PtxError } from './ptx-error.ts';

/** What a token is. A line directive (`.loc`, `.file` …) holds the rest of its line. */
export const TokenKind = {
  word: 0,
  number: 1,
  string: 2,
  punctuation: 3,
  lineDirective: 4,
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
const LINE_DIRECTIVES = new Set(['.loc', '.file', '.version', '.target', '.address_size']);

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

/**
 * Splits a PTX text into tokens. Comments and debug sections (`.section NAME { … }`) are left out.
 *
 * @throws PtxError at a character that no token begins with.
 */
export function tokenize(text: string, file: string): Tokens {
  if (text.length > MAX_TEXT)
    throw new PtxError(`the text has more than ${MAX_TEXT} characters`, file, 1, 1);
  const list = new TokenList();
  let at = 0;
  let line = 1;
  let lineStart = 0;
  const countLines = (stop: number): void => {
    for (
      let next = text.indexOf('\n', at);
      next >= 0 && next < stop;
      next = text.indexOf('\n', next + 1)
    ) {
      line++;
      lineStart = next + 1;
    }
    at = stop;
  };
  const add = (kind: TokenKind, stop: number): void => {
    list.add(kind, at, stop, line);
    at = stop;
  };
  for (;;) {
    const space = end(SPACE, text, at);
    if (space >= 0) countLines(space);
    if (at >= text.length) break;
    const word = end(WORD, text, at);
    if (word >= 0) {
      const value = text.slice(at, word);
      if (value.startsWith('@@')) at = word;
      else if (LINE_DIRECTIVES.has(value)) {
        const stop = text.indexOf('\n', at);
        add(TokenKind.lineDirective, stop < 0 ? text.length : stop);
      } else if (value === '.section') {
        const close = text.indexOf('}', at);
        if (close < 0) throw new PtxError('the section has no end', file, line, at - lineStart + 1);
        countLines(close + 1);
      } else add(TokenKind.word, word);
      continue;
    }
    const number = end(NUMBER, text, at);
    if (number >= 0) {
      add(TokenKind.number, number);
      continue;
    }
    const string = end(STRING, text, at);
    if (string >= 0) {
      add(TokenKind.string, string);
      continue;
    }
    const punctuation = end(PUNCTUATION, text, at);
    if (punctuation < 0) {
      const near = JSON.stringify(text.slice(at, at + 20));
      throw new PtxError(`unexpected characters ${near}`, file, line, at - lineStart + 1);
    }
    add(TokenKind.punctuation, punctuation);
  }
  return {
    file,
    text,
    count: list.count,
    kinds: list.kinds,
    starts: list.starts,
    ends: list.ends,
    lines: list.lines,
  };
}
