// Folds repetitions: a ring's schedule is mostly the same lap.

/** Parts that repeat `times` times. */
export interface Fold {
  readonly parts: readonly string[];
  readonly times: number;
}

/** The longest repetition that is looked for, and how often one must come to be written once. */
const MAX_PERIOD = 256;
const LEAST_TIMES = 4;

/** The same parts in the same order; from left to right, what repeats is one fold. */
export function folded(parts: readonly string[]): Fold[] {
  const folds: Fold[] = [];
  let alone = 0;
  for (let at = 0; at < parts.length;) {
    const { period, times } = repetitionAt(parts, at);
    if (times < LEAST_TIMES) {
      at++;
      continue;
    }
    if (at > alone) folds.push({ parts: parts.slice(alone, at), times: 1 });
    folds.push({ parts: parts.slice(at, at + period), times });
    at += period * times;
    alone = at;
  }
  if (alone < parts.length) folds.push({ parts: parts.slice(alone), times: 1 });
  return folds;
}

/** The shortest period that repeats often enough here, with how often it comes. */
function repetitionAt(parts: readonly string[], at: number): { period: number; times: number } {
  const longest = Math.min(MAX_PERIOD, Math.floor((parts.length - at) / LEAST_TIMES));
  for (let period = 1; period <= longest; period++) {
    let same = 0;
    while (at + period + same < parts.length && parts[at + same] === parts[at + period + same]) {
      same++;
    }
    const times = 1 + Math.floor(same / period);
    if (times >= LEAST_TIMES) return { period, times };
  }
  return { period: 1, times: 1 };
}
