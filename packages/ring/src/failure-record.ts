// A failure in shared words: numbers as numbers, and texts cut between characters, so that a cause
// and a list of stages of any length can be read by every thread.
import type { RingFailure } from './errors.ts';
import { readText, writeText } from './text.ts';

const ROLE_BYTES = 256;
const LINE_BYTES = 1024;
const CAUSE_BYTES = 4096;

const SIDE = 0;
const COUNT = 1;
const ROLE = 2;
const LINE = ROLE + ROLE_BYTES / 4;
const CAUSE = LINE + LINE_BYTES / 4;
const STAGES = CAUSE + CAUSE_BYTES / 4;
const WORDS_PER_LINE = 16;

/** Words of a failure's record in a ring of so many stages: whole cache lines. */
export function failureWords(stages: number): number {
  return Math.ceil((STAGES + stages) / WORDS_PER_LINE) * WORDS_PER_LINE;
}

export function writeFailure(words: Int32Array, at: number, failure: RingFailure): void {
  const { role, side, stages, line, cause } = failure;
  words[at + SIDE] = side === 'producer' ? 0 : 1;
  words[at + COUNT] = stages.length;
  for (const [number, stage] of stages.entries()) words[at + STAGES + number] = stage;
  writeText(words, at + ROLE, ROLE_BYTES, role);
  writeText(words, at + LINE, LINE_BYTES, line ?? '');
  writeText(words, at + CAUSE, CAUSE_BYTES, cause);
}

export function readFailure(words: Int32Array, at: number): RingFailure {
  const count = words[at + COUNT]!;
  const line = readText(words, at + LINE);
  return {
    role: readText(words, at + ROLE),
    side: words[at + SIDE] === 0 ? 'producer' : 'consumer',
    stages: [...words.subarray(at + STAGES, at + STAGES + count)],
    line: line === '' ? null : line,
    cause: readText(words, at + CAUSE),
  };
}
