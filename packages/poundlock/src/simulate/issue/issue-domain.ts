// Which launches the model of warps that compete can time.
import { LINES, SECTORS } from '@poundlock/core/internal/program';
import type { IssueTrace, TimedWork } from '@poundlock/core/internal/program';
import { BITS, SECTOR_BYTES, touchedBy } from './working-set.ts';

/** The most instructions without a price. */
const UNPRICED = 0.1;
/** The most instructions that change words which other blocks change, too. */
const CONTENDED = 0.001;
/** Blocks of a byte from which on they are said to share it. */
const SHARED = 1.5;

/** Why there is no time; `null` where there is one. */
export function beyondIssue(trace: IssueTrace, work: TimedWork, blocks: number): string | null {
  const { instructions, unpricedInstructions } = work;
  const unpriced = unpricedInstructions / Math.max(1, instructions);
  if (unpriced > UNPRICED) return `${percent(unpriced)} of its instructions have no price`;
  const contended = contendedPart(trace, blocks);
  if (contended > CONTENDED)
    return (
      `${(100 * contended).toFixed(1)} % of its instructions are atomic operations on words that ` +
      'other blocks or lanes change, too: how long these wait for one another has no price'
    );
  return null;
}

/** The part of the instructions that are atomic, on words that other blocks or lanes change. */
function contendedPart(trace: IssueTrace, blocks: number): number {
  const { instructions } = trace;
  const isShared = touchedBy(trace, blocks).map(({ blocksOfByte }) => blocksOfByte > SHARED);
  let steps = 0;
  let contended = 0;
  for (const { at, detail, lines } of trace.blocks.flat()) {
    steps += at.length;
    for (const [step, number] of at.entries())
      if (instructions[number]!.kind === 'atomic' && isContended(lines, detail[step]!, isShared))
        contended++;
  }
  return contended / Math.max(1, steps);
}

/** Whether lanes change more bytes than there are, or those of a buffer that blocks share. */
function isContended(lines: Float64Array, at: number, isShared: readonly boolean[]): boolean {
  if (at < 0) return false;
  const end = at + 2 + lines[at]!;
  let bytes = 0;
  for (let index = at + 2; index < end; index++) {
    const whole = Math.floor(lines[index]! / SECTORS);
    if (isShared[Math.floor(whole / LINES)] === true) return true;
    bytes += BITS[lines[index]! - whole * SECTORS]! * SECTOR_BYTES;
  }
  return lines[at + 1]! > bytes;
}

function percent(part: number): string {
  return `${Math.round(100 * part)} %`;
}
