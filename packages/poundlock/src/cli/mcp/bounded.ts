// Cuts a text to a number of characters, and says what was cut.
import { counted } from '@poundlock/core/internal/base';

/** The characters of an answer of `check` unless specified: of what changes with each call. */
export const CHECK_CHARACTERS = 1_600;
/** Those of other tools: pages of a word are whole. */
export const DEFAULT_CHARACTERS = 4_000;
/** The bounds of what can be specified. */
export const MIN_CHARACTERS = 500;
export const MAX_CHARACTERS = 100_000;
/** The shares of the room that the verdict gets, and what to change. */
const VERDICT_SHARE = 0.4;
const CHANGE_SHARE = 0.3;
/** Room for the lines that say what was cut. */
const NOTE = 80;
const GAP = '[…]';

/** A finding with its frame. */
const FINDING = /^(?:possible )?(?:error|warning)\[/m;
/** The file of a frame, and the first line that it shows. */
const PLACE = /^ *╭─ (\S+)\n *(\d+) │/m;
/** The end of a frame: below it stand notes, what to change, and how to replay. */
const FRAME_END = /^ *╰─$/;
const CHANGE = /^ *(?:help|replay): /;

export interface Bounded {
  readonly text: string;
  /** Lines that were left out. */
  readonly cutLines: number;
}

/**
 * At most `most` characters of a text. The first finding is the cause, its last lines the change,
 * and the last block the verdict: of other findings frames go first, then lines in the middle.
 */
export function bounded(text: string, most: number): Bounded {
  if (text.length <= most) return { text, cutLines: 0 };
  const room = most - NOTE;
  const fit = (lines: readonly string[]) => lines.map((line) => shortened(line, room / 3));
  const { first, blocks } = blocksOf(text);
  const verdict = taken(fit(lastOf(blocks, first)), room * VERDICT_SHARE);
  const { frame, change: changes } = partsOf(first);
  const change = taken(fit(changes), room * CHANGE_SHARE);
  const left = room - lengthOf(verdict) - lengthOf(change);
  const start = taken(fit(frame), left);
  if (start.length < frame.length && change.length > 0) start.push(GAP);
  const headings = blocks.flatMap((block) => ['', ...headingOf(block).split('\n')]);
  const more = taken(fit(headings), left - lengthOf(start));
  const lines = [...start, ...change, ...more];
  const cutLines = text.split('\n').length - lines.length - verdict.length;
  const needed = Math.min(MAX_CHARACTERS, Math.ceil(text.length / 100) * 100);
  const note = `[${counted(cutLines, 'line')} left out here: maxCharacters ${needed} shows more]`;
  const gap = verdict.length === 0 ? [] : ['', ...verdict];
  return { text: [...lines, note, ...gap].join('\n'), cutLines };
}

/** The first finding with all before it, and the blocks after it. */
function blocksOf(text: string): { readonly first: string; readonly blocks: string[] } {
  const blocks = text.split('\n\n');
  const cause = Math.max(
    0,
    blocks.findIndex((block) => FINDING.test(block)),
  );
  return { first: blocks.slice(0, cause + 1).join('\n\n'), blocks: blocks.slice(cause + 1) };
}

/** Removes the last block, the verdict, from `blocks`; a text of one block ends with its line. */
function lastOf(blocks: string[], first: string): string[] {
  return blocks.pop()?.split('\n') ?? first.split('\n').slice(-1);
}

/** A finding's frame, and what to change below it. Another block has no change. */
function partsOf(block: string): { readonly frame: string[]; readonly change: string[] } {
  const lines = block.split('\n');
  const end = lines.findIndex((line) => FRAME_END.test(line)) + 1;
  if (!FINDING.test(block) || end === 0) return { frame: lines, change: [] };
  const change = lines.slice(end).filter((line) => CHANGE.test(line));
  const notes = lines.slice(end).filter((line) => !CHANGE.test(line));
  return { frame: [...lines.slice(0, end), ...notes], change };
}

/** A finding without its frame: its heading, and the first place of the frame. */
function headingOf(block: string): string {
  if (!FINDING.test(block)) return block;
  const [heading = ''] = block.split('\n');
  const [, file, line] = PLACE.exec(block) ?? [];
  return file === undefined ? heading : `${heading} (${file}:${line})`;
}

function shortened(line: string, most: number): string {
  return line.length <= most ? line : `${line.slice(0, most)} […]`;
}

/** As many of the first lines as fit. */
function taken(lines: readonly string[], room: number): string[] {
  let left = room;
  const count = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return lines.slice(0, count < 0 ? lines.length : count);
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
