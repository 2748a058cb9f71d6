// A position in the tokens of a PTX text, with the errors that name it.
import { literal } from './literal.ts';
import { PtxError } from './ptx-error.ts';
import { TokenKind } from './tokens.ts';
import type { Tokens } from './tokens.ts';

/** Reads tokens in order. */
export class Reader {
  readonly tokens: Tokens;
  at = 0;

  constructor(tokens: Tokens) {
    this.tokens = tokens;
  }

  /** The text of the token `ahead` of the next one; empty at the end. */
  peek(ahead = 0): string {
    const index = this.at + ahead;
    const { text, starts, ends, count } = this.tokens;
    return index < count ? text.slice(starts[index], ends[index]) : '';
  }

  /** Whether the next token is a number. */
  isNumber(ahead = 0): boolean {
    return this.#is(TokenKind.number, ahead);
  }

  /** Whether the next token is a string. */
  isString(): boolean {
    return this.#is(TokenKind.string);
  }

  /** Whether the next token is a whole `.loc` or `.file`. */
  isSourceDirective(): boolean {
    return this.#is(TokenKind.sourceDirective);
  }

  #is(kind: TokenKind, ahead = 0): boolean {
    const at = this.at + ahead;
    return at < this.tokens.count && this.tokens.kinds[at] === kind;
  }

  isAtEnd(): boolean {
    return this.at >= this.tokens.count;
  }

  /** The next token, which is consumed. */
  take(): string {
    if (this.isAtEnd()) this.fail('the text ends too early');
    const token = this.peek();
    this.at++;
    return token;
  }

  /** Consumes the next token if it is `token`. */
  skip(token: string): boolean {
    if (this.peek() !== token) return false;
    this.at++;
    return true;
  }

  /** Consumes `token`, or fails. */
  expect(token: string): void {
    if (!this.skip(token)) this.fail(`expected '${token}'`);
  }

  /** Consumes tokens up to and with `token`. */
  skipThrough(token: string): void {
    while (this.take() !== token);
  }

  /** Consumes a name: a word that is no directive. */
  name(): string {
    const name = this.peek();
    if (this.isAtEnd() || this.tokens.kinds[this.at] !== TokenKind.word || name.startsWith('.'))
      this.fail('expected a name');
    this.at++;
    return name;
  }

  /** Consumes a whole number below 2^53. */
  integer(): number {
    if (!this.isNumber()) this.fail('expected a number');
    const value = literal(this.peek());
    const whole = value === undefined || value.isFloat ? NaN : value.high * 2 ** 32 + value.low;
    if (!(whole <= Number.MAX_SAFE_INTEGER)) this.fail('expected a whole number');
    this.at++;
    return whole;
  }

  /** The line of the next token, from 1. */
  line(at = this.at): number {
    const { lines, count } = this.tokens;
    return count === 0 ? 1 : lines[Math.min(at, count - 1)];
  }

  /** The column of the next token, from 1. */
  column(at = this.at): number {
    const { starts, text, count } = this.tokens;
    if (count === 0) return 1;
    const start = starts[Math.min(at, count - 1)];
    return start - text.lastIndexOf('\n', start - 1);
  }

  /** @throws PtxError that names the next token. */
  fail(reason: string, at = this.at): never {
    const { text, starts, ends, count } = this.tokens;
    const near =
      at < count ? `, near ${JSON.stringify(text.slice(starts[at], ends[at]).slice(0, 40))}` : '';
    throw new PtxError(`${reason}${near}`, this.tokens.file, this.line(at), this.column(at));
  }
}
