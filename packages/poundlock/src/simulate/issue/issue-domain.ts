// Which launches the model of warps that compete can time.
import type { IssueTrace, TimedWork } from '@poundlock/core/internal/program';
import { touchedBy } from './working-set.ts';

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
      'other blocks change, too: how long these wait for one another has no price'
    );
  return null;
}

/** The part of the instructions that are atomic, on memory that several blocks touch. */
function contendedPart(trace: IssueTrace, blocks: number): number {
  const { instructions } = trace;
  let steps = 0;
  let atomic = 0;
  for (const { at, detail, lines } of trace.blocks.flat()) {
    steps += at.length;
    for (const [step, number] of at.entries())
      if (instructions[number]!.kind === 'atomic' && detail[step]! >= 0 && lines.length > 0)
        atomic++;
  }
  const isShared = touchedBy(trace, blocks).some(({ blocksOfByte }) => blocksOfByte > SHARED);
  return isShared || blocks === 1 ? atomic / Math.max(1, steps) : 0;
}

function percent(part: number): string {
  return `${Math.round(100 * part)} %`;
}
