// Scores findings against labeled cases: every `// expect: kind` is an expected finding at its
// line, or at a line marked `// alt: kind`; every other finding is a false positive.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface ScoredFinding {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
}

interface Expected {
  readonly line: number;
  readonly kind: string;
  readonly tags: readonly string[];
}

export interface Score {
  readonly hits: number;
  readonly misses: readonly string[];
  readonly extras: readonly string[];
  readonly precision: number;
  readonly recall: number;
}

const KINDS: Readonly<Record<string, string>> = {
  'leak-on-throw': 'leak',
  'discarded-handle': 'leak',
  'leaked-stage': 'leak',
  'escaping-handle': 'escape',
  'release-order': 'order',
};

/** The kind of a rule, as the cases name it. */
export function kindOf(rule: string): string {
  return KINDS[rule] ?? rule;
}

export function caseFiles(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => /^\d{3}.*\.ts$/.test(name))
    .map((name) => join(directory, name));
}

export function labelsOf(path: string): { expected: Expected[]; alternatives: Expected[] } {
  const expected: Expected[] = [];
  const alternatives: Expected[] = [];
  for (const [index, text] of readFileSync(path, 'utf8').split('\n').entries()) {
    const line = index + 1;
    const label = /\/\/ expect: ([a-z-]+)((?: \[[^\]]+\])*)/.exec(text);
    const tags = [...(label?.[2] ?? '').matchAll(/\[([^\]]+)\]/g)].map(([, tag = '']) => tag);
    if (label !== null && label[1] !== 'ok') expected.push({ line, kind: label[1]!, tags });
    const other = /\/\/ alt: ([a-z-]+)/.exec(text)?.[1];
    if (other !== undefined) alternatives.push({ line, kind: other, tags: [] });
  }
  return { expected, alternatives };
}

/** Scores the findings in the cases of a directory; `counts` selects labels by their tags. */
export function score(
  directory: string,
  reported: readonly ScoredFinding[],
  counts: (tags: readonly string[]) => boolean = () => true,
): Score {
  let hits = 0;
  const misses: string[] = [];
  const extras: string[] = [];
  for (const path of caseFiles(directory)) {
    const name = basename(path);
    const { expected, alternatives } = labelsOf(path);
    const open = new Set(reported.filter(({ file }) => basename(file) === name));
    const take = (match: (one: ScoredFinding) => boolean): boolean => {
      const found = [...open].find(match);
      if (found !== undefined) open.delete(found);
      return found !== undefined;
    };
    for (const { line, kind, tags } of expected) {
      const isHit =
        take((one) => one.line === line && one.kind === kind) ||
        take((one) =>
          alternatives.some((a) => a.line === one.line && a.kind === one.kind && a.kind === kind),
        );
      if (!counts(tags)) continue;
      if (isHit) hits++;
      else misses.push(`${name}:${line} ${kind} ${tags.join(' ')}`.trimEnd());
    }
    for (const { line, kind } of open) {
      if (!alternatives.some((a) => a.line === line && a.kind === kind)) {
        extras.push(`${name}:${line} ${kind}`);
      }
    }
  }
  const precision = hits / Math.max(1, hits + extras.length);
  const recall = hits / Math.max(1, hits + misses.length);
  return { hits, misses, extras, precision, recall };
}
