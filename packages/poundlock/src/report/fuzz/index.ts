// What random programs have shown: a table of their kinds, and the disagreements.
import { counted, displayText, grouped } from '@poundlock/core/internal/base';
import type { Paint } from '../paint.ts';
import { padded, widthOf } from '../width.ts';

/** A program about which `check` and an independent truth disagree. */
export interface ShownDisagreement {
  readonly kind: string;
  readonly fault: string;
  /** The file that has it, and the commands that show it again. */
  readonly file: string;
  readonly commands: readonly string[];
}

/** The document of a run. */
export interface FuzzReport {
  readonly schema: 'poundlock/fuzz@1';
  readonly tool: { readonly name: 'poundlock'; readonly version: string };
  readonly seed: number;
  /** What is drawn, by the name of each kind. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly chunks: number;
  /** Programs that were looked at, and those of them that were decided. */
  readonly programs: number;
  readonly decided: number;
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly disagreements: readonly ShownDisagreement[];
}

/** A bound that was hit has shown nothing. */
const UNDECIDED: ReadonlySet<string> = new Set(['skipped', 'inconclusive']);

/** The lines of one disagreement. */
export function disagreementText(shown: ShownDisagreement, paint: Paint): string {
  const { kind, fault, commands } = shown;
  const lines = [
    `${paint.error('disagreement')} ${paint.strong(kind)}: ${displayText(fault)}`,
    ...commands.map((command) => `  ${displayText(command)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The table of a run, and how it ended. */
export function fuzzText(report: FuzzReport, paint: Paint): string {
  const { kinds, answers, programs, decided, disagreements, seed } = report;
  const rows = Object.keys(kinds)
    .filter((kind) => answers[kind] !== undefined)
    .map((kind) => rowOf(kind, answers[kind]!));
  const table = [['kind', 'programs', 'answers', 'not decided'], ...rows];
  const widths = [0, 1, 2].map((at) => Math.max(...table.map((row) => widthOf(row[at]!))));
  const lines = table.map(([kind, many, answer, rest]) => {
    const cells = [padded(kind!, widths[0]!), padded(many!, widths[1]!, 'left')];
    return [...cells, padded(answer!, widths[2]!), rest].join('  ').trimEnd();
  });
  const end = `${counted(programs, 'program')}, ${grouped(decided)} of them decided`;
  const many = counted(disagreements.length, 'disagreement');
  return [
    paint.faint(lines[0]!),
    ...lines.slice(1),
    '',
    `${end}, from seed ${seed}: ${disagreements.length > 0 ? paint.error(many) : many}`,
    '',
  ].join('\n');
}

function rowOf(kind: string, counts: Readonly<Record<string, number>>): string[] {
  const sorted = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  const sumOf = (some: readonly (readonly [string, number])[]): number =>
    some.reduce((sum, [, many]) => sum + many, 0);
  const decided = sorted.filter(([verdict]) => !UNDECIDED.has(verdict));
  const rest = sumOf(sorted) - sumOf(decided);
  const list = decided.map(([verdict, many]) => `${grouped(many)} ${verdict}`).join(', ');
  return [kind, grouped(sumOf(decided)), list, grouped(rest)];
}
