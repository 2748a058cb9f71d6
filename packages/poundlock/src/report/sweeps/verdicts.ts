// What the verdicts of a sweep say beside the columns of its table.
import { counted, grouped } from '@poundlock/core/internal/base';
import { partsOf, sharedLines, textsLine, type VerdictParts, type WordedLine } from '../verdict.ts';
import type { SweepReport } from './sweep.ts';

/** How a sweep shows each part of its verdicts together. */
type OfAll = {
  readonly [P in keyof VerdictParts]: (parts: readonly VerdictParts[P][]) => readonly string[];
};

/** The most sentences of a kind. */
const MOST_LINES = 8;

const asNote = (text: string): WordedLine => ({ word: 'note', text });

function shared(rows: readonly (readonly WordedLine[])[]): string[] {
  const lines = sharedLines(rows, 'rows').map(({ word, text }) => `${word}: ${text}`);
  const more = lines.length - MOST_LINES;
  return more > 0 ? [...lines.slice(0, MOST_LINES), `and ${counted(more, 'more remark')}`] : lines;
}

const notes = (rows: readonly (readonly string[])[]) => shared(rows.map((row) => row.map(asNote)));

/** The lines below the table of a sweep; none where nothing was checked. */
export function verdictLines({ rows, texts }: SweepReport): string[] {
  const checks = rows.flatMap(({ check }) => (check === undefined ? [] : [check]));
  if (checks.length === 0) return [];
  const parts = checks.map(partsOf);
  const sum = (of: 'states' | 'events') =>
    grouped(checks.reduce((all, { stats }) => all + stats[of], 0));
  const table: OfAll = {
    // Columns of the table, but for the blocks.
    claim: (all) => notes(all.map(({ blocks }) => (blocks === undefined ? [] : [blocks]))),
    findings: () => [],
    notes,
    coverage: notes,
    assumptions: shared,
    statistics: (all) => [
      `${counted(all.length, 'check')}: ${sum('states')} states, ${sum('events')} events`,
    ],
    // One program for all rows.
    texts: () => textsLine(texts),
  };
  return (Object.keys(table) as (keyof VerdictParts)[]).flatMap((part) => {
    const render = table[part] as (all: readonly unknown[]) => readonly string[];
    return render(parts.map((one) => one[part]));
  });
}
