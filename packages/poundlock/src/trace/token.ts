// Replay tokens: a schedule written so short that it fits on a command line.
import { InputError } from '../base/index.ts';

/** One step of a schedule: the agent's letter and which of its possible moves it makes. */
export interface TokenStep {
  readonly letter: string;
  readonly option: number;
}

/** The most steps a token may stand for. */
export const MAX_TOKEN_STEPS = 10_000_000;

/**
 * Writes a schedule as letters with repeat counts; `.n` follows where the agent took its n-th
 * alternative instead of its first.
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
  return parts.join('');
}

/** Reads a token back. Throws an {@link InputError} that names the first bad character. */
export function readToken(token: string): TokenStep[] {
  const part = /([a-zA-Z]|\[[^\]]+\])(\d+)(?:\.(\d+))?/y;
  const steps: TokenStep[] = [];
  while (part.lastIndex < token.length) {
    const from = part.lastIndex;
    const match = part.exec(token);
    if (match === null) {
      const rest = token.slice(from, from + 8);
      throw new InputError(`the replay token is not readable at character ${from + 1}: "${rest}"`);
    }
    const count = Number(match[2]);
    if (steps.length + count > MAX_TOKEN_STEPS) {
      throw new InputError(`the replay token has more than ${MAX_TOKEN_STEPS} steps`);
    }
    const step = { letter: match[1]!, option: Number(match[3] ?? 0) };
    for (let i = 0; i < count; i++) steps.push(step);
  }
  return steps;
}
