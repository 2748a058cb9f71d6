// Reads one loop of a program text as statements; what it does not understand makes no statement.
import type { Tokens } from './tokens.ts';

/** Tokens from one index up to another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export type Statement = Range &
  (
    | { readonly kind: 'block'; readonly body: readonly Statement[] }
    | {
        readonly kind: 'if';
        readonly test: Range;
        readonly then: Statement;
        readonly else: Statement | null;
      }
    | Loop
    | { readonly kind: 'break' | 'continue' | 'leave' }
    | { readonly kind: 'declare'; readonly isVar: boolean; readonly value: Range }
    | { readonly kind: 'expression'; readonly value: Range }
  );

export type Loop = Range & {
  readonly kind: 'loop';
  /** Whether the test comes after the body. */
  readonly isTestedLast: boolean;
  /** What a `for` begins with. */
  readonly start: Range | null;
  /** `null` for a loop that nothing but its body ends. */
  readonly test: Range | null;
  readonly update: Range | null;
  readonly body: Statement;
};

/** Statements with a meaning that is not modeled. */
const UNKNOWN = new Set(
  'switch try with class function async import export debugger using await label'.split(' '),
);
/** Between these two tokens no statement ends at the end of a line. */
const GOES_ON_AFTER = /^(?:[-+*/%&|^=<>?:,.([{!~]|&&|\|\||\?\?|=>|[-+*/%&|^<>!=]=+|\?\.|\.\.\.)$/;
const GOES_ON_BEFORE = /^(?:[-+*/%&|^=<>?:,.([)\]]|&&|\|\||\?\?|=>|[-+*/%&|^<>!=]=+|\?\.|`.*)$/s;

/** The statement that starts at a token, or `null` where it is not understood. */
export function statementAt(tokens: Tokens, from: number): Statement | null {
  const { list } = tokens;
  const text = list[from]?.text;
  if (text === undefined || UNKNOWN.has(text)) return null;
  switch (text) {
    case '{':
      return blockAt(tokens, from);
    case ';':
      return { kind: 'block', body: [], from, to: from + 1 };
    case 'if':
      return ifAt(tokens, from);
    case 'while':
    case 'for':
    case 'do':
      return loopAt(tokens, from);
    case 'break':
    case 'continue':
      return jumpAt(tokens, from, text);
    case 'return':
    case 'throw':
      return { kind: 'leave', from, to: endOf(tokens, expressionEnd(tokens, from + 1)) };
    case 'const':
    case 'let':
    case 'var':
      return declarationAt(tokens, from, text === 'var');
    default:
      return expressionAt(tokens, from);
  }
}

function jumpAt(tokens: Tokens, from: number, kind: 'break' | 'continue'): Statement | null {
  const next = tokens.list[from + 1];
  const isLabeled = next?.kind === 'word' && !next.isOnNewLine;
  return isLabeled ? null : { kind, from, to: endOf(tokens, from + 1) };
}

function declarationAt(tokens: Tokens, from: number, isVar: boolean): Statement {
  const to = expressionEnd(tokens, from + 1);
  const value = { from: from + 1, to };
  return { kind: 'declare', isVar, value, from, to: endOf(tokens, to) };
}

function expressionAt(tokens: Tokens, from: number): Statement | null {
  const to = expressionEnd(tokens, from);
  const isLabel = tokens.list[from + 1]?.text === ':';
  if (to === from || isLabel) return null;
  return { kind: 'expression', value: { from, to }, from, to: endOf(tokens, to) };
}

function blockAt(tokens: Tokens, from: number): Statement | null {
  const end = tokens.pairs[from]!;
  const body: Statement[] = [];
  for (let at = from + 1; at < end;) {
    const statement = statementAt(tokens, at);
    if (statement === null || statement.to > end) return null;
    body.push(statement);
    at = statement.to;
  }
  return { kind: 'block', body, from, to: end + 1 };
}

function ifAt(tokens: Tokens, from: number): Statement | null {
  const test = headAt(tokens, from + 1);
  const then = test === null ? null : statementAt(tokens, test.to + 1);
  if (test === null || then === null) return null;
  if (tokens.list[then.to]?.text !== 'else')
    return { kind: 'if', test, then, else: null, from, to: then.to };
  const other = statementAt(tokens, then.to + 1);
  return other === null ? null : { kind: 'if', test, then, else: other, from, to: other.to };
}

/** What is in the parentheses at a token. */
function headAt({ list, pairs }: Tokens, at: number): Range | null {
  return list[at]?.text === '(' ? { from: at + 1, to: pairs[at]! } : null;
}

/** The loop that starts at a token. */
export function loopAt(tokens: Tokens, from: number): Loop | null {
  const { list } = tokens;
  const none = { kind: 'loop', isTestedLast: false, start: null, update: null, from } as const;
  if (list[from]!.text === 'do') {
    const body = statementAt(tokens, from + 1);
    if (body === null || list[body.to]?.text !== 'while') return null;
    const test = headAt(tokens, body.to + 1);
    if (test === null) return null;
    const isClosed = list[test.to + 1]?.text === ';';
    return { ...none, isTestedLast: true, test, body, to: test.to + (isClosed ? 2 : 1) };
  }
  const head = headAt(tokens, from + 1);
  const body = head === null ? null : statementAt(tokens, head.to + 1);
  if (head === null || body === null) return null;
  const { to } = body;
  if (list[from]!.text === 'while') return { ...none, test: head, body, to };
  const parts = partsOf(tokens, head);
  if (parts === null) return null;
  const [start, test, update] = parts;
  return { ...none, start, test, update, body, to };
}

/** The three parts of the head of a `for`; one that goes through a list has others. */
function partsOf(tokens: Tokens, head: Range): (Range | null)[] | null {
  const parts: Range[] = [];
  let { from } = head;
  for (let at = from; at <= head.to; at++) {
    if (at === head.to || tokens.list[at]!.text === ';') {
      parts.push({ from, to: at });
      from = at + 1;
    } else if (tokens.pairs[at]! > at) at = tokens.pairs[at]!;
  }
  if (parts.length !== 3) return null;
  return parts.map((part) => (part.from === part.to ? null : part));
}

/** Where an expression ends: at a semicolon, a closing bracket, or the end of a line. */
function expressionEnd({ list, pairs }: Tokens, from: number): number {
  for (let at = from; at < list.length; at++) {
    const { text, isOnNewLine, kind } = list[at]!;
    if (text === ';' && kind === 'sign') return at;
    if (pairs[at]! >= 0 && pairs[at]! < at) return at;
    const before = list[at - 1];
    if (isOnNewLine && at > from && before !== undefined) {
      const goesOn = GOES_ON_AFTER.test(before.text) || GOES_ON_BEFORE.test(text);
      if (!goesOn) return at;
    }
    if (pairs[at]! > at) at = pairs[at]!;
  }
  return list.length;
}

/** Behind the semicolon, if there is one. */
function endOf({ list }: Tokens, at: number): number {
  return list[at]?.text === ';' ? at + 1 : at;
}
