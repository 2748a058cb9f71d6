// Replay tokens: a schedule written so short that it fits on a command line.
import { InputError } from '../base/index.ts';
import { folded, type Fold } from './fold.ts';

/** One step of a schedule: the agent's letter and which of its possible moves it makes. */
export interface TokenStep {
  readonly letter: string;
  readonly option: number;
}

/** The most steps of a token. */
export const MAX_TOKEN_STEPS = 10_000_000;
/** The deepest nesting of parentheses that is read; tokens that are written have none nested. */
const MAX_DEPTH = 8;

/**
 * Writes a schedule as letters with repeat counts; `.n` follows where the agent took its n-th
 * alternative instead of its first. Repetitions are in parentheses, with their number.
 *
 * @example
 * writeToken([l, l, l, t, m]) === 'l3t1m1';
 */
export function writeToken(steps: readonly TokenStep[]): string {
  const parts: string[] = [];
  for (let at = 0; at < steps.length;) {
    const { letter, option } = steps[at]!;
    let end = at + 1;
    while (end < steps.length && steps[end]!.letter === letter && steps[end]!.option === option)
      end++;
    parts.push(`${letter}${end - at}${option === 0 ? '' : `.${option}`}`);
    at = end;
  }
  const written = ({ parts: same, times }: Fold): string =>
    times === 1 ? same.join('') : `(${same.join('')})${times}`;
  return folded(parts).map(written).join('');
}

/** Reads a token back. Throws an {@link InputError} that names the first bad character. */
export function readToken(token: string): TokenStep[] {
  const reader = { token, at: 0 };
  const steps = readParts(reader, 0);
  if (reader.at < token.length) refuse(reader);
  return steps;
}

interface Reader {
  readonly token: string;
  at: number;
}

/** Reads up to the end, or to a closing parenthesis. */
function readParts(reader: Reader, depth: number): TokenStep[] {
  const steps: TokenStep[] = [];
  const add = (more: readonly TokenStep[], times: number): void => {
    if (steps.length + more.length * times > MAX_TOKEN_STEPS) {
      throw new InputError(`the replay token has more than ${MAX_TOKEN_STEPS} steps`);
    }
    for (let time = 0; time < times; time++) for (const step of more) steps.push(step);
  };
  while (reader.at < reader.token.length && reader.token[reader.at] !== ')') {
    if (reader.token[reader.at] === '(') {
      if (depth >= MAX_DEPTH) refuse(reader);
      reader.at++;
      const inner = readParts(reader, depth + 1);
      add(inner, Number(take(reader, /\)(\d+)/y)[1]));
    } else {
      const match = take(reader, /([a-zA-Z]|\[[^\]]+\])(\d+)(?:\.(\d+))?/y);
      add([{ letter: match[1]!, option: Number(match[3] ?? 0) }], Number(match[2]));
    }
  }
  return steps;
}

function take(reader: Reader, part: RegExp): RegExpExecArray {
  part.lastIndex = reader.at;
  const match = part.exec(reader.token);
  if (match === null) refuse(reader);
  reader.at = part.lastIndex;
  return match;
}

function refuse({ token, at }: Reader): never {
  const rest = token.slice(at, at + 8);
  throw new InputError(`the replay token is invalid at character ${at + 1}: "${rest}"`);
}
