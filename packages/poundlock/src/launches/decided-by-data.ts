// Hangs that data decides: where the text compares words of one pointer with constants, contents
// that lead to each answer are written, and the kernel is run again with nothing unknown.
import { formatPosition, grouped, INSTRUCTION } from '@poundlock/core/internal/base';
import type { Finding, RuleId } from '@poundlock/core/internal/finding';
import { comparedWord } from '@poundlock/ptx/internal/infer/data-of';
import type { Slot } from '@poundlock/ptx/internal/infer/slots';
import type { AtShape } from './at-shape.ts';
import { decidedByData, errorOf, fits } from './subject.ts';
import type { LaunchRun } from './subject.ts';
import type { Trials } from './trials.ts';

/** Words that are written behind a pointer. */
const WORDS = 4096;
/** Different values of a word that are tried. */
const MAX_VALUES = 4;

/**
 * What goes wrong whatever else the data is: who waits, and who has ended. Of two accesses at
 * places that data decides nothing follows, since the data may be a permutation.
 */
const OF_HANGS: ReadonlySet<RuleId> = new Set<RuleId>([
  'deadlock',
  'over-arrival',
  'missing-drain',
  'tx-mismatch',
  'divergent-barrier',
  'exit-with-open-flight',
]);

/** An error for some data, and the contents that lead to it. */
export interface DataError {
  readonly run: LaunchRun;
  readonly findings: readonly Finding[];
}

/** The one pointer whose data decides a run, with the place; `null` where that is not so. */
function deciding(
  { reference }: LaunchRun,
  trials: Trials,
): { readonly slot: Slot; readonly place: string } | null {
  const position = decidedByData(reference)?.position;
  const at = position?.[INSTRUCTION];
  if (position === undefined || at === undefined) return null;
  const slot = comparedWord(trials.subject.skeleton, at);
  if (slot === null) return null;
  return { slot, place: formatPosition(position) };
}

/** Values of a word on both sides of what the text compares it with. */
function wordsOf({ parameter, offset }: Slot, trials: Trials): number[] {
  const { numbers } = trials.subject.skeleton.facts;
  const near = numbers.get(`*${parameter}+${offset}`)?.thresholds ?? [];
  const values = near.flatMap(({ value }) => [value, value + 1, value - 1]);
  return [...new Set(values)].slice(0, MAX_VALUES);
}

/** Contents: the first word, and all others. */
function contentsOf(first: number, others: number): number[] {
  return [first, ...Array.from({ length: WORDS - 1 }, () => others)];
}

/** Finds data that makes an undecided kernel hang at each ordinary launch; `null`: none does. */
export async function hangByData(
  trials: Trials,
  { shape, ordinary }: AtShape,
  quick: LaunchRun | null,
): Promise<DataError | null> {
  const open = [quick, ...ordinary].find((run) => run?.outcome === 'open');
  const found = open === undefined || open === null ? null : deciding(open, trials);
  if (found === null) return null;
  const { slot, place } = found;
  const attempt = (base: number, contents: readonly number[]): Promise<LaunchRun> => {
    const supplied = new Map([[slot.name, contents]]);
    return trials.add({ shape, base, role: 'ordinary', contents: supplied, mostMs: 1_500 });
  };
  const values = wordsOf(slot, trials);
  const bases = ordinary.filter(fits).map(({ base }) => base);
  for (const first of values)
    for (const others of values) {
      if (trials.isOver) return null;
      const contents = contentsOf(first, others);
      const run = await attempt((quick ?? open)!.base, contents);
      const error = errorOf(run);
      if (error === undefined || run.outcome !== 'error' || !OF_HANGS.has(error.rule)) continue;
      const confirming: LaunchRun[] = [];
      for (const each of bases) confirming.push(await attempt(each, contents));
      if (confirming.some(({ outcome }) => outcome === 'certified')) continue;
      return { run, findings: withData(run, { slot, place, first, others }) };
    }
  return null;
}

/** Findings with the data that they are for, and what replays them. */
function withData(
  { result }: LaunchRun,
  data: {
    readonly slot: Slot;
    readonly place: string;
    readonly first: number;
    readonly others: number;
  },
): Finding[] {
  const { slot, place, first, others } = data;
  const isAll = first === others;
  const what = isAll ? `each word of ${slot.name}` : `${slot.name}[0]`;
  const condition = `${what} is ${grouped(first)}`;
  const rest = isAll ? '' : `, and ${grouped(others)} the others`;
  const notes = [
    `data decides the branch ${place}: it is shown for a launch where ${condition}${rest}`,
    `--param ${slot.parameter}=@FILE.json gives such contents: [${first}, ${others}, ${others}, …]`,
  ];
  return result.findings.map((finding): Finding => {
    // A schedule is of the launch that it was found at, and that one has other contents.
    const members = Object.entries(finding).filter(([name]) => name !== 'replayToken');
    const own = Object.fromEntries(members) as unknown as Finding;
    return { ...own, message: `if ${condition}: ${own.message}`, notes: [...own.notes, ...notes] };
  });
}
