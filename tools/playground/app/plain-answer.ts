// Answers of a program's thread as plain data: a program can send whatever it wants.
import type { Answer } from './messages.ts';

/** Fields that are numbers wherever they occur: what is drawn is calculated with them. */
const NUMBERS = new Set([
  'column',
  'expected',
  'from',
  'line',
  'option',
  'parity',
  'pending',
  'phase',
  'txBytes',
  'until',
]);
/** Values of parameters have the names that the program gives them. */
const NAMED_BY_PROGRAM = new Set(['parameters', 'params']);
/** The depth of an answer. */
const MAX_DEPTH = 24;

/** The answer, if it is one; `null` if not. */
export function plainAnswer(data: unknown): Answer | null {
  try {
    const answer = JSON.parse(JSON.stringify(data)) as Partial<Record<string, unknown>>;
    const { id, error } = answer;
    if (typeof id !== 'number') return null;
    if ('error' in answer) return { id, error: String(error) };
    const value = answer['value'];
    return isPlain(value, 0) ? { id, value } : { id, error: 'the answer has another form' };
  } catch {
    return null;
  }
}

function isPlain(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((one) => isPlain(one, depth + 1));
  return Object.entries(value).every(([name, one]) => {
    if (NAMED_BY_PROGRAM.has(name)) return isPlain(Object.values(one ?? {}), depth + 1);
    return NUMBERS.has(name) ? typeof one === 'number' : isPlain(one, depth + 1);
  });
}
