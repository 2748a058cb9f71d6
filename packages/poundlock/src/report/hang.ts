// A stopped kernel for the terminal: the table of its warps, the cause, and what agrees.
import type { Finding } from '@poundlock/core/internal/finding';
import { counted, rangesOf } from '@poundlock/core/internal/base';
import { findingLines } from './finding.ts';
import type { ReporterEnvironment } from './reporter.ts';
import { hanging } from './wrapped.ts';

/** The word of a barrier. */
export interface ShownWord {
  readonly phaseParity: number;
  readonly pending: number;
  readonly count: number;
  readonly bytes: number;
  /** The number of the open phase, where a schedule shows it. */
  readonly phase?: number | undefined;
}

/** A row of the table. */
export interface ShownWarp {
  /** `warp 0 lane 0`. */
  readonly who: string;
  /** `hang.cu:36`. */
  readonly at: string;
  /** `waits for empty[1] parity 1`. */
  readonly what: string;
  readonly word: ShownWord | undefined;
}

/** Blocks that stand alike. */
export interface ShownBlocks {
  /** `block 0`, `block 0 and 131 more alike`. */
  readonly title: string;
  readonly warps: readonly ShownWarp[];
  /** Barriers that no warp waits for. */
  readonly others: readonly { readonly name: string; readonly word: ShownWord }[];
}

/** What is shown of a stopped kernel. */
export interface ShownHang {
  readonly title: string;
  readonly blocks: readonly ShownBlocks[];
  readonly verdict: 'deadlock' | 'slow' | 'exception' | 'unexplained';
  readonly summary: string;
  readonly finding: Finding | null;
  /** How much of the dump is as in the schedule; `null` where there is none. */
  readonly agreement: string | null;
  readonly notes: readonly string[];
}

/** `phase of parity 1 open, 1 of 2 arrivals to come`, `phase 3 open, 1 of 1 arrival to come`. */
export function wordText({ phaseParity, pending, count, bytes, phase }: ShownWord): string {
  const which = phase === undefined ? `phase of parity ${phaseParity}` : `phase ${phase}`;
  const arrivals = `${pending} of ${counted(count, 'arrival')} to come`;
  const missing = bytes === 0 ? '' : `, ${bytes < 0 ? '' : 'and '}${bytes} B`;
  return `${which} open, ${arrivals}${missing}`;
}

/** Lanes of a warp in words: nothing for all of them. */
export function lanesText(lanes: readonly number[]): string {
  if (lanes.length === 32) return '';
  return ` ${lanes.length === 1 ? 'lane' : 'lanes'} ${rangesOf(lanes)}`;
}

/** The most blocks that are shown. */
const MAX_BLOCKS = 8;

function tableLines({ title, warps, others }: ShownBlocks): string[] {
  const who = Math.max(0, ...warps.map((each) => each.who.length));
  const at = Math.max(0, ...warps.map((each) => each.at.length));
  const what = Math.max(0, ...warps.map((each) => each.what.length));
  const rows = warps.map((each) => {
    const word = each.word === undefined ? '' : wordText(each.word);
    const cells = [each.who.padEnd(who), each.at.padEnd(at), each.what.padEnd(what), word];
    return `   ${cells.join('  ')}`.trimEnd();
  });
  const idle = others.map(({ name, word }) => `${name}: ${wordText(word)}`).join('; ');
  return [
    ...(title === '' ? [] : [`   ${title}`]),
    ...rows,
    ...(idle === '' ? [] : [`   not waited for: ${idle}`]),
  ];
}

/** A stopped kernel as text for the terminal. */
export function hangText(shown: ShownHang, environment: ReporterEnvironment): string {
  const { paint, columns } = environment;
  const { title, blocks, verdict, summary, finding, agreement, notes } = shown;
  const remark = (text: string): string => {
    const lines = hanging(text, { columns, before: 9, indent: 6 });
    return `   ${paint.strong('note:')} ${lines.join('\n')}`;
  };
  const more = blocks.length - MAX_BLOCKS;
  const lines = [
    paint.strong(title),
    ...blocks.slice(0, MAX_BLOCKS).flatMap(tableLines),
    ...(more > 0 ? [`   and ${counted(more, 'block')} that stand otherwise: --json has all`] : []),
    '',
  ];
  if (finding !== null) lines.push(...findingLines(finding, environment), '');
  // The frame has the sentence of a finding already.
  const conclusion = finding?.message === summary && agreement !== null ? agreement : summary;
  const before = verdict.length + 2;
  lines.push(`${paint.strong(verdict)}  ${hanging(conclusion, { columns, before }).join('\n')}`);
  if (agreement !== null && conclusion !== agreement) lines.push(`   ${agreement}`);
  lines.push(...notes.map(remark));
  return `${lines.join('\n')}\n`;
}
