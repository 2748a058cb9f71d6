// What the text of a loop says about the tries in it: whether only a success ends it (P07).
import { hasEffects, mayHaveAccessors } from './effects.ts';
import { loopAt, type Loop, type Range, type Statement } from './statements.ts';
import { tokensOf, type Tokens } from './tokens.ts';
import { Evaluator, UNKNOWN, type Value } from './values.ts';

/** What is known of the tries that a program makes at one place, one after another. */
export const PollLoop = {
  /** Something else than a success may end them. */
  unknown: 0,
  /** A failure always leads to the next try. */
  endless: 1,
  /** And it leaves nothing behind: however many fail, the program goes on in the same way. */
  traceless: 2,
} as const;
export type PollLoop = (typeof PollLoop)[keyof typeof PollLoop];

/** A text in which tries are looked for, with its loops. */
export class PollText {
  readonly #text: string;
  readonly #tokens: Tokens | null;
  readonly #lines: readonly number[];
  readonly #hasAccessors: boolean;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
    this.#lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    this.#hasAccessors = mayHaveAccessors(text);
  }

  /**
   * What the text says of the try that is made at an offset; `miss` is what one that fails returns.
   * `null` where nothing is performed.
   */
  at(offset: number, miss: Value): PollLoop | null {
    const tokens = this.#tokens;
    if (tokens === null) return PollLoop.unknown;
    const place = placeAround(tokens, offset);
    if (place === null) return null;
    const loop = loopAround(tokens, place);
    if (loop === null) return PollLoop.unknown;
    return new LoopReader(tokens, loop, place, miss, this.#hasAccessors).read();
  }

  /** Where a line and a column are. */
  offsetOf(line: number, column: number): number {
    return (this.#lines[line - 1] ?? 0) + column - 1;
  }

  /** Where a call in some column may be; on the first line, which may begin anywhere, any is. */
  offsetsAt(column: number): number[] {
    const text = this.#text;
    const [, second = text.length] = this.#lines;
    const first = [...text.slice(0, second).matchAll(/\byield\b\s*\*?\s*/g)];
    const others = this.#lines.slice(1).map((start) => start + column - 1);
    return [...first.map(({ index, 0: word }) => index + word.length), ...others];
  }
}

/** The innermost loop around a place, or `null` where there is none that is understood. */
function loopAround(tokens: Tokens, place: Range): Loop | null {
  const { list } = tokens;
  const tails = new Set<number>();
  let innermost: Loop | null = null;
  for (let head = 0; head < place.from; head++) {
    if (!isLoopHead(tokens, head) || tails.has(head)) continue;
    const loop = loopAt(tokens, head);
    // Where the end of a `do` is not known, its `while` may be taken for a loop.
    if (loop === null && list[head]!.text === 'do') return null;
    if (loop === null) continue;
    if (loop.isTestedLast) tails.add(loop.body.to);
    if (place.to <= loop.to) innermost = loop;
  }
  return innermost;
}

function isLoopHead({ list }: Tokens, index: number): boolean {
  const { kind, text } = list[index]!;
  if (kind !== 'word' || !/^(?:while|for|do)$/.test(text)) return false;
  return !/^\??\.$/.test(list[index - 1]?.text ?? '') && list[index + 1]?.text !== ':';
}

/** The `yield*` whose operand is at an offset, from its first token to behind its last one. */
function placeAround({ list, pairs }: Tokens, offset: number): Range | null {
  const from = list.findLastIndex(({ text, start }) => text === 'yield' && start <= offset);
  if (from < 0 || list[from + 1]?.text !== '*') return null;
  let to = from + 2;
  for (let isLink = true; to < list.length; to++) {
    const { kind, text } = list[to]!;
    if (isLink && kind === 'word') isLink = false;
    else if (!isLink && /^\??\.$/.test(text)) isLink = true;
    else if (!isLink && text === '!' && list[to + 1]?.text !== '=') continue;
    else if (to > from + 2 && (text === '(' || text === '[')) {
      to = pairs[to]!;
      isLink = false;
    } else break;
  }
  const last = list[to - 1]!;
  return offset < last.start + last.text.length ? { from, to } : null;
}

type Outcome = 'next' | 'again' | 'continue' | 'leave';
type Env = Map<string, Value>;
interface End {
  readonly outcome: Outcome;
  readonly env: Env;
}

/** Follows a loop from a try that fails to the next one, on every path. */
class LoopReader {
  readonly #tokens: Tokens;
  readonly #loop: Loop;
  readonly #place: Range;
  readonly #evaluator: Evaluator;
  #isTraceless: boolean;

  constructor(tokens: Tokens, loop: Loop, place: Range, miss: Value, hasAccessors: boolean) {
    this.#tokens = tokens;
    this.#loop = loop;
    this.#place = place;
    this.#evaluator = new Evaluator(tokens, place, miss);
    this.#isTraceless = !hasAccessors && this.#hasPlainOperand();
  }

  read(): PollLoop {
    const { test, body } = this.#loop;
    if (this.#isInFunction()) return PollLoop.unknown;
    const env: Env = new Map();
    let isEndless = false;
    if (this.#holds(body)) isEndless = this.#ends(this.#from(body, env), 0);
    else if (test !== null && this.#holds(test)) {
      const value = this.#value(test, env);
      isEndless = value !== UNKNOWN && Boolean(value) && this.#ends(this.#run(body, env), 0);
    }
    if (!isEndless) return PollLoop.unknown;
    return this.#isTraceless ? PollLoop.traceless : PollLoop.endless;
  }

  #holds({ from, to }: Range): boolean {
    return from <= this.#place.from && this.#place.to <= to;
  }

  /** Whether the operand is a call of a name with values that nothing computes by a call. */
  #hasPlainOperand(): boolean {
    const { list, pairs } = this.#tokens;
    const { from, to } = this.#place;
    const opening = list[to - 1]!.text === ')' ? pairs[to - 1]! : to;
    const parts = [
      { from: from + 2, to: opening },
      { from: opening + 1, to: to - 1 },
    ];
    return parts.every((part) => !hasEffects(this.#tokens, part));
  }

  /** Whether a function or an object lies between the loop and the try. */
  #isInFunction(): boolean {
    const { list, pairs } = this.#tokens;
    for (let at = this.#place.from - 1; at > this.#loop.from; at--) {
      const isAround = pairs[at]! > this.#place.from;
      if (isAround && list[at]!.text === '{' && !this.#isBlock(this.#loop.body, at)) return true;
    }
    return false;
  }

  #isBlock(statement: Statement, at: number): boolean {
    if (statement.kind === 'block') {
      return statement.from === at || statement.body.some((inner) => this.#isBlock(inner, at));
    }
    if (statement.kind === 'if') {
      const { then, else: other } = statement;
      return this.#isBlock(then, at) || (other !== null && this.#isBlock(other, at));
    }
    return statement.kind === 'loop' && this.#isBlock(statement.body, at);
  }

  /** Whether all of these come to the try again. */
  #ends(ends: readonly End[], rounds: number): boolean {
    return ends.every(({ outcome, env }) => {
      if (outcome === 'again') return true;
      return outcome !== 'leave' && rounds === 0 && this.#nextRound(env);
    });
  }

  #nextRound(env: Env): boolean {
    const { test, update, body } = this.#loop;
    if (update !== null) {
      if (this.#holds(update)) return false;
      this.#value(update, env);
    }
    if (test !== null && this.#holds(test)) {
      this.#value(test, env);
      return !this.#isConditional(test);
    }
    const value = test === null ? true : this.#value(test, env);
    return value !== UNKNOWN && Boolean(value) && this.#ends(this.#run(body, env), 1);
  }

  /** What follows the try, which is in the statement, up to the statement's end. */
  #from(statement: Statement, env: Env): End[] {
    switch (statement.kind) {
      case 'block': {
        const at = statement.body.findIndex((inner) => this.#holds(inner));
        return this.#inTurn(this.#from(statement.body[at]!, env), statement.body.slice(at + 1));
      }
      case 'if': {
        const { test, then, else: other } = statement;
        if (this.#holds(test)) return this.#branch(this.#value(test, env), statement, env);
        return this.#from(this.#holds(then) ? then : other!, env);
      }
      case 'declare':
      case 'expression':
        return this.#runSimple(statement, env);
      case 'loop':
      case 'break':
      case 'continue':
      case 'leave':
        return [{ outcome: 'leave', env }];
    }
  }

  /** All paths through a statement, up to its end or to the try. */
  #run(statement: Statement, env: Env): End[] {
    switch (statement.kind) {
      case 'block':
        return this.#inTurn([{ outcome: 'next', env }], statement.body);
      case 'if': {
        const { test } = statement;
        const value = this.#value(test, env);
        if (!this.#holds(test)) return this.#branch(value, statement, env);
        const again: End = { outcome: 'again', env };
        if (!this.#isConditional(test)) return [again];
        return [again, ...this.#branch(UNKNOWN, statement, env)];
      }
      case 'declare':
      case 'expression': {
        const ends = this.#runSimple(statement, env);
        if (!this.#holds(statement)) return ends;
        const again: End = { outcome: 'again', env };
        return this.#isConditional(statement.value) ? [again, ...ends] : [again];
      }
      case 'continue':
        return [{ outcome: 'continue', env }];
      case 'loop':
      case 'break':
      case 'leave':
        return [{ outcome: 'leave', env }];
    }
  }

  #inTurn(ends: readonly End[], body: readonly Statement[]): End[] {
    const [first, ...others] = body;
    if (first === undefined) return [...ends];
    return ends.flatMap((end) => {
      return end.outcome === 'next' ? this.#inTurn(this.#run(first, end.env), others) : [end];
    });
  }

  #branch(value: Value, statement: Statement & { kind: 'if' }, env: Env): End[] {
    const taken = (one: Statement | null): End[] => {
      return one === null ? [{ outcome: 'next', env }] : this.#run(one, new Map(env));
    };
    if (value === UNKNOWN) return [...taken(statement.then), ...taken(statement.else)];
    return taken(value ? statement.then : statement.else);
  }

  #runSimple(statement: Statement & { kind: 'declare' | 'expression' }, env: Env): End[] {
    const isDeclared = statement.kind === 'declare' && !statement.isVar;
    this.#value(statement.value, env, isDeclared);
    return [{ outcome: 'next', env }];
  }

  /** The value of an expression, and what it leaves behind. */
  #value(range: Range, env: Env, isDeclared = false): Value {
    const { list } = this.#tokens;
    const value = this.#evaluator.evaluate(range, env);
    const assigned = this.#assignedIn(range);
    const isExempt = (index: number): boolean => {
      if (index >= this.#place.from && index < this.#place.to) return true;
      return index === assigned
        ? isDeclared || this.#isPlace(index + 1, range.to)
        : this.#keeps(index);
    };
    if (hasEffects(this.#tokens, range, isExempt)) {
      // What is called may change any variable.
      env.clear();
      this.#isTraceless = false;
    }
    if (this.#holds(range) && this.#keeps(this.#place.from - 1))
      env.delete(list[this.#place.from - 2]!.text);
    if (assigned >= 0) env.set(list[range.from]!.text, value);
    return value;
  }

  /** The assignment of an expression that assigns to one variable, else −1. */
  #assignedIn({ from, to }: Range): number {
    const { list, pairs } = this.#tokens;
    if (list[from]?.kind !== 'word') return -1;
    for (let at = from + 1; at < to; at++) {
      const { text } = list[at]!;
      if (text === '=') return at;
      // Between a variable and its value there is at most the type of a declaration.
      if (text === ',' || text === '?' || /^\??\.$/.test(text) || text === '[') return -1;
      if (pairs[at]! > at) return -1;
    }
    return -1;
  }

  /** Whether the result of the try is assigned to a variable within an expression. */
  #keeps(index: number): boolean {
    const { list } = this.#tokens;
    const isVariable = list[index - 1]!.kind === 'word' && !/^\??\.$/.test(list[index - 2]!.text);
    return list[index]!.text === '=' && isVariable && this.#place.from === index + 1;
  }

  /** Whether an expression is the try, in parentheses or not. */
  #isPlace(first: number, last: number): boolean {
    const { list, pairs } = this.#tokens;
    let [from, to] = [first, last];
    while (list[from]?.text === '(' && pairs[from] === to - 1) [from, to] = [from + 1, to - 1];
    return from === this.#place.from && to === this.#place.to;
  }

  /** Whether the try in an expression may be left out. */
  #isConditional({ from }: Range): boolean {
    const { list } = this.#tokens;
    for (let at = from; at < this.#place.from; at++) {
      if (/^(?:&&|\|\||\?\??|[&|?]{2}=)$/.test(list[at]!.text)) return true;
    }
    return false;
  }
}
